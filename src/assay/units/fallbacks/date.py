"""When an agreement was made, when it takes effect, when it ends.

The specialist looks at the words around each date: those that introduce it ("entered into as of"),
those that name it ("the Effective Date"), and where it stands. For the end of a term that has no
date it answers with the term ("four (4) years from the Effective Date"). The heuristic weighs
nearby words and position alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.normalize.date import find_dates
from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans
from assay.units.fallbacks.date_rules import (
    CONTEXT,
    EFFECTIVE_ON_ITS_DATE,
    EFFECTIVE_WHEN_SIGNED,
    ENDS,
    LABELLED_EFFECTIVE,
    OF_A_RESTRICTION,
    OF_AN_AGREEMENT,
    RULES,
    SALUTATION,
    SIGNED,
    SIGNING_LINE,
    DateKind,
    StartKind,
    is_of_another,
)
from assay.units.fallbacks.term import find_term_ends

__all__ = ["DateFallback", "DateHeuristic", "DateKind"]

# How often the date beside a signature was the agreement's: the last one, and those before it.
_LAST_SIGNED, _SIGNED_BEFORE = 0.7, 0.3
# Set by hand: a label at the beginning or the end says what its date is, one between may stand in
# some exhibit; the day at a letter's head is the letter's.
_LABELLED, _LABELLED_INSIDE, _LETTER_HEAD = 0.9, 0.7, 0.8
# How far down a letter's day may stand, and how far below it the reader is addressed.
_HEAD_OF_LETTER, _TO_SALUTATION = 2_500, 1_200


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
                continue
            by_rules = list(_find_by_rules(document_text, self.kind, start, end))
            if (
                self.kind == "effective"
                and not by_rules
                and EFFECTIVE_ON_ITS_DATE.search(document_text, start, end)
            ):
                by_rules = list(_find_by_rules(document_text, "agreement", start, end))
            found.extend(by_rules)
        return rank(found)


def _find_by_rules(text: str, kind: StartKind, start: int, end: int) -> Iterator[Candidate]:
    if not OF_AN_AGREEMENT.search(text, start, end):
        return
    signed: list[tuple[str, int, int]] = []
    for mention in find_dates(text[start:end]):
        at, until = start + mention.start, start + mention.end
        before, after = text[max(0, at - CONTEXT) : at], text[until : until + CONTEXT]
        if mention.values[0].startswith("--") or ENDS.introduces(before):
            continue
        if OF_A_RESTRICTION.search(before):
            continue
        if kind == "effective" and LABELLED_EFFECTIVE.search(before):
            at_an_end = at < _HEAD_OF_LETTER or at > len(text) - _HEAD_OF_LETTER
            yield Candidate(at, until, _LABELLED if at_an_end else _LABELLED_INSIDE)
            continue
        if kind == "agreement" and _heads_a_letter(text, at, until):
            yield Candidate(at, until, _LETTER_HEAD)
            continue
        if SIGNED.search(before) and SIGNING_LINE.search(before):
            signed.append((mention.values[0], at, until))
            continue
        score = _score_by_rules(kind, before, after, at, len(text))
        if score is None:
            continue
        if is_of_another(before, after):
            score = min(score, 0.3)
        if len(mention.values[0]) == 4:
            score -= 0.1  # nothing but a year: the rest was left blank
        # Of several dates introduced alike the first is the agreement's own.
        yield Candidate(at, until, score - 0.04 * at / max(1, len(text)))
    if kind == "agreement" or EFFECTIVE_WHEN_SIGNED.search(text, start, end):
        yield from _by_signatures(signed)


def _heads_a_letter(text: str, start: int, end: int) -> bool:
    """Whether a date stands on a line of its own above where a letter addresses its reader."""
    if start > _HEAD_OF_LETTER or text[text.rfind("\n", 0, start) + 1 : start].strip():
        return False
    line_end = text.find("\n", end)
    if line_end < 0 or text[end:line_end].strip(" \t."):
        return False
    return SALUTATION.search(text, line_end, line_end + _TO_SALUTATION) is not None


def _by_signatures(signed: Sequence[tuple[str, int, int]]) -> Iterator[Candidate]:
    """An agreement is made when the last party signs."""
    latest = max((date for date, _, _ in signed), default="")
    for date, at, until in signed:
        yield Candidate(at, until, _LAST_SIGNED if date == latest else _SIGNED_BEFORE)


def _score_by_rules(kind: StartKind, before: str, after: str, at: int, length: int) -> float | None:
    for rule in RULES[kind]:
        if rule.covers(at, length) and rule.introduces(before) and rule.follows(after):
            return rule.score
    return None


def _weights(*words: tuple[float, str]) -> tuple[tuple[float, re.Pattern[str]], ...]:
    return tuple((weight, lazy_pattern(pattern, re.IGNORECASE)) for weight, pattern in words)


# The words near a date that speak for it, and what each counts.
_WEIGHTS: dict[DateKind, tuple[tuple[float, re.Pattern[str]], ...]] = {
    "agreement": _weights(
        (2.0, r"\bdated?\b"),
        (2.0, r"\b(?:made|entered\s+into)\b"),
        (2.0, r"\b(?:executed|signed|concluded)\b"),
        (1.0, r"\bas\s+of\b"),
        (3.0, r"签订|签署|订立"),
    ),
    "effective": _weights(
        (3.0, r"\beffective\b|\btakes?\s+effect"),
        (2.0, r"\bcommenc|\bin(?:to)?\s+force\b"),
        (1.0, r"\b(?:as\s+of|begin\w*|dated|entered\s+into)\b"),
        (3.0, r"生效"),
    ),
    "expiry": _weights(
        (3.0, r"\bexpir"),
        (2.0, r"\b(?:until|through|ending|ends?)\b"),
        (2.0, r"\bterminat"),
        (1.0, r"\bterm\b"),
        (3.0, r"届满|到期|有效期|终止"),
    ),
}
_HEURISTIC: dict[DateKind, float] = {"agreement": 0.75, "effective": 0.6, "expiry": 0.35}
# A date counts from this weight on; from the second on it counts in full.
_LEAST, _FULL = 1.0, 6.0
_WORDS_BEFORE, _WORDS_AFTER = 80, 40
# The line that an archive puts under each page: who filed the document, when.
_FILING_STAMP = lazy_pattern(r"(?:\A|\n)\s*(?:Source|Filed|来源)\s*[:：][^\n]*\Z")


@dataclass(frozen=True, slots=True)
class DateHeuristic:
    """Weighs every date of an agreement by the words near it and by its position: the start of
    the document for the date made and the effective date, no place for the expiry. A date with no
    such word near is none."""

    kind: DateKind
    path: AnswerPath = AnswerPath.HEURISTIC

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        found: list[Candidate] = []
        for start, end in scan_spans(document_text, regions):
            if not OF_AN_AGREEMENT.search(document_text, start, end):
                continue
            for mention in find_dates(document_text[start:end]):
                at, until = start + mention.start, start + mention.end
                if _FILING_STAMP.search(document_text, max(0, at - CONTEXT), at):
                    continue
                weight = self._weigh(document_text, at, until)
                if weight >= _LEAST:
                    found.append(Candidate(at, until, self._score(weight)))
        return rank(found)

    def _weigh(self, text: str, start: int, end: int) -> float:
        near = text[max(0, start - _WORDS_BEFORE) : end + _WORDS_AFTER]
        weight = sum(value for value, word in _WEIGHTS[self.kind] if word.search(near))
        if self.kind == "expiry":
            return 2.0 * weight
        return weight + 4.0 * max(0.0, 1.0 - start / 6_000) if weight else 0.0

    def _score(self, weight: float) -> float:
        """Falls with the weight, and goes on rising a little above `_FULL` so that ties are few."""
        return _HEURISTIC[self.kind] * (min(1.0, weight / _FULL) + min(weight, 20.0) / 1_000)
