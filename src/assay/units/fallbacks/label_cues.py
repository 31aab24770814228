"""Labels a text by the words that speak for each label: for labels that nobody has labelled data
for. The heaviest label wins; the evidence is the sentence in which most speaks for it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans
from assay.units.fallbacks.sentences import sentence_spans

#: A cue counts this often at most in one text, so that a word repeated does not decide alone.
_MOST = 3
#: What the surest answer scores: these rules are written, not measured.
_BEST_SCORE = 0.8
_OPENING_FACTOR = 3
_NEGATION = lazy_pattern(
    r"(?:\b(?:not|no|never|hardly|without|isn't|wasn't|don't|doesn't|didn't|won't|can't|couldn't"
    r"|nothing|neither|nor)\b\W+(?:\w+\W+){0,2}|(?:不|没有?|未|无|并非|毫无)\s*(?:是|很|太|怎么|那么)?)\Z",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Cues:
    """What speaks for a label: patterns (case ignored) and what each weighs. Where `flips_to` is
    set, a cue that is negated speaks for that label instead."""

    weights: Mapping[str, float]
    flips_to: Any = None

    def matches(self, text: str) -> list[tuple[int, int, float]]:
        found = []
        for pattern, weight in self.weights.items():
            for number, match in enumerate(re.finditer(pattern, text, re.IGNORECASE)):
                if number == _MOST:
                    break
                found.append((match.start(), match.end(), weight))
        return found


@dataclass(frozen=True)
class CueFallback:
    """Weighs the cues of each label; those that begin in the first `opening` characters count three
    times, for what the opening says a document is, it is. `least` is the weight that a label needs;
    where none has it, the answer is `otherwise`, with the first sentence as evidence, or nothing if
    that is None."""

    labels: Mapping[Any, Cues]
    least: float = 1.0
    otherwise: Any = None
    opening: int = 0
    path: AnswerPath = field(default=AnswerPath.HEURISTIC)

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        spans = [
            span
            for start, end in scan_spans(document_text, regions)
            for span in sentence_spans(document_text, start, end)
        ]
        if not spans:
            return ()
        totals, best = self._weigh(document_text, spans)
        heaviest = sorted(totals, key=lambda label: -totals[label])
        found = [label for label in heaviest if totals[label] >= self.least]
        if not found:
            if self.otherwise is None:
                return ()
            return (Candidate(*spans[0], _BEST_SCORE / 2, labels={"": self.otherwise}),)
        other = totals[heaviest[1]] if len(heaviest) > 1 else 0.0
        label = found[0]
        score = _BEST_SCORE * totals[label] / (totals[label] + other + self.least / 2)
        return rank([Candidate(*best[label], score, labels={"": label})])

    def show(self, label: Any, text: str, start: int, end: int) -> Region | None:
        """The sentence in which most speaks for a label; for that of texts in which nothing speaks
        for any, the first. None if nothing speaks for the label."""
        spans = sentence_spans(text, start, end)
        _, best = self._weigh(text, spans)
        if label == self.otherwise and spans:
            return best.get(label, spans[0])
        return best.get(label)

    def _weigh(
        self, text: str, spans: Sequence[Region]
    ) -> tuple[dict[Any, float], dict[Any, Region]]:
        """What speaks for each label, and the sentence in which most does."""
        by_sentence: dict[tuple[Any, Region], float] = {}
        totals: dict[Any, float] = dict.fromkeys(self.labels, 0.0)
        for label, cues in self.labels.items():
            for start, end, weight in cues.matches(text):
                span = next((item for item in spans if item[0] <= start < item[1]), None)
                if span is None or end > span[1]:
                    continue
                if start < self.opening:
                    weight *= _OPENING_FACTOR
                said = label
                if cues.flips_to is not None and _NEGATION.search(
                    text[max(span[0], start - 30) : start]
                ):
                    said = cues.flips_to
                totals[said] = totals.get(said, 0.0) + weight
                by_sentence[said, span] = by_sentence.get((said, span), 0.0) + weight
        best: dict[Any, Region] = {}
        for (label, span), _ in sorted(by_sentence.items(), key=lambda item: item[1]):
            best[label] = span
        return totals, best
