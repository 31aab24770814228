"""When an agreement was made, when it takes effect, when it ends.

The specialist looks at the words around each date: those that introduce it ("entered into as of"),
those that name it ("the Effective Date"), and where it stands. For the end of a term that has no
date it answers with the term ("four (4) years from the Effective Date"). The heuristic weighs
nearby words and position alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.normalize.date import find_dates
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans
from assay.units.fallbacks.date_rules import (
    CONTEXT,
    ENDS,
    OF_ANOTHER,
    RULES,
    SIGNED,
    DateKind,
    StartKind,
)
from assay.units.fallbacks.term import find_term_ends

__all__ = ["DateFallback", "DateHeuristic", "DateKind"]


@dataclass(frozen=True, slots=True)
class DateFallback:
    """Finds one of an agreement's dates. The span is the date expression; for an expiry without a
    date, the expression of the term, or the sentence that leaves it open.

    Right means: the span overlaps the passage that sets the date, wherever it stands.
    """

    kind: DateKind
    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        found: list[Candidate] = []
        for start, end in scan_spans(document_text, regions):
            if self.kind == "expiry":
                found.extend(find_term_ends(document_text, start, end))
            else:
                found.extend(_find_by_rules(document_text, self.kind, start, end))
        return rank(found)


def _find_by_rules(text: str, kind: StartKind, start: int, end: int) -> Iterator[Candidate]:
    for mention in find_dates(text[start:end]):
        at, until = start + mention.start, start + mention.end
        before, after = text[max(0, at - CONTEXT) : at], text[until : until + CONTEXT]
        if mention.values[0].startswith("--") or ENDS.introduces(before):
            continue
        score = _score_by_rules(kind, before, after, at, len(text))
        if score is None:
            continue
        if OF_ANOTHER.search(before):
            score = min(score, 0.3)
        if len(mention.values[0]) == 4:
            score -= 0.1  # nothing but a year: the rest was left blank
        # Of several dates introduced alike the first is the agreement's own.
        yield Candidate(at, until, score - 0.04 * at / max(1, len(text)))


def _score_by_rules(kind: StartKind, before: str, after: str, at: int, length: int) -> float | None:
    for rule in RULES[kind]:
        if rule.covers(at, length) and rule.introduces(before) and rule.follows(after):
            return rule.score
    if kind == "agreement" and SIGNED.search(before):
        # The agreement is made when the last party signs: later is likelier.
        return 0.3 + 0.1 * at / max(1, length)
    return None


_WEIGHTS: dict[DateKind, dict[str, float]] = {
    "agreement": {
        "dated": 2,
        "made": 2,
        "entered": 2,
        "agreement": 1,
        "as of": 1,
        "executed": 1,
        "between": 1,
        "签订": 3,
        "签署": 3,
    },
    "effective": {
        "effective": 3,
        "commence": 2,
        "as of": 1,
        "begin": 1,
        "dated": 1,
        "entered": 1,
        "生效": 3,
    },
    "expiry": {
        "expir": 3,
        "terminat": 2,
        "until": 2,
        "through": 2,
        "ending": 2,
        "end": 1,
        "term": 1,
        "届满": 3,
        "到期": 3,
    },
}
_HEURISTIC: dict[DateKind, float] = {"agreement": 0.75, "effective": 0.6, "expiry": 0.35}


@dataclass(frozen=True, slots=True)
class DateHeuristic:
    """Weighs every date by the words within eighty characters of it and by its position: the
    start of the document for the date made and the effective date, no place for the expiry."""

    kind: DateKind
    path: AnswerPath = AnswerPath.HEURISTIC

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        weighed: list[tuple[float, int, int]] = []
        for start, end in scan_spans(document_text, regions):
            for mention in find_dates(document_text[start:end]):
                at, until = start + mention.start, start + mention.end
                weight = self._weigh(document_text, at, until)
                if weight > 0:
                    weighed.append((weight, at, until))
        best = max((weight for weight, _, _ in weighed), default=1.0)
        top = _HEURISTIC[self.kind]
        return rank(Candidate(at, until, top * weight / best) for weight, at, until in weighed)

    def _weigh(self, text: str, start: int, end: int) -> float:
        near = text[max(0, start - 80) : end + 40].lower()
        weight = sum(value for word, value in _WEIGHTS[self.kind].items() if word in near)
        if self.kind == "expiry":
            return weight
        return weight + 4.0 * max(0.0, 1.0 - start / 6_000) if weight else 0.0
