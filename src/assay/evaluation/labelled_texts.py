"""Sets of short texts with one label each: one question of one unit."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assay.documents import Document
from assay.evaluation.base import (
    Ask,
    Case,
    Counts,
    Finding,
    PlainQuestion,
    read_rows,
    text_document,
)


@dataclass(frozen=True, slots=True)
class LabelledTexts(ABC):
    """English texts as cases. The rows are `id`, `text` and the gold under the name of `field`,
    which is the unit's field as well."""

    name: str
    unit: str
    field: str
    plain: PlainQuestion

    def read(self, folder: Path, split: str) -> Iterator[Case]:
        """As `EvaluationSet.read`."""
        for row in read_rows(folder, self.name, split):
            ask = Ask(self.field, self.unit, row[self.field], plain=self.plain)
            yield Case(row["id"], "en", text_document(row["id"], row["text"]), (ask,))

    @abstractmethod
    def judge(self, ask: Ask, document: Document, finding: Finding) -> Counts:
        """As `EvaluationSet.judge`."""
