"""What a document calls itself: "This Supply Agreement", or its title.

The specialist knows the words that end such a name ("Agreement", "Lease", 合同); the heuristic
takes the first line in capitals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans

# Measured on contracts read by lawyers; the Chinese titles were read by hand.
_NAMED, _TITLED, _TITLED_LATER, _HAN, _HEURISTIC = 0.9, 0.85, 0.6, 0.9, 0.3
# How far a name may stand from the start, and from where on a title is probably an annex's.
_OPENING, _EARLY = 5_000, 2_500
_KIND = (
    r"(?:AGREEMENT|Agreement|CONTRACT|Contract|LEASE|Lease|DEED|Deed|AMENDMENT|Amendment"
    r"|ADDENDUM|Addendum|INDENTURE|Indenture|MEMORANDUM\s+OF\s+UNDERSTANDING"
    r"|Memorandum\s+of\s+Understanding|STATEMENT\s+OF\s+WORK|Statement\s+of\s+Work"
    r"|PURCHASE\s+ORDER|Purchase\s+Order|INVOICE|Invoice)"
)
_SPACE = r"(?:[ \t]{1,4}|[ \t]?\n[ \t]?)"
_WORD = r"(?:(?!(?:This|THIS|IS|ARE|A|AN|AGREEMENT|Agreement)\b)[A-Z](?:[^\W\d]|[.'’/-])*|&|-)"
_JOINED = rf"(?:{_WORD},?{_SPACE}(?:(?:and|of|for|to|or|the|on|in|with){_SPACE})?)"
_NAME = lazy_pattern(rf"(?<![\w.])(?P<name>(?!-){_JOINED}{{1,10}}{_KIND})\b(?!{_SPACE}(?:No|NO)\b)")
_THIS = lazy_pattern(r"\b(?:this|This|THIS)\s+\Z")
_REFERENCE = lazy_pattern(
    r"\b(?:the|that|certain|a|an|such|of|under|to|in|by|with|each|any)\s+\Z", re.IGNORECASE
)
# What stands before a name in the same capitals without being part of it.
_PREFIX = lazy_pattern(
    r"(?:(?:this|exhibit|annex|schedule|appendix|execution|final|conformed|draft"
    r"|version|copy|form\s+of|private|and)\b[\s.:-]*|confidential\b[ \t]*(?:[.:-]+\s*|\n\s*))+",
    re.IGNORECASE,
)
_COMPANY = lazy_pattern(
    r".*\b(?:INC|LLC|LTD|LIMITED|CORP|CORPORATION|INCORPORATED|COMPANY|Inc|Ltd|Corp)\b\.?,?\s+",
    re.DOTALL,
)
_HAN_TITLE = lazy_pattern(
    r"^[ \t\u3000]*[《【]?(?P<name>[\u4e00-\u9fffA-Za-z0-9（）()·]{1,38}?"
    r"(?:合同书?|协议书?|备忘录|意向书|订单|保险单|补充条款))[》】]?[ \t\u3000]*$",
    re.MULTILINE,
)
_CAPITALS = lazy_pattern(r"^[ \t]*(?P<name>[A-Z][A-Z &,'’/-]{6,90}[A-Z])[ \t]*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class DocumentNameFallback:
    """Finds the name that a document has for itself, else its title.

    Right means: the span is the name, wherever the document states it.
    """

    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        found: list[Candidate] = []
        for start, end in scan_spans(document_text, regions):
            end = min(end, _OPENING)
            found.extend(_find_names(document_text, start, end))
            found.extend(_find_han_titles(document_text, start, end))
        return rank(found)


@dataclass(frozen=True, slots=True)
class DocumentNameHeuristic:
    """Takes the first lines that are all in capitals, the first of them best."""

    path: AnswerPath = AnswerPath.HEURISTIC

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        return rank(
            Candidate(*match.span("name"), _HEURISTIC * (1 - match.start() / _OPENING))
            for start, end in scan_spans(document_text, regions)
            for match in _CAPITALS.finditer(document_text, start, min(end, _OPENING))
        )


def _find_names(text: str, start: int, end: int) -> Iterator[Candidate]:
    for match in _NAME.finditer(text, start, max(start, end)):
        begin, until = _without_prefix(text, *match.span("name"))
        if len(text[begin:until].split()) < 2:
            continue
        before = text[max(0, match.start() - 12) : match.start()]
        lateness = 0.3 * begin / _OPENING
        if _THIS.search(before):
            yield Candidate(begin, until, _NAMED - lateness)
        elif not _REFERENCE.search(before):
            score = _TITLED if begin < _EARLY else _TITLED_LATER
            yield Candidate(begin, until, score - lateness)


def _without_prefix(text: str, start: int, end: int) -> Region:
    """A name without what only stands before it: the exhibit, the version, a company."""
    if company := _COMPANY.match(text, start, end):
        start = company.end()
    if prefix := _PREFIX.match(text, start, end):
        start = prefix.end()
    return start, end


def _find_han_titles(text: str, start: int, end: int) -> Iterator[Candidate]:
    for match in _HAN_TITLE.finditer(text, start, max(start, end)):
        yield Candidate(*match.span("name"), _HAN - 0.3 * match.start() / _OPENING)
