"""What is known of a statement beside the sentences of a document most like it: how like they are,
and whether one denies, allows or requires what the other does not.

Training and reading share this file; the weights mean nothing with other features.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.documents.sentences import sentences
from assay.encoders import Encoder
from assay.patterns import lazy_pattern
from assay.units.fallbacks.question_words import Likeness, content_words
from assay.units.fallbacks.statement_conflict import conflicts_of, forces_of

Span = tuple[int, int]
_MARKS = tuple(
    lazy_pattern(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:not|no|never|without|neither|nor|none|prohibit\w*|except)\b|不|未|无|禁止",
        r"\bmay\b|\bentitled\b|\bpermitted\b|\bright to\b|可以|有权",
        r"\bshall\b|\bmust\b|\bagrees? to\b|\brequired\b|应当|必须|须",
        r"\bonly\b|\bsolely\b|\ball\b|仅|所有|全部",
    )
)
#: Of so many sentences that share most words with the statement vectors are compared.
_NUM_COMPARED = 12
#: So many sentences are described.
NUM_DESCRIBED = 3


@dataclass(frozen=True, slots=True)
class Compared:
    """A statement's features, and the sentences described, the one most like it first."""

    features: NDArray[np.float64]
    spans: tuple[Span, ...]


class StatementReader:
    """Compares statements with one document; vectors of its sentences are computed once."""

    def __init__(self, text: str, encoder: Encoder) -> None:
        self._text = text
        self._encoder = encoder
        self._spans = sentences(text)
        self._words = [content_words(text[start:end]) for start, end in self._spans]
        self._likeness = Likeness(self._words)
        self._known = {word for words in self._words for word in words}
        self._vectors: dict[int, NDArray[np.float32]] = {}

    def compare(self, statement: str) -> Compared | None:
        """None if the document has no sentences."""
        if not self._spans:
            return None
        asked = content_words(statement)
        vector = self._encoder.embed(statement)
        shares = np.array([self._likeness.share(asked, words) for words in self._words])
        compared = np.argsort(-shares, kind="stable")[:_NUM_COMPARED]
        cosines = np.array([float(self._vector(int(number)) @ vector) for number in compared])
        order = np.argsort(-(cosines + 0.5 * shares[compared]), kind="stable")[:NUM_DESCRIBED]
        marks = _marks(statement)
        described = [
            self._describe(
                int(compared[at]), float(cosines[at]), float(shares[compared[at]]), marks
            )
            for at in order
        ]
        missing = [0.0] * len(described[0])
        described += [missing] * (NUM_DESCRIBED - len(described))
        known = sum(word in self._known for word in asked) / max(1, len(asked))
        overall = [cosines.max(), shares.max(), float(cosines.mean()), known, *marks]
        spans = tuple(self._spans[int(compared[at])] for at in order)
        conflicts = conflicts_of(statement, [self._text[start:end] for start, end in spans])
        plain = [*(value for item in described for value in item), *overall]
        features = np.array([*plain, *conflicts, *forces_of(statement)])
        return Compared(features, spans)

    def _vector(self, number: int) -> NDArray[np.float32]:
        if number not in self._vectors:
            start, end = self._spans[number]
            self._vectors[number] = self._encoder.embed(self._text[start:end])
        return self._vectors[number]

    def _describe(
        self, number: int, cosine: float, share: float, marks: Sequence[float]
    ) -> list[float]:
        start, end = self._spans[number]
        mine = _marks(self._text[start:end])
        return [cosine, share, abs(mine[0] - marks[0]), *mine, min(end - start, 1000) / 1000]


def _marks(text: str) -> list[float]:
    """Whether a text denies, allows, requires, and speaks of all."""
    return [float(pattern.search(text) is not None) for pattern in _MARKS]
