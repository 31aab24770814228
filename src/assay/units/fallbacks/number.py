"""The numbers that a document names, but for those that say a date, an amount or an identifier."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assay.normalize.date import find_dates
from assay.normalize.identifier import find_identifiers
from assay.normalize.money import find_money
from assay.normalize.number import find_numbers
from assay.normalize.percentage import find_percentages
from assay.normalize.period import find_periods
from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans

# Of the mentions found in the number rows of Recognizers-Text (dev), 97% were right. What counts
# something comes before what may be a heading, a clause or a page.
_SCORE_COUNTS, _SCORE_MERELY, _SCORE_SMALL_WORD = 0.9, 0.7, 0.4
_COUNTED = lazy_pattern(r"\s?(?:[a-z]{3,}|[\u4e00-\u9fff])")
_HEADING = lazy_pattern(
    r"(?:(?:section|sections|article|clause|schedule|exhibit|page|no\.?|item|rule|act|form)\s*|第|[§#])\Z",
    re.IGNORECASE,
)
_LINE_NUMBER = lazy_pattern(r"(?:\A|\n)\s*\(?\Z")


@dataclass(frozen=True, slots=True)
class NumberFallback:
    """Finds numbers that stand for themselves: those that count something first, then in document
    order. Numbers of sections and pages, and at the head of lines, are left out."""

    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        found: list[Candidate] = []
        for start, end in scan_spans(document_text, regions):
            part = document_text[start:end]
            taken = _spoken_for(part)
            for mention in find_numbers(part):
                if any(at < mention.end and mention.start < until for at, until in taken):
                    continue
                before = part[max(0, mention.start - 16) : mention.start]
                if _HEADING.search(before) or _LINE_NUMBER.search(before):
                    continue
                score = _score(part, mention.start, mention.end)
                found.append(Candidate(start + mention.start, start + mention.end, score))
        return rank(found)


def _score(text: str, start: int, end: int) -> float:
    if text[start].isalpha() and text[start].isascii() and end - start < 6:
        return _SCORE_SMALL_WORD  # "one", "two": as often a pronoun
    return _SCORE_COUNTS if _COUNTED.match(text, end) else _SCORE_MERELY


def _spoken_for(text: str) -> list[Region]:
    """The spans of what is more than a number."""
    finders = (find_dates, find_money, find_percentages, find_periods, find_identifiers)
    return [(item.start, item.end) for find in finders for item in find(text)]
