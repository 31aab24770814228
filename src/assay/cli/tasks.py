"""Which units a command runs, and with which arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click

from assay.errors import UnitArgumentError

if TYPE_CHECKING:
    from assay.analysis import ChainTable
    from assay.terms import Glossary
    from assay.units import Task

arguments_option = click.option(
    "--arg",
    "-a",
    "arguments",
    metavar="NAME=VALUE",
    multiple=True,
    help="An argument of the units that take one of this name; UNIT.NAME=VALUE for one unit.",
)
tenant_option = click.option(
    "--tenant",
    metavar="NAME",
    default="",
    help="Whose documents these are: tenants share nothing that is computed for them.",
)


def _chains(_ctx: click.Context, _param: click.Parameter, value: str | None) -> ChainTable | None:
    if value is None:
        return None
    from assay.analysis.chains import ChainTable
    from assay.units.chain import NAMED_CHAINS

    return ChainTable.of(value) if value in NAMED_CHAINS else ChainTable.load(value)


chains_option = click.option(
    "--chains",
    metavar="NAME|FILE",
    callback=_chains,
    help="Who answers first: model-first (as if left out), cheapest-first, rules-only, or a YAML "
    "file with chains by unit and tenant.",
)


def _glossary(_ctx: click.Context, _param: click.Parameter, value: str | None) -> Glossary | None:
    if value is None:
        return None
    from assay.cli.terms import open_glossary

    return open_glossary(value)


glossary_option = click.option(
    "--glossary",
    metavar="FILE|starter",
    callback=_glossary,
    help="Terms with their other names, by which requests are understood and passages found; "
    "`assay terms --help` tells of the format.",
)
merge_option = click.option(
    "--merge-terms",
    is_flag=True,
    help="Have the model read terms of the glossary as one token each, once rows are fitted.",
)
rules_option = click.option(
    "--rules",
    metavar="FILE",
    envvar="ASSAY_ROUTES",
    show_envvar=True,
    help="A YAML file of words that mean units, or are refused, before the router is asked.",
)


def make_tasks(
    names: Sequence[str], arguments: Sequence[str], on_error: Callable[[str, Exception], None]
) -> list[Task]:
    """The units of these names, each with what `arguments` say of it. `on_error` is told of those
    that cannot be run.

    Raises:
        UnitArgumentError: an argument is not NAME=VALUE, or none of the units takes it.
    """
    from assay.errors import UnitError
    from assay.units import Task, get_unit

    given = [_parse(item) for item in arguments]
    taken: set[tuple[str, str]] = set()
    tasks = []
    for name in dict.fromkeys(names):
        try:
            unit = get_unit(name)
            known = unit.arguments.model_fields if unit.arguments else {}
            own = {
                (owner, argument): value
                for owner, argument, value in given
                if owner == unit.name or (not owner and argument in known)
            }
            taken |= own.keys()
            values = {argument: value for (_, argument), value in own.items()}
            tasks.append(Task(unit, values))
        except UnitError as error:
            on_error(name, error)
    for owner, argument, _ in given:
        if (owner, argument) not in taken:
            units = ", ".join(names) or "the units of a request in words"
            raise UnitArgumentError(f"no argument {argument!r} of {owner or units}")
    return tasks


def _parse(item: str) -> tuple[str, str, str]:
    """Unit (or ""), name and value."""
    name, equals, value = item.partition("=")
    owner, _, argument = name.strip().rpartition(".")
    if not equals or not argument:
        raise UnitArgumentError(f"--arg {item!r} is not NAME=VALUE")
    return owner, argument, value
