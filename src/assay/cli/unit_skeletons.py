"""The files that `assay units new` writes."""

from __future__ import annotations

import string
from pathlib import Path

from assay.errors import ConfigError, UnitDeclarationError
from assay.units.unit import is_unit_name

_YAML = """\
# A unit of your own. `assay units check` says what it lacks; docs/units.md what each key means.
name: $name
summary: What this finds, in one line.
# Words of a request that mean it (assay analyze FILE --ask "…").
triggers: [$words]
languages: [en, zh]
fields:
  value:
    # text, clause, flag, date, period, money, percentage,
    # {list: TYPE}, {choice: [a, b]} or {object: {name: TYPE}}
    type: date
    question: What is the $words?
    question_zh: “$words”是什么？
    # The words by which segments are chosen, and what each weighs.
    keywords: {$words: 2.0, 合同: 0.5}
    # What stands before the value in a document: found by it where no model answers.
    label: $words
"""

_PYTHON = '''\
"""What this finds, in one line."""

from typing import Annotated

from pydantic import BaseModel

from assay.units.fallbacks.labelled import LabelledValue, NearbyValue
from assay.units.fields import Date
from assay.units.unit import Question, Unit
from assay.units.validators import not_blank


class Output(BaseModel):
    value: Annotated[
        Date | None,
        Question(
            "What is the $words?",
            text_zh="“$words”是什么？",
            keywords={"$words": 2.0, "合同": 0.5},
            validators=(not_blank,),
            fallbacks=(
                LabelledValue(Date, label="$words"),
                NearbyValue(Date, label="$words"),
            ),
        ),
    ] = None


UNIT = Unit(
    name="$name",
    summary="What this finds, in one line.",
    output=Output,
    triggers=("$words",),
)
'''

_TEST = '''\
"""What $name finds; it fails until the text and the quotation are yours."""

from pathlib import Path

from assay.analysis import Analyzer, ChainTable
from assay.backends.scripted import ScriptedBackend
from assay.units.files import read_unit

TEXT = "Write a passage here that says what the unit is to find."


def test_it_is_found_by_rules_alone() -> None:
    unit = read_unit(Path(__file__).with_name("$file"))
    with Analyzer(backend=ScriptedBackend([]), chains=ChainTable.of("rules-only")) as analyzer:
        result = analyzer.analyze(TEXT.encode(), units=[unit]).results[unit.name]
    assert [item.quote for item in result.evidence] == ["what is to be quoted"]
'''


def write_skeleton(name: str, folder: Path, *, python: bool) -> tuple[Path, Path]:
    """Writes the unit and its test; returns where.

    Raises:
        UnitDeclarationError: that is no name for a unit.
        ConfigError: one of the files is there already, or cannot be written.
    """
    if not is_unit_name(name):
        raise UnitDeclarationError(
            f"{name!r} is not a unit name", remedy="use lower case, digits and underscores"
        )
    unit = folder / f"{name}{'.py' if python else '.yaml'}"
    test = folder / f"test_{name}.py"
    words = " ".join(name.split("_")[1:]) or name
    contents = {unit: _PYTHON if python else _YAML, test: _TEST}
    for path in contents:
        if path.exists():
            raise ConfigError(f"{path} is there already", remedy="nothing was written")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, content in contents.items():
            text = string.Template(content).substitute(name=name, words=words, file=unit.name)
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
    except OSError as error:
        raise ConfigError(f"{error.filename}: {error.strerror}") from None
    return unit, test
