"""When a receipt, an invoice or a letter was issued.

The specialist takes the dates of a short document by what stands before them in their row: "Date"
first, then a date with a time of day; dates of expiry, birth or delivery are none. A time that is
printed right behind a date ("04/03/201815:41"), or a number before it, does not hide it. The
heuristic takes the first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.normalize.date import find_dates, read_date
from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank
from assay.units.fallbacks.rows import MAX_CHARS, Row, bill_rows, rows_of

# Measured on receipts.
_LABELLED, _TIMED, _BARE, _OTHER, _HEURISTIC = 0.96, 0.93, 0.9, 0.3, 0.8
_GLUED = lazy_pattern(
    r"(?<![\d./-])(?:\d{1,2}([-/.])\d{1,2}\1\d{4}|\d{4}([-/.])\d{1,2}\2\d{1,2})(?=\d{1,2}:\d\d)"
    r"|(?<![\d./-])\d{1,2}([-/.])\d{1,2}\3(?!(?:19|20)\d\d:)\d{2}(?=\d{2}:\d\d)"
    r"|(?<=\d-)\d{1,2}/\d{1,2}/\d{4}(?=\s+\d{1,2}:\d\d)"
    r"|(?<!\d)(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?!\d)"
)
_DATE = lazy_pattern(
    r"\b(?:date|dated|tarikh|issued|biz\s*date|on)\b[\w\s&]{0,12}[:.#]*\s*\Z|日期\s*[:：]?\s*\Z",
    re.IGNORECASE,
)
_NOT = lazy_pattern(
    r"\b(?:exp(?:iry|ires?|iration)?|valid(?:ity)?|until|due|birth|d\.?o\.?b|deliver\w*|before"
    r"|from|since|best|joined|member|print(?:ed)?|closed)\b[^\n]{0,16}\Z|有效期|生日|到期",
    re.IGNORECASE,
)
_TIME = lazy_pattern(r"\s*(?:\([A-Za-z]{3}\))?\s*,?\s*\d{1,2}[:. ]\d\d")


@dataclass(frozen=True, slots=True)
class IssueDateFallback:
    """The date of the document itself. Right means: the day is, whichever place it stands at."""

    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        dated = [
            (row, start, end)
            for row in bill_rows(document_text, regions)
            for start, end in _whole_dates(row)
        ]
        counted = Counter(read_date(document_text[start:end]).values for _, start, end in dated)
        found = []
        for place, (row, start, end) in enumerate(dated):
            before = row.text[: start - row.start]
            after = row.text[end - row.start :]
            score = _score(before, after) - 0.01 * min(place, 8)
            values = read_date(document_text[start:end]).values
            found.append(Candidate(start, end, min(0.98, score + 0.02 * (counted[values] - 1))))
        return rank(found)


@dataclass(frozen=True, slots=True)
class IssueDateHeuristic:
    """The first whole date of a short document."""

    path: AnswerPath = AnswerPath.HEURISTIC

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        if len(document_text) > MAX_CHARS:
            return ()
        for row in rows_of(document_text, regions):
            for start, end in _whole_dates(row):
                return (Candidate(start, end, _HEURISTIC),)
        return ()


def _score(before: str, after: str) -> float:
    if _NOT.search(before):
        return _OTHER
    if _DATE.search(before):
        return _LABELLED
    return _TIMED if _TIME.match(after) else _BARE


def _whole_dates(row: Row) -> Iterator[Region]:
    """The dates of a row with day, month and year, each once, in order."""
    glued = [match.span() for match in _GLUED.finditer(row.text)]
    spans = [
        (mention.start, mention.end)
        for mention in find_dates(row.text)
        if len(mention.values[0]) == 10
        and all(mention.end <= start or mention.start >= end for start, end in glued)
    ]
    for start, end in sorted([*spans, *glued]):
        yield row.start + start, row.start + end
