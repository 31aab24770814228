"""The sparse pattern descriptor: what a request or a segment is about, in five numbers.

| dimension | in a request: asks for or about | in a segment: holds |
|---|---|---|
| numeric | amounts, rates, counts, limits | sums of money, percentages, numbers |
| clause | rules, rights, duties, statements about them | a rule, right or duty |
| sentiment | feelings, tone, complaints | words of feeling or complaint |
| temporal | dates, periods, deadlines | dates and periods |
| entity | parties, places, numbers that name something | names, addresses, identifiers |
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Self

DIMENSIONS = ("numeric", "clause", "sentiment", "temporal", "entity")


@dataclass(frozen=True, slots=True)
class Descriptor:
    """The probability of each dimension."""

    numeric: float = 0.0
    clause: float = 0.0
    sentiment: float = 0.0
    temporal: float = 0.0
    entity: float = 0.0

    @classmethod
    def of(cls, values: Mapping[str, float]) -> Self:
        return cls(**{name: float(value) for name, value in values.items()})

    @property
    def active(self) -> tuple[str, ...]:
        """The dimensions that are more likely than not."""
        return tuple(name for name, value in self.as_json().items() if value >= 0.5)

    def as_json(self) -> dict[str, float]:
        return {
            name: round(value, 4) for name, value in zip(DIMENSIONS, astuple(self), strict=True)
        }

    def overlap(self, other: Descriptor) -> float:
        """How much of what this one asks the other has: the mean of the other's probabilities,
        weighted by this one's; 0 where this one asks nothing."""
        mine, theirs = astuple(self), astuple(other)
        total = sum(mine)
        return (
            sum(a * b for a, b in zip(mine, theirs, strict=True)) / total if total > 1e-9 else 0.0
        )
