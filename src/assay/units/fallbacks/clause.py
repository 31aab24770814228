"""The sentences of a clause: those that grant, forbid or set something, not a heading, a line of a
table of contents or a reference from elsewhere.

The specialist weighs each sentence by the cues of `clause_cues`, the heading it stands under and,
for the kinds and the language that lawyers labelled, by a trained model. The heuristic counts the
kind's plain words and gives nothing for how a sentence is built.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank
from assay.units.fallbacks.clause_cues import CUES, ClauseKind
from assay.units.fallbacks.clause_features import HAN, SentenceFeatures, read_features
from assay.units.fallbacks.clause_model import ClauseModel, chosen, shipped_model
from assay.units.fallbacks.clause_words import PLAIN_WORDS, PRECISION
from assay.units.fallbacks.cues import Weighed, examine_sentences

__all__ = ["ClauseFallback", "ClauseHeuristic", "ClauseKind"]

# From a sentence's weight to the share of right answers, for what no model was trained on: read by
# hand on contracts in both languages. 0: too rarely right to be an answer.
_STEPS = (2.0, 3.0, 4.0, 5.0, 6.0)
_COMMON = (0.0, 0.3, 0.6, 0.75, 0.85)
_SCORES: dict[ClauseKind, tuple[float, ...]] = {
    "governing_law": (0.3, 0.4, 0.85, 0.92, 0.95),
    "termination": (0.4, 0.5, 0.6, 0.7, 0.8),
    "confidentiality": (0.35, 0.55, 0.75, 0.88, 0.92),
    "assignment": (0.0, 0.3, 0.6, 0.75, 0.92),
    "liability_cap": (0.0, 0.3, 0.55, 0.75, 0.88),
    "liquidated_damages": (0.3, 0.45, 0.65, 0.75, 0.8),
    "force_majeure": (0.4, 0.65, 0.8, 0.88, 0.92),
    "renewal": (0.0, 0.3, 0.5, 0.7, 0.9),
}
# Of sentences known by their cues alone, those far below the best are seldom meant.
_FAR_BELOW = 2.0
_CLEAR, _STRONGLY_AGAINST = 4.0, -3.0
# "Governed by the law of" is clear by itself, wherever it stands.
_CLEAR_BY_KIND: dict[ClauseKind, float] = {"governing_law": 3.0}
# A model must be as sure as this of a sentence that a cue speaks strongly against.
_LIKELY = 0.65


@dataclass(frozen=True, slots=True)
class ClauseFallback:
    """Finds the sentences of one kind of clause, the most clearly operative first.

    Right means: the sentence overlaps the clause, wherever the document states it.
    """

    kind: ClauseKind
    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        features = read_features(document_text, CUES[self.kind], regions)
        model = shipped_model(self.kind)
        judged = [item for item in features if model and not item.is_han]
        by_cues = [item for item in features if not model or item.is_han]
        found = list(self._find_by_cues(by_cues))
        if model:
            found.extend(self._find_by_model(model, judged))
        return rank(found)

    def _find_by_model(
        self, model: ClauseModel, features: Sequence[SentenceFeatures]
    ) -> Sequence[Candidate]:
        judged = [(model.probability(self.kind, item), item) for item in features]
        judged = [
            (likely, item)
            for likely, item in judged
            if likely >= _LIKELY or not _is_denied(self.kind, item.hits)
        ]
        return [Candidate(*item.span, likely) for likely, item in chosen(judged)]

    def _find_by_cues(self, features: Sequence[SentenceFeatures]) -> Iterator[Candidate]:
        best = max((item.weight for item in features), default=0.0)
        for item in features:
            score = precision_by_cues(self.kind, item.weight)
            if score and item.weight >= best - _FAR_BELOW:
                yield Candidate(*item.span, score)


def precision_by_cues(kind: ClauseKind, weight: float) -> float:
    """How often a sentence that weighs so much by its cues was right; 0 if too rarely to be an
    answer. Rises a little with the weight, so that ties are few."""
    step = bisect_right(_STEPS, weight)
    score = _SCORES.get(kind, _COMMON)[step - 1] if step else 0.0
    return score + min(weight, 12.0) / 1_000 if score else 0.0


def _is_denied(kind: ClauseKind, hits: Sequence[bool]) -> bool:
    """Whether a cue speaks strongly against a sentence, as "no licence is granted" does."""
    return any(
        hit and value <= _STRONGLY_AGAINST
        for (value, _), hit in zip(CUES[kind].cues, hits, strict=True)
    )


def _is_clear(kind: ClauseKind, item: Weighed) -> bool:
    """Whether the cues alone speak clearly for a sentence and none of them speaks strongly against
    it: of those that a trained model passed over, hardly any other was a clause."""
    return item.weight >= _CLEAR_BY_KIND.get(kind, _CLEAR) and not _is_denied(kind, item.hits)


@dataclass(frozen=True, slots=True)
class ClauseHeuristic:
    """Counts the kind's words in each sentence, against its length, and favours the second half
    of the document, where most of these clauses stand. Gives the best few. Where a trained model
    has judged the sentences as well, only those that are clear by their cues come in question."""

    kind: ClauseKind
    path: AnswerPath = AnswerPath.HEURISTIC
    num_best: int = 2

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        words = PLAIN_WORDS[self.kind]
        is_judged = shipped_model(self.kind) is not None
        length = max(1, len(document_text))
        weighed: list[tuple[float, Region]] = []
        for item in examine_sentences(document_text, CUES[self.kind], regions):
            span = item.span
            if (
                is_judged
                and not HAN.search(document_text, *span)
                and not _is_clear(self.kind, item)
            ):
                continue
            sentence = document_text[span[0] : span[1]].lower()
            hits = sum(1 for word in words if word in sentence)
            if hits >= 2:
                brevity = 1.0 / (1.0 + len(sentence) / 1_000)
                weighed.append((hits + 0.5 * brevity + 0.5 * span[0] / length, span))
        best, top = max((weight for weight, _ in weighed), default=1.0), PRECISION[self.kind]
        found = rank(Candidate(*span, top * weight / best) for weight, span in weighed)
        return found[: self.num_best]
