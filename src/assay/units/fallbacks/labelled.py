"""The value that stands with words of a caller's own choosing: "the deductible", "免赔额".

The specialist wants a label: all of the words shortly before the value, in its clause and nothing
of its kind between, or just behind it ("two months' notice"). The heuristic takes the value near
which most of the words stand. Numbers of clauses, schedules and headings are no values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.base import Draft, Standing
from assay.units.fields import Grounded

#: In code points: how far before a value its label may begin and end, how far behind one may end,
#: and how far around it words count.
_LABEL_REACH, _LABEL_GAP, _LABEL_BEHIND, _NEAR = 120, 60, 28, 200
#: How sure a label of all words is, and a value near all of them: set by hand, not measured.
_LABELLED, _NEARBY = 0.85, 0.5
_CLAUSE_END = lazy_pattern(r"[.;](?=\s)|[。；]|\n\s*\n")
_HEADING = lazy_pattern(r"\d+(?:\.\d+)*[.)]?\s+[A-Z一-鿿]")
_NAME_END = lazy_pattern(r"[.,;，。；、\n]|\b(?:of|for|to|from|in|on|and|or)\b")
_PART = lazy_pattern(
    r"(?:clause|section|article|schedule|exhibit|annex|appendix|page|part|no\.?)s?\s*[“\"(]?$"
    r"|第$|附件$",
    re.IGNORECASE,
)
_WORD = lazy_pattern(r"[^\W_]+")
_CJK = lazy_pattern(r"[一-鿿]")
_IDLE = frozenset({"the", "a", "an", "of", "for", "in", "to", "and", "or", "is", "its"})


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """The value of `kind` whose label is what the argument `argument` says, or `label`."""

    kind: type[Grounded]
    argument: str = ""
    label: str = ""
    path: AnswerPath = AnswerPath.SPECIALIST

    def draft(self, document_text: str, arguments: Mapping[str, Any], /) -> Draft | None:
        """The first value with such a label."""
        words = label_words(self.label or str(arguments[self.argument]))
        if not words:
            return None
        end_of_last = 0
        for start, end in _values(self.kind, document_text):
            before = document_text[max(end_of_last, start - _LABEL_REACH) : start].lower()
            behind = document_text[end : end + _LABEL_BEHIND].lower()
            clause, name = _CLAUSE_END.split(before)[-1], _NAME_END.split(behind)[0]
            if _is_label(words, clause) or all(_last_end(word, name) >= 0 for word in words):
                return _draft(document_text, start, end, _LABELLED)
            end_of_last = end
        return None


@dataclass(frozen=True, slots=True)
class NearbyValue:
    """The value of `kind` with the most words of the argument `argument`, or of `label`, around
    it."""

    kind: type[Grounded]
    argument: str = ""
    label: str = ""
    path: AnswerPath = AnswerPath.HEURISTIC

    def draft(self, document_text: str, arguments: Mapping[str, Any], /) -> Draft | None:
        """The one whose words are most and nearest; None if there are none near any."""
        words = label_words(self.label or str(arguments[self.argument]))
        best = max(
            (
                (_nearness(document_text, words, *span), span)
                for span in self.kind.find(document_text)
            ),
            default=(0.0, (0, 0)),
            key=lambda item: item[0],
        )
        nearness, (start, end) = best
        return _draft(document_text, start, end, _NEARBY * nearness) if nearness else None


def label_words(phrase: str) -> list[str]:
    """The words of a phrase that tell it from others; a phrase in Chinese is one word."""
    folded = phrase.lower()
    if _CJK.search(folded):
        return ["".join(folded.split())]
    return [word for word in _WORD.findall(folded) if word not in _IDLE]


def _values(kind: type[Grounded], text: str) -> Iterator[tuple[int, int]]:
    """The spans of a kind that are not the numbers of parts of the document."""
    for start, end in kind.find(text):
        is_part = _PART.search(text, max(0, start - 20), start) is not None
        if not is_part and not _is_heading_number(text, start, end):
            yield start, end


def _is_heading_number(text: str, start: int, end: int) -> bool:
    """Whether a number opens a line as those of clauses do: "5.1 The Prices"."""
    if text[text.rfind("\n", 0, start) + 1 : start].strip():
        return False
    return _HEADING.match(text, start) is not None or text[end : end + 1] in ".)、"


def _is_label(words: list[str], clause: str) -> bool:
    """Whether all words stand in the clause before a value, the last of them shortly before it."""
    ends = [_last_end(word, clause) for word in words]
    return min(ends) >= 0 and max(ends) >= len(clause) - _LABEL_GAP


def _last_end(word: str, folded: str) -> int:
    """Where the last place of a word ends, a plural of it too; -1 if there is none."""
    pattern = re.escape(word) if _CJK.search(word) else rf"\b{re.escape(word)}(?:e?s)?\b"
    return max((match.end() for match in re.finditer(pattern, folded)), default=-1)


def _nearness(text: str, words: list[str], start: int, end: int) -> float:
    """0 to 1: the words around a span, each by how near it stands."""
    first = max(0, start - _NEAR)
    around = text[first : end + _NEAR].lower()
    return sum(_closest(word, around, start - first, end - first) for word in words) / max(
        1, len(words)
    )


def _closest(word: str, around: str, start: int, end: int) -> float:
    distances: Iterator[int] = (
        max(start - match.end(), match.start() - end, 0)
        for match in re.finditer(re.escape(word), around)
    )
    return 1 - min(distances, default=_NEAR) / _NEAR if word in around else 0.0


def _draft(text: str, start: int, end: int, score: float) -> Draft:
    return Draft(text[start:end], (Standing("", start, end),), score)
