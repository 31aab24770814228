"""The operative sentence of a clause: one that grants, forbids or sets something, not a heading, a
line of a table of contents or a reference from elsewhere.

The specialist weighs each sentence by the cues of `clause_cues.py` and by the heading it stands
under. The heuristic counts the kind's plain words and gives nothing for how a sentence is built.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank
from assay.units.fallbacks.clause_cues import CUES, ClauseKind
from assay.units.fallbacks.cues import sentences_with, weigh_sentences

__all__ = ["ClauseFallback", "ClauseHeuristic", "ClauseKind"]

# From a sentence's weight to the share of right answers on contracts read by lawyers (or, for the
# kinds they did not mark, read by hand). 0: too rarely right to be an answer.
_STEPS = (2.0, 3.0, 4.0, 5.0, 6.0)
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
        found = []
        for weight, span in weigh_sentences(document_text, CUES[self.kind], regions):
            step = bisect_right(_STEPS, weight)
            if step and (score := _SCORES[self.kind][step - 1]):
                found.append(Candidate(*span, score + min(weight, 12.0) / 1_000))
        return rank(found)


_PLAIN_WORDS: dict[ClauseKind, tuple[str, ...]] = {
    "governing_law": ("governed", "laws of", "law", "construed", "jurisdiction", "法律", "管辖"),
    "termination": (
        "terminate",
        "terminated",
        "notice",
        "at any time",
        "either party",
        "解除",
        "终止",
    ),
    "confidentiality": ("confidential info", "confidence", "disclos", "third part", "保密", "披露"),
    "assignment": ("assign", "transfer", "consent", "neither party", "rights", "转让", "同意"),
    "liability_cap": ("liable", "liability", "damages", "exceed", "consequential", "责任", "赔偿"),
    "liquidated_damages": ("liquidated damages", "penalty", "late", "delay", "违约金", "滞纳金"),
    "force_majeure": ("force majeure", "control", "act of god", "delay", "不可抗力"),
    "renewal": ("renew", "renewal", "automatically", "successive", "term", "extend", "续"),
}
_HEURISTIC: dict[ClauseKind, float] = {
    "governing_law": 0.8,
    "termination": 0.35,
    "confidentiality": 0.45,
    "assignment": 0.75,
    "liability_cap": 0.7,
    "liquidated_damages": 0.4,
    "force_majeure": 0.5,
    "renewal": 0.35,
}


@dataclass(frozen=True, slots=True)
class ClauseHeuristic:
    """Counts the kind's words in each sentence, against its length, and favours the second half
    of the document, where most of these clauses stand."""

    kind: ClauseKind
    path: AnswerPath = AnswerPath.HEURISTIC

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        words = _PLAIN_WORDS[self.kind]
        length = max(1, len(document_text))
        weighed: list[tuple[float, Region]] = []
        for span in sentences_with(document_text, CUES[self.kind].trigger, regions):
            sentence = document_text[span[0] : span[1]].lower()
            hits = sum(1 for word in words if word in sentence)
            if hits >= 2:
                brevity = 1.0 / (1.0 + len(sentence) / 1_000)
                weighed.append((hits + 0.5 * brevity + 0.5 * span[0] / length, span))
        best, top = max((weight for weight, _ in weighed), default=1.0), _HEURISTIC[self.kind]
        return rank(Candidate(*span, top * weight / best) for weight, span in weighed)
