"""An amount of money, as a value, and as it is put together from its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from assay.normalize.reading import Mention


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in `currency` (ISO 4217). Where the text leaves the currency open, `currency` is
    None and `currency_candidates` holds the possible ones; where it names none, that is empty.
    `mark` is what the text says the currency with."""

    amount: Decimal
    currency: str | None = None
    currency_candidates: tuple[str, ...] = ()
    mark: str = field(default="", compare=False)

    @property
    def codes(self) -> tuple[str, ...]:
        """The currencies that it may be in."""
        return (self.currency,) if self.currency else self.currency_candidates

    def as_json(self) -> dict[str, Any]:
        return {
            "amount": format(self.amount, "f"),
            "currency": self.currency,
            "currency_candidates": list(self.currency_candidates),
        }


@dataclass(frozen=True, slots=True)
class Priced:
    """An amount found, and the smallest part of its currency that it was given in: 1, or 0.01 for
    cents."""

    mention: Mention[Money]
    part: Decimal


def money_of(amount: Decimal, codes: Sequence[str], mark: str) -> Money:
    """An amount in one of the currencies."""
    if len(codes) == 1:
        return Money(amount, codes[0], mark=mark)
    return Money(amount, None, tuple(codes), mark)
