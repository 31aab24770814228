"""Every span of a document that reads as one kind of value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans
from assay.units.fields import Grounded


@dataclass(frozen=True, slots=True)
class EveryMention:
    """All of them. `score` is set by hand: what reads as a kind of value is mostly meant as one."""

    kind: type[Grounded]
    score: float = 0.9
    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        return rank(
            Candidate(region + start, region + end, self.score)
            for region, until in scan_spans(document_text, regions)
            for start, end in self.kind.find(document_text[region:until])
        )
