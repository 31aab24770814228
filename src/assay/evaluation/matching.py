"""How judges compare: spans by the characters they share, texts without case, space and marks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from assay.evaluation.base import Counts, Place

Span = tuple[int, int]
Answer = TypeVar("Answer")
Gold = TypeVar("Gold")


def overlaps(place: Place, spans: Iterable[Span]) -> bool:
    """Whether a place shares a character with one of the spans."""
    return any(place.start < end and start < place.end for start, end in spans)


def overlap_f1(mine: Span, gold: Span) -> float:
    """Twice the characters shared by two spans, by the characters of both."""
    shared = min(mine[1], gold[1]) - max(mine[0], gold[0])
    return 2 * max(0, shared) / max(1, mine[1] - mine[0] + gold[1] - gold[0])


def occurrences(text: str, wanted: str) -> list[Span]:
    """Every place where `wanted` stands in `text`, whatever the white space between its words."""
    words = wanted.split()
    if not words:
        return []
    pattern = r"\s*".join(map(re.escape, words))
    return [match.span() for match in re.finditer(pattern, text)]


def squash(text: str) -> str:
    """The letters and digits of a text, in compatible form (NFKC) and without case."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text)).casefold()


def pair_up(
    answers: Sequence[Answer], golds: Sequence[Gold], is_right: Callable[[Answer, Gold], bool]
) -> Counts:
    """Counts with as many answers as possible each paired with a gold of its own."""
    taken: dict[int, int] = {}

    def find_room(answer: int, tried: set[int]) -> bool:
        for number, gold in enumerate(golds):
            if number in tried or not is_right(answers[answer], gold):
                continue
            tried.add(number)
            if number not in taken or find_room(taken[number], tried):
                taken[number] = answer
                return True
        return False

    num_right = sum(find_room(answer, set()) for answer in range(len(answers)))
    return Counts(num_right, len(answers), len(golds))
