"""What an evaluation is made of: labelled cases, what is asked of them, and who was right.

A field of a case is right only if its value *and* its evidence are: a set's judge sees what was
found (`Finding`) and counts. What failed, and what a unit that does not exist would have found, is
a finding without a value, so that failures count as 0.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from assay.documents import Document
from assay.errors import DocumentNotFoundError
from assay.types import UnitResult
from assay.units import Unit


@dataclass(frozen=True, slots=True)
class PlainQuestion:
    """How a baseline is asked for the same: in words, with the JSON Schema of the value.

    The value has the shape of the unit's, as far as the judge looks at it.
    """

    text: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing asked of a case, with the gold that its set's judge understands.

    `field` is what reports call it. It is answered by the field `unit_field` (`field`, if empty) of
    `unit`: a unit of the catalogue by name, or a declaration of the set's own. `arguments` are the
    unit's. `plain` is None where a baseline is not asked. A `reader` answers in place of the unit,
    from the document's text, where a set measures a part of the package by itself.
    """

    field: str
    unit: str | Unit
    gold: Any
    unit_field: str = ""
    arguments: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    plain: PlainQuestion | None = None
    reader: Callable[[str], Finding] | None = None

    @property
    def answered_by(self) -> str:
        """The unit's field that answers."""
        return self.unit_field or self.field

    @property
    def unit_name(self) -> str:
        return self.unit if isinstance(self.unit, str) else self.unit.name


@dataclass(frozen=True, slots=True)
class Case:
    """A document and what is asked of it. `source` is read, or the bytes of a file of any format
    that Assay reads. `language` is a code such as "en"; intervals are drawn over cases."""

    case_id: str
    language: str
    source: Document | bytes
    asks: tuple[Ask, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a leaf of a value stands in the document (code points, end exclusive). `pointer` is the
    leaf's, below the field's own value: "" for the value itself, "/0/name" inside a list."""

    start: int
    end: int
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found for one ask: the field's value (None: nothing) and where its leaves stand."""

    value: Any = None
    places: tuple[Place, ...] = ()

    def at(self, pointer: str) -> tuple[Place, ...]:
        """The places of the leaf at `pointer` and of all below it."""
        below = pointer + "/"
        return tuple(
            place
            for place in self.places
            if place.pointer == pointer or place.pointer.startswith(below)
        )


@dataclass(frozen=True, slots=True)
class Counts:
    """How many values were right, were given, and should have been; of one ask, or added up.

    A value may be right in part, where a judge measures how much of a passage was found.
    """

    num_right: float = 0
    num_answered: int = 0
    num_gold: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.num_right + other.num_right,
            self.num_answered + other.num_answered,
            self.num_gold + other.num_gold,
        )


def reader_case(
    case_id: str, language: str, field: str, text: str, gold: Any, read: Callable[[str], Finding]
) -> Case:
    """A case whose one ask is answered by a reader of the package."""
    ask = Ask(field, "normalize", gold, reader=read)
    return Case(case_id, language, text_document(case_id, text), (ask,))


def one_value(*, right: bool, answered: bool, expected: bool) -> Counts:
    """The counts of a field that has one value or none."""
    return Counts(int(right and answered and expected), int(answered), int(expected))


class EvaluationSet(Protocol):
    """A public data set as cases. A file of `assay.evaluation.sets` declares one as `SET`."""

    @property
    def name(self) -> str:
        """As in the file `NAME_SPLIT.jsonl`, and in reports."""
        ...

    def read(self, folder: Path, split: str) -> Iterable[Case]:
        """The cases of a split, in the order of the file.

        Raises:
            DocumentNotFoundError: the folder has no such file.
        """
        ...

    def judge(self, ask: Ask, document: Document, finding: Finding) -> Counts:
        """Holds what was found against the gold. The same rules for units and baseline."""
        ...


def finding_of(ask: Ask, result: UnitResult) -> Finding:
    """What a unit's result says to one ask."""
    value = result.value.get(ask.answered_by) if isinstance(result.value, Mapping) else None
    if value is None:
        return Finding()
    prefix = f"/{ask.answered_by}"
    places = tuple(
        Place(item.start, item.end, item.pointer.removeprefix(prefix))
        for item in result.evidence
        if item.pointer == prefix or item.pointer.startswith(prefix + "/")
    )
    return Finding(value, places)


def read_rows(folder: Path, name: str, split: str) -> Iterator[dict[str, Any]]:
    """The rows of `NAME_SPLIT.jsonl`.

    Raises:
        DocumentNotFoundError: there is no such file.
    """
    path = folder / f"{name}_{split}.jsonl"
    if not path.is_file():
        raise DocumentNotFoundError(f"there is no {path}")
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def text_document(name: str, text: str) -> Document:
    """A document of plain text whose offsets are those of `text` itself."""
    return Document(name, text, "text/plain")
