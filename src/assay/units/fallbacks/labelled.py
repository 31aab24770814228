"""The value that stands with words of a caller's own choosing: "the deductible", "免赔额".

The specialist wants the words before the value, in its clause and nothing of its kind between: a
label. The heuristic takes the value near which most of the words stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.types import AnswerPath
from assay.units.fallbacks.base import Draft, Standing
from assay.units.fields import Grounded

#: How far before a value its label may begin, and how far around it words count, in code points.
_LABEL_REACH, _NEAR = 160, 200
#: How often a label of all words, and values near all of them, were right in documents of ours.
_LABELLED, _NEARBY = 0.85, 0.5
_ENDS_CLAUSE = re.compile(r"[.;](?=\s)|[。；\n]\s*")
_WORD = re.compile(r"[^\W_]+")
_CJK = re.compile(r"[一-鿿]")
_IDLE = frozenset({"the", "a", "an", "of", "for", "in", "to", "and", "or", "is", "its"})


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """The value of `kind` whose label is what the argument `argument` says."""

    kind: type[Grounded]
    argument: str
    path: AnswerPath = AnswerPath.SPECIALIST

    def draft(self, document_text: str, arguments: Mapping[str, Any], /) -> Draft | None:
        """The first value with such a label."""
        words = label_words(str(arguments[self.argument]))
        if not words:
            return None
        folded = document_text.lower()
        end_of_last = 0
        for start, end in self.kind.find(document_text):
            before = folded[max(end_of_last, start - _LABEL_REACH) : start]
            clause = _ENDS_CLAUSE.split(before)[-1]
            if all(_stands_in(word, clause) for word in words):
                return _draft(document_text, start, end, _LABELLED)
            end_of_last = end
        return None


@dataclass(frozen=True, slots=True)
class NearbyValue:
    """The value of `kind` with the most words of the argument `argument` around it."""

    kind: type[Grounded]
    argument: str
    path: AnswerPath = AnswerPath.HEURISTIC

    def draft(self, document_text: str, arguments: Mapping[str, Any], /) -> Draft | None:
        """The one whose words are most and nearest; None if there are none near any."""
        words = label_words(str(arguments[self.argument]))
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


def _stands_in(word: str, folded: str) -> bool:
    if _CJK.search(word):
        return word in folded
    return re.search(rf"\b{re.escape(word)}", folded) is not None


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
