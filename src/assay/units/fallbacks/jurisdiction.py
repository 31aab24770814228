"""Whose law governs an agreement: the sentence that says so, and the state or country it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank
from assay.units.fallbacks.clause import ClauseFallback, ClauseHeuristic

# A sentence that names no place says less often which law governs.
_UNNAMED = 0.6
_PLACE_WORD = (
    r"(?!(?i:without|and|as|excluding|except|exclusive|irrespective|applicable|which|in|for|or|to"
    r"|but|regardless|notwithstanding|including|with|shall|will|is|are|that|this|its|any|both"
    r"|each|no|not|u\.?s\.?a)\b)[A-ZÀ-Þ][\w'’-]*"
)
# "England and Wales", "Federal Republic of Germany", "New York".
_PLACE = (
    rf"(?:England\s+(?:and|&)\s+Wales|ENGLAND\s+(?:AND|&)\s+WALES|{_PLACE_WORD}"
    rf"(?:\s+(?:(?i:of)\s+(?:(?i:the)\s+)?)?{_PLACE_WORD}){{0,5}})"
)
_PART_OF_A_STATE = r"(?:(?:State|Commonwealth|Province|Territory)\s+of\s+)"
_LAWS_OF = lazy_pattern(
    rf"(?i:\blaws?\b(?:\s+(?:and|or)\s+\w+|\s*\([^()]{{0,80}}\))?"
    rf"(?:\s*,?\s*(?:as\s+)?(?:applied|applicable|in\s+force|in\s+effect|prevailing|then))?"
    rf"\s*(?:of|in|from|within)\s+(?:the\s+)?(?:{_PART_OF_A_STATE})?\[?)(?P<place>{_PLACE})"
)
_PLACE_LAW = lazy_pattern(
    rf"(?:(?i:\b(?:by|under|with|to|of|the|in),?\s+)(?:(?i:the|substantive|internal|local)\s+)*)"
    rf"(?P<place>{_PLACE})\s+(?i:(?:state\s+)?laws?\b)"
)
_STATE_OF = lazy_pattern(rf"(?i:{_PART_OF_A_STATE})(?P<place>{_PLACE})")
_HAN_PLACE = (
    r"中华人民共和国|中国大陆|中国内地|中国|香港特别行政区|香港|澳门特别行政区|澳门|台湾地区|台湾"
    r"|新加坡|英格兰(?:和|及)威尔士|英格兰|[\u4e00-\u9fff]{1,6}?(?:州|国|省|邦)|日本|瑞士"
)
_HAN_LAW = lazy_pattern(
    rf"(?:适用|依照|依据|按照|遵照|受|以)(?:于)?(?P<place>{_HAN_PLACE})[^。；]{{0,20}}?(?:法律|法)"
)
# A form whose place is still to be filled in.
_NO_PLACE = lazy_pattern(
    r"(?:the\s+)?(?:state|commonwealth|province|territory|country)", re.IGNORECASE
)
_UNION = lazy_pattern(r"(?:the\s+)?United\s+States(?:\s+of\s+America)?", re.IGNORECASE)
# What a sentence that names no place must say.
_GOVERNS = lazy_pattern(
    r"\bgovern(?:s|ed|ing)?\b|\b(?:construed|interpreted)\s+(?:and\s+\w+\s+)?(?:in\s+accordance|according"
    r"|under|by|pursuant)\b|[\u4e00-\u9fff]",
    re.IGNORECASE,
)


_NAME = lazy_pattern(
    rf"(?i:the\s+)?(?:{_PART_OF_A_STATE}|{_PLACE_WORD}\s+of\s+)?{_PLACE}|[\u4e00-\u9fff]+"
)


@dataclass(frozen=True, slots=True)
class GoverningLawFallback:
    """Finds the sentence that says which law governs; its part "jurisdiction" is the place."""

    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        found = ClauseFallback("governing_law").find(document_text, regions)
        return rank(_says_which(document_text, found))


@dataclass(frozen=True, slots=True)
class GoverningLawHeuristic:
    """Takes the sentence with most words of the kind; its part "jurisdiction" is the place."""

    path: AnswerPath = AnswerPath.HEURISTIC

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        found = ClauseHeuristic("governing_law").find(document_text, regions)
        return rank(_says_which(document_text, found))


def find_place(text: str, start: int, end: int) -> Region | None:
    """The state or country whose law a sentence speaks of; else one that it calls a state."""
    for pattern in (_LAWS_OF, _HAN_LAW, _PLACE_LAW, _STATE_OF):
        places = [match.span("place") for match in pattern.finditer(text, start, end)]
        named = [place for place in places if not _NO_PLACE.fullmatch(text, *place)]
        if named:
            # "The laws of the United States and of the State of Utah": the narrower of the two.
            union = _UNION.fullmatch(text, *named[0])
            return named[1] if union and len(named) > 1 else named[0]
    return None


def is_place(name: str) -> bool:
    """Whether a name can be a state's or country's: capitals, or Chinese characters."""
    return _NAME.fullmatch(name.strip()) is not None


def _says_which(text: str, found: Sequence[Candidate]) -> Iterator[Candidate]:
    """The sentences, each with its place; one without a place only if it speaks of governing."""
    for item in found:
        placed = _with_place(text, item)
        if placed.parts or _GOVERNS.search(text, item.start, item.end):
            yield placed


def _with_place(text: str, sentence: Candidate) -> Candidate:
    place = find_place(text, sentence.start, sentence.end)
    if place is None:
        return replace(sentence, score=_UNNAMED * sentence.score)
    return replace(sentence, parts={"jurisdiction": place})
