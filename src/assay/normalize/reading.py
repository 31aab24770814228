"""What a normaliser answers: the values a text may mean.

Ambiguity is an answer. A reader never picks between readings that the text leaves open: it returns
them all, the more usual first, and leaves the choice to whoever knows more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from assay.patterns import lazy_pattern

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Mention(Generic[T]):
    """A stretch `text[start:end]` that states a value. Several `values`: the readings left open."""

    start: int
    end: int
    values: tuple[T, ...]


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """The values a text may state: none (not understood), one (decided) or several (candidates)."""

    values: tuple[T, ...] = ()

    @property
    def understood(self) -> bool:
        return bool(self.values)

    @property
    def value(self) -> T | None:
        """The value, if the text decides it."""
        return self.values[0] if len(self.values) == 1 else None


def distinct(values: Iterable[T]) -> tuple[T, ...]:
    """The values without repeats, in order."""
    kept: list[T] = []
    for value in values:
        if value not in kept:
            kept.append(value)
    return tuple(kept)


def read_mentions(mentions: Sequence[Mention[T]]) -> Reading[T]:
    """All values that the mentions of one text state."""
    return Reading(distinct(value for mention in mentions for value in mention.values))


_WIDE = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {
    0x3000: " ",
    0x2212: "-",
    0x2013: "-",
    0x2010: "-",
    0x2011: "-",
    0x2019: "'",
    0x00A0: " ",
    0x202F: " ",
    0x2009: " ",
    0x3002: ".",
    0x066B: ".",
    0x066C: ",",
}


_LIST_COMMA = lazy_pattern(r"(?<![０-９])，|，(?![０-９])")


def narrow(text: str) -> str:
    """Full-width forms, odd dashes and odd spaces as their ASCII twins; no offset moves. A
    full-width comma parts numbers, unless it stands between full-width digits."""
    if "，" in text:
        text = _LIST_COMMA.sub("、", text)
    return text.translate(_WIDE)
