"""How judges compare: spans by the characters they share, texts without case, space and marks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from assay.documents import Document
from assay.evaluation.base import Counts, Finding, Place

Span = tuple[int, int]
Answer = TypeVar("Answer")
Gold = TypeVar("Gold")


def is_placed(place: Place, spans: Iterable[Span], share: float = 0.5) -> bool:
    """Whether a place shares with one of the spans this `share` of the shorter of the two."""
    return any(
        _num_shared((place.start, place.end), span)
        >= share * max(1, min(place.end - place.start, span[1] - span[0]))
        for span in spans
    )


def overlap_f1(places: Iterable[Place], golds: Sequence[Sequence[Span]]) -> float:
    """How well places cover gold passages: the F1 of their characters, 0 to 1.

    Each gold is a list of the spans at which the same words stand: one of them is enough, and
    quoting another of them is no mistake.
    """
    mine = join_spans((place.start, place.end) for place in places)
    length = _length(mine)
    asked = sum(max(end - start for start, end in spans) for spans in golds)
    if not length or not asked:
        return 0.0
    found = sum(max(_num_shared_by(mine, [span]) for span in spans) for spans in golds)
    right = _num_shared_by(mine, join_spans(span for spans in golds for span in spans))
    precision, recall = right / length, found / asked
    return 2 * precision * recall / (precision + recall) if right else 0.0


def join_spans(spans: Iterable[Span]) -> list[Span]:
    """The same characters as spans in order, none touching another."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _num_shared(one: Span, other: Span) -> int:
    return max(0, min(one[1], other[1]) - max(one[0], other[0]))


def _num_shared_by(spans: Sequence[Span], others: Sequence[Span]) -> int:
    return sum(_num_shared(one, other) for one in spans for other in others)


def _length(spans: Sequence[Span]) -> int:
    return sum(end - start for start, end in spans)


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


def quoted_texts(finding: Finding, document: Document, key: str = "text") -> dict[str, list[Place]]:
    """The different texts of a list of texts, or of objects with a text at `key`, squashed, each
    with the places where just that is quoted."""
    items = finding.value if isinstance(finding.value, list) else [finding.value]
    found: dict[str, list[Place]] = {}
    for index, item in enumerate(items):
        is_object = isinstance(item, Mapping)
        text = item.get(key) if isinstance(item, Mapping) else item
        if not text:
            continue
        pointer = f"/{index}" if isinstance(finding.value, list) else ""
        places = finding.at(f"{pointer}/{key}" if is_object else pointer)
        name = squash(str(text))
        found.setdefault(name, []).extend(
            place for place in places if squash(document.text[place.start : place.end]) == name
        )
    return found
