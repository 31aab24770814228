"""The percentages that a document names: those of rates, shares and prices first."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from assay.normalize.number import find_numbers
from assay.normalize.percentage import find_percentages
from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans

_MATTERS = lazy_pattern(
    r"\b(?:rate|interest|royalt\w+|commission|discount|share|fee|tax|margin|per\s+(?:annum|year"
    r"|month)"
    r"|price|revenues?|profits?|ownership|equity|increase|late|net\s+sales|uptime|availability)\b"
    r"|利率|税率|费率|比例|违约金|折扣|股权|提成|年化",
    re.IGNORECASE,
)
_SCORE_MATTERS, _SCORE_MERELY, _SCORE_BARE = 0.9, 0.8, 0.3
_NEAR = 90


@dataclass(frozen=True, slots=True)
class PercentageFallback:
    """Finds percentages, each distinct value once. Those near words of rate come first, then in
    document order."""

    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        seen: set[tuple[Decimal, ...]] = set()
        found: list[Candidate] = []
        for start, end in scan_spans(document_text, regions):
            for mention in find_percentages(document_text[start:end]):
                if mention.values in seen:
                    continue
                seen.add(mention.values)
                at, until = start + mention.start, start + mention.end
                near = document_text[max(0, at - _NEAR) : until + _NEAR]
                score = _SCORE_MATTERS if _MATTERS.search(near) else _SCORE_MERELY
                found.append(Candidate(at, until, score))
        return rank(found)


_RATE_WORDS = {
    "%": 2.0,
    "percent": 2.0,
    "rate": 1.5,
    "ratio": 1.0,
    "interest": 1.0,
    "率": 2.0,
    "比例": 2.0,
}


@dataclass(frozen=True, slots=True)
class PercentageHeuristic:
    """Weighs bare figures of at most 100 by the words of rate near them, as in the column of a
    table headed "Rate (%)"."""

    path: AnswerPath = AnswerPath.HEURISTIC

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        weighed: list[tuple[float, int, int]] = []
        for start, end in scan_spans(document_text, regions):
            for mention in find_numbers(document_text[start:end]):
                if not 0 < mention.values[0] <= 100:
                    continue
                at, until = start + mention.start, start + mention.end
                near = document_text[max(0, at - 40) : until + 12].lower()
                weight = sum(value for word, value in _RATE_WORDS.items() if word in near)
                if weight:
                    weighed.append((weight, at, until))
        best = max((weight for weight, _, _ in weighed), default=1.0)
        return rank(
            Candidate(at, until, _SCORE_BARE * weight / best) for weight, at, until in weighed
        )
