"""What a fallback is: deterministic rules that find a field's value when the model did not.

A fallback answers with spans of the document, never with text of its own, so that what it says is
grounded like everything else. It holds no state between calls and may be shared between threads.
Every fallback runs in time linear in the length of the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from assay.types import AnswerPath

Region = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A span that may be the answer: `document_text[start:end]`, in code points, end exclusive.

    `score` (0 to 1) is how often such a span was right when the rule that found it was measured.
    `parts` are named spans that belong to the answer, such as a party's role; they need not lie
    inside the span. `labels` are what leaves that are not copied say (a `Literal`, a `bool`), by
    the name of the field, "" for a value that is itself a label; their evidence is the part of that
    name, or the span.
    """

    start: int
    end: int
    score: float
    parts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    labels: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a leaf of a value stands in the document (code points, end exclusive); `pointer` is
    the leaf's JSON pointer within the field's value."""

    pointer: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Draft:
    """A whole answer to a field, as a model would have written it: copied leaves are the text that
    stands where `standings` say. `score` is as a candidate's."""

    value: Any
    standings: tuple[Standing, ...]
    score: float


class Fallback(Protocol):
    """One step of a fallback chain.

    `path` is SPECIALIST for rules that understand the construction they match, HEURISTIC for
    weighted words and positions.
    """

    @property
    def path(self) -> AnswerPath: ...

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        """The candidates that lie wholly inside one of `regions` (None: the whole text), best
        first, no two with the same span. Empty when the rules find nothing."""
        ...


@runtime_checkable
class DraftFallback(Protocol):
    """A step that writes the answer itself, where spans alone do not say it: lists within objects,
    or an answer that depends on the unit's `arguments`."""

    @property
    def path(self) -> AnswerPath: ...

    def draft(self, document_text: str, arguments: Mapping[str, Any], /) -> Draft | None:
        """The answer; None when the rules find nothing."""
        ...


def scan_spans(document_text: str, regions: Sequence[Region] | None) -> tuple[Region, ...]:
    """The parts of the text to look at: `regions` sorted, clipped to the text, overlapping ones
    joined; the whole text for None."""
    if regions is None:
        return ((0, len(document_text)),)
    joined: list[Region] = []
    for start, end in sorted(regions):
        start, end = max(start, 0), min(end, len(document_text))
        if start >= end:
            continue
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined)


def rank(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Best first (ties in document order), one per span."""
    best: dict[Region, Candidate] = {}
    for item in candidates:
        kept = best.get((item.start, item.end))
        if kept is None or item.score > kept.score:
            best[(item.start, item.end)] = item
    return tuple(sorted(best.values(), key=lambda item: (-item.score, item.start, item.end)))
