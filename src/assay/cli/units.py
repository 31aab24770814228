"""`assay units`: what can be asked, and units of one's own."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.messages import complain
from assay.cli.output import as_line, write_stdout

if TYPE_CHECKING:
    from assay.units import Unit

EPILOG = """\b
Examples:
  assay units
  assay units extract_date
  assay units extract_date --json
  assay units new extract_warranty
  assay units check extract_warranty.yaml

\b
Units of your own:
  ASSAY_UNITS names folders; each YAML or Python file in them is a unit, found by being there.
"""


class _UnitsGroup(click.Group):
    """What is no subcommand is the name of a unit to show."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0] not in self.commands and args[0] != "--help"):
            args = ["show", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_UnitsGroup, epilog=EPILOG)
def units() -> None:
    """Lists the units, shows the fields of one, or starts and checks one of your own.

    A unit is the smallest thing that can be asked of a document.
    """


@units.command()
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def show(name: str | None, as_json: bool) -> int:
    """Lists the units, or shows one (the default: `show` may be left out)."""
    from assay.units.catalogue import all_units, get_unit

    chosen = all_units() if name is None else (get_unit(name),)
    if as_json:
        write_stdout("".join(as_line(describe(unit)) for unit in chosen))
    elif name is None:
        write_stdout(_list(chosen))
    else:
        write_stdout(_detail(chosen[0]))
    return 0


@units.command()
@click.argument("name", metavar="NAME")
@click.option("--python", is_flag=True, help="Write Python instead of YAML.")
@click.option(
    "--dir",
    "folder",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    default=".",
    show_default=True,
    help="Where to write; it is made if it is not there.",
)
def new(name: str, python: bool, folder: Path) -> int:
    """Writes the skeleton of a unit, and a test that fails until it finds what it should."""
    from assay.cli.unit_skeletons import write_skeleton

    unit, test = write_skeleton(name, folder, python=python)
    write_stdout(
        f"{unit}\n{test}\n\n"
        f"1. Say in {unit.name} what is asked and by which words it is found.\n"
        f"2. assay units check {unit}\n"
        f"3. pytest {test}   (it fails until the unit finds what the test says)\n"
        f"4. ASSAY_UNITS={folder} assay analyze FILE --unit {name}\n"
    )
    return 0


@units.command()
@click.argument(
    "files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
def check(files: tuple[Path, ...]) -> int:
    """Checks units in files: whether they can run, and what is unwise in them.

    Ends with 2 if one cannot run, with 1 if there is something to complain of.
    """
    from assay.errors import UnitDeclarationError
    from assay.units.files import read_unit
    from assay.units.lint import lint_unit

    code = 0
    for path in files:
        try:
            unit = read_unit(path)
        except UnitDeclarationError as error:
            complain(str(error))
            code = 2
            continue
        complaints = lint_unit(unit)
        code = max(code, int(bool(complaints)))
        write_stdout("".join(f"{path}: {text}\n" for text in complaints))
        if not complaints:
            fields = ", ".join(unit.field_names)
            write_stdout(f"{path}: {unit.name} is fine ({fields})\n")
    return code


def describe(unit: Unit) -> dict[str, Any]:
    """A unit as JSON: what it asks, what it takes, and the JSON Schema of its value."""
    arguments = unit.arguments.model_json_schema() if unit.arguments else None
    return {
        "name": unit.name,
        "summary": unit.summary,
        "languages": list(unit.languages),
        "fields": {name: field.question.text for name, field in unit.fields.items()},
        "computed": {name: list(field.mark.of) for name, field in unit.computed.items()},
        "arguments": arguments,
        "value": unit.output.model_json_schema(),
    }


def _list(chosen: Sequence[Unit]) -> str:
    width = max(len(unit.name) for unit in chosen)
    return "".join(f"{unit.name:{width}}  {unit.summary}\n" for unit in chosen)


def _detail(unit: Unit) -> str:
    bold, plain = ("\x1b[1m", "\x1b[0m") if sys.stdout.isatty() else ("", "")
    width = max(map(len, unit.field_names))
    lines = [f"{bold}{unit.name}{plain}", unit.summary, f"Languages: {', '.join(unit.languages)}"]
    if unit.arguments:
        lines += ["", "Arguments:"]
        for name, field in unit.arguments.model_fields.items():
            need = "required" if field.is_required() else f"default: {field.default}"
            lines.append(f"  {name:{width}}  {need}")
    lines += ["", "Fields:"]
    for name in unit.field_names:
        if name in unit.fields:
            lines.append(f"  {name:{width}}  {unit.fields[name].question.text}")
        else:
            operands = ", ".join(unit.computed[name].mark.of)
            lines.append(f"  {name:{width}}  computed from {operands}")
    return "\n".join(lines) + "\n"
