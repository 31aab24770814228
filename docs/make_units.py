"""Writes the table of units in docs/units.md from the catalogue.

python docs/make_units.py            write it
python docs/make_units.py --check    fail if it is not what would be written
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from assay.units import Unit, all_units

TARGET = Path(__file__).with_name("units.md")
_BETWEEN = re.compile(r"(<!-- units -->\n).*(<!-- end -->)", re.DOTALL)


def lines_of(unit: Unit) -> Iterator[str]:
    """What the page says of one unit."""
    yield f"### {unit.name}\n"
    yield f"{unit.summary} Languages: {', '.join(unit.languages)}.\n"
    if unit.arguments:
        for name, field in unit.arguments.model_fields.items():
            need = "required" if field.is_required() else f"left out: {field.default}"
            yield f"- argument `{name}` ({need})"
        yield ""
    yield "| field | asks |\n|---|---|"
    for name in unit.field_names:
        if name in unit.fields:
            text = unit.fields[name].question.text
        else:
            text = f"computed from {', '.join(unit.computed[name].mark.of)}"
        yield f"| {name} | {text} |"
    yield ""


def document() -> str:
    """The page with the table as it should be."""
    listed = "\n".join(line for unit in all_units() for line in lines_of(unit))
    text = TARGET.read_text(encoding="utf-8")
    return _BETWEEN.sub(lambda match: f"{match[1]}\n{listed}\n{match[2]}", text)


def main() -> None:
    if "--check" in sys.argv[1:]:
        if TARGET.read_text(encoding="utf-8") != document():
            sys.exit(f"{TARGET} is out of date; run `make docs`")
        return
    TARGET.write_text(document(), encoding="utf-8")


if __name__ == "__main__":
    main()
