"""What a text is about or does, said by a trained classifier; the evidence is the sentence that
speaks most for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from assay.documents.sentences import sentences
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans
from assay.units.fallbacks.sentences import sentence_spans
from assay.units.fallbacks.stored import weights_path

if TYPE_CHECKING:
    from assay.units.fallbacks.text_classifier import TextClassifier

#: A sentence longer than this many words is quoted in part: the run of words that says most.
_LONGEST = 40


@dataclass(frozen=True, slots=True)
class LabelFallback:
    """Labels the whole text; the candidates are the labels, the likeliest first, each with the
    words that speak for it. `score` is the label's probability."""

    classifier: str
    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        found = []
        for start, end in scan_spans(document_text, regions):
            text = document_text[start:end]
            if not text.strip():
                continue
            model = load_cached(self.classifier)
            for label, chance in enumerate(model.probabilities(text)):
                first, last = _strongest(model, text, label)
                found.append(
                    Candidate(
                        start + first, start + last, float(chance), labels={"": model.labels[label]}
                    )
                )
        return rank(found)

    def show(self, label: str, text: str, start: int, end: int) -> Region | None:
        """The words that speak most for a label."""
        found = self.find(text, ((start, end),))
        return next(((item.start, item.end) for item in found if item.labels[""] == label), None)


@dataclass(frozen=True, slots=True)
class SentenceFallback:
    """Finds the sentences that bear the second of a classifier's two labels, the surest first."""

    classifier: str
    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        model = load_cached(self.classifier)
        return rank(
            item
            for item in _weighed(model, document_text, regions)
            if item.score >= model.threshold
        )


@dataclass(frozen=True, slots=True)
class AnySentenceFallback:
    """Says whether a sentence bears the second of a classifier's two labels: true with each such
    sentence as evidence, or false with the one that comes nearest."""

    classifier: str
    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        model = load_cached(self.classifier)
        weighed = _weighed(model, document_text, regions)
        if not weighed:
            return ()
        best = max(weighed, key=lambda item: item.score)
        is_there = best.score >= model.threshold
        score = best.score if is_there else 1 - best.score
        return (Candidate(best.start, best.end, score, labels={"": is_there}),)

    def show(self, _label: bool, text: str, start: int, end: int) -> Region | None:
        """The sentence that comes nearest to bearing the label, whether it does or not."""
        found = self.find(text, ((start, end),))
        return (found[0].start, found[0].end) if found else None


def load_cached(name: str) -> TextClassifier:
    """The classifier of this name in use, one for the process.

    NumPy is imported here, not with the catalogue.
    """
    return _load(weights_path(f"{name}.npz"))


@cache
def _load(path: Path) -> TextClassifier:
    from assay.units.fallbacks.text_classifier import load_classifier

    return load_classifier(path.stem, path.parent)


def _weighed(model: TextClassifier, text: str, regions: Sequence[Region] | None) -> list[Candidate]:
    return [
        Candidate(first, last, float(model.probabilities(text[first:last])[1]))
        for start, end in scan_spans(text, regions)
        for first, last in sentence_spans(text, start, end)
    ]


def _strongest(model: TextClassifier, text: str, label: int) -> Region:
    """The sentence that adds most to a label, or of a long one the run of words that does."""
    import numpy as np

    words, added = model.evidence(text, label)
    if not words:
        return 0, len(text)
    starts = np.array([word.start for word in words])

    def weight(span: Region) -> float:
        return float(added[(starts >= span[0]) & (starts < span[1])].sum())

    start, end = max(sentences(text), key=weight)
    inside = np.flatnonzero((starts >= start) & (starts < end))
    if len(inside) <= _LONGEST:
        return start, end
    sums = np.convolve(added[inside], np.ones(_LONGEST, np.float32), mode="valid")
    first = int(inside[int(sums.argmax())])
    return words[first].start, words[first + _LONGEST - 1].end
