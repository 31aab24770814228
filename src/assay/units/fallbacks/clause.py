"""The operative sentence of a clause: one that grants, forbids or sets something, not a heading, a
line of a table of contents or a reference from elsewhere.

The specialist weighs each sentence by the cues of `clause_cues.py` and by the heading it stands
under. The heuristic counts the kind's plain words and gives nothing for how a sentence is built.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans
from assay.units.fallbacks.clause_cues import CUES, ClauseKind
from assay.units.fallbacks.sentences import sentence_spans

__all__ = ["ClauseFallback", "ClauseHeuristic", "ClauseKind"]

_OPERATIVE = re.compile(
    r"\b(?:shall|will|may|must|can(?:not)?|is|are|agrees?|hereby|has|have|waives?|undertakes?)\b"
    r"|[应须可得将]|有权|适用|承担|支付",
    re.IGNORECASE,
)
_CONTENTS = re.compile(r"\.{4,}|(?:\.\s){4,}|\bTABLE\s+OF\s+CONTENTS\b|\s\d{1,3}\s+\d{1,2}\.\d|\s\d{1,3}\s*\n\s*\d{1,2}\.")
_MIN_LENGTH, _MIN_LENGTH_HAN, _MAX_LENGTH = 40, 8, 4_000
_HEADING_REACH = 90
# From a sentence's weight to the measured share of right answers.
_STEPS = (2.0, 3.0, 4.0, 5.0, 6.0)
_SCORES: dict[ClauseKind, tuple[float, ...]] = {
    "governing_law": (0.5, 0.7, 0.85, 0.95, 0.95),
    "termination": (0.3, 0.4, 0.5, 0.6, 0.7),
    "confidentiality": (0.4, 0.5, 0.6, 0.7, 0.8),
    "assignment": (0.4, 0.5, 0.7, 0.8, 0.9),
    "liability_cap": (0.4, 0.5, 0.6, 0.7, 0.9),
    "liquidated_damages": (0.4, 0.6, 0.7, 0.8, 0.8),
    "force_majeure": (0.4, 0.6, 0.8, 0.9, 0.9),
    "renewal": (0.3, 0.4, 0.6, 0.8, 0.9),
}


@dataclass(frozen=True, slots=True)
class ClauseFallback:
    """Finds the sentences of one kind of clause, the most clearly operative first.

    Right means: the sentence overlaps the clause, wherever the document states it.
    """

    kind: ClauseKind
    path: AnswerPath = AnswerPath.SPECIALIST

    def find(self, document_text: str, regions: Sequence[Region] | None = None) -> Sequence[Candidate]:
        cues = CUES[self.kind]
        found = []
        for start, end in _sentences_with(document_text, cues.trigger, regions):
            sentence = document_text[start:end]
            weight = sum(value for value, cue in cues.cues if cue.search(sentence))
            if weight <= 0:
                continue
            heading = document_text[max(0, start - _HEADING_REACH) : start + 40]
            if cues.heading.search(heading):
                weight += 1.0
            step = bisect_right(_STEPS, weight)
            if step:
                score = _SCORES[self.kind][step - 1]
                found.append(Candidate(start, end, score + min(weight, 12.0) / 1_000))
        return rank(found)


_PLAIN_WORDS: dict[ClauseKind, tuple[str, ...]] = {
    "governing_law": ("governed", "laws of", "law", "construed", "jurisdiction", "法律", "管辖"),
    "termination": ("terminate", "terminated", "notice", "at any time", "either party", "解除", "终止"),
    "confidentiality": ("confidential", "disclose", "third party", "proprietary", "保密", "披露"),
    "assignment": ("assign", "transfer", "consent", "neither party", "rights", "转让", "同意"),
    "liability_cap": ("liable", "liability", "damages", "exceed", "consequential", "责任", "赔偿"),
    "liquidated_damages": ("liquidated damages", "penalty", "late", "delay", "违约金", "滞纳金"),
    "force_majeure": ("force majeure", "control", "act of god", "delay", "不可抗力"),
    "renewal": ("renew", "renewal", "automatically", "successive", "term", "extend", "续"),
}
_HEURISTIC = 0.4


@dataclass(frozen=True, slots=True)
class ClauseHeuristic:
    """Counts the kind's words in each sentence, against its length, and favours the second half
    of the document, where most of these clauses stand."""

    kind: ClauseKind
    path: AnswerPath = AnswerPath.HEURISTIC

    def find(self, document_text: str, regions: Sequence[Region] | None = None) -> Sequence[Candidate]:
        words = _PLAIN_WORDS[self.kind]
        length = max(1, len(document_text))
        weighed: list[tuple[float, Region]] = []
        for span in _sentences_with(document_text, CUES[self.kind].trigger, regions):
            sentence = document_text[span[0] : span[1]].lower()
            hits = sum(1 for word in words if word in sentence)
            if hits >= 2:
                brevity = 1.0 / (1.0 + len(sentence) / 1_000)
                weighed.append((hits + 0.5 * brevity + 0.5 * span[0] / length, span))
        best = max((weight for weight, _ in weighed), default=1.0)
        return rank(Candidate(*span, _HEURISTIC * weight / best) for weight, span in weighed)


def _sentences_with(
    text: str, trigger: re.Pattern[str], regions: Sequence[Region] | None
) -> Iterator[Region]:
    """The sentences that hold the trigger and can be operative, each once, in order."""
    for region in scan_spans(text, regions):
        spans = sentence_spans(text, *region)
        last = -1
        for match in trigger.finditer(text, *region):
            index = bisect_right(spans, match.start(), key=lambda span: span[0]) - 1
            if index <= last:
                continue
            last = index
            start, end = spans[index]
            sentence = text[start:end]
            shortest = _MIN_LENGTH if sentence.isascii() or "\u4e00" > max(sentence) else _MIN_LENGTH_HAN
            if not shortest <= len(sentence) <= _MAX_LENGTH:
                continue
            if _OPERATIVE.search(sentence) and not _CONTENTS.search(sentence):
                yield start, end
