"""`assay units`: what can be asked."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from assay.cli.output import as_line, write_stdout

if TYPE_CHECKING:
    from assay.units import Unit

EPILOG = """\b
Examples:
  assay units
  assay units extract_date
  assay units --json
"""


@click.command(epilog=EPILOG)
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def units(name: str | None, as_json: bool) -> int:
    """Lists the units, or shows the fields of one.

    A unit is the smallest thing that can be asked of a document.
    """
    from assay.units.catalogue import all_units, get_unit

    chosen = all_units() if name is None else (get_unit(name),)
    if as_json:
        write_stdout("".join(as_line(_describe(unit)) for unit in chosen))
    elif name is None:
        write_stdout(_list(chosen))
    else:
        write_stdout(_detail(chosen[0]))
    return 0


def _describe(unit: Unit) -> dict[str, Any]:
    return {
        "name": unit.name,
        "summary": unit.summary,
        "languages": list(unit.languages),
        "fields": {name: field.question.text for name, field in unit.fields.items()},
    }


def _list(chosen: Sequence[Unit]) -> str:
    width = max(len(unit.name) for unit in chosen)
    return "".join(f"{unit.name:{width}}  {unit.summary}\n" for unit in chosen)


def _detail(unit: Unit) -> str:
    bold, plain = ("\x1b[1m", "\x1b[0m") if sys.stdout.isatty() else ("", "")
    width = max(map(len, unit.fields))
    lines = [f"{bold}{unit.name}{plain}", unit.summary, f"Languages: {', '.join(unit.languages)}"]
    lines += ["", "Fields:"]
    lines += [f"  {name:{width}}  {field.question.text}" for name, field in unit.fields.items()]
    return "\n".join(lines) + "\n"
