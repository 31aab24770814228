"""The types a unit's output is made of.

A model only ever copies: every leaf is a span of the document. What follows from the span (an ISO
date, an amount, a currency code) is computed by `assay.normalize`, never generated.

- `Verbatim`: a string copied word by word.
- `Clause`: a string copied sentence by sentence.
- `Grounded` subclasses (`Date`, `Money`, `Percentage`, `Period`, `Number`, `Identifier`): a span
  that reads as that kind of value, with its normalised form beside it.
- `Literal`, `bool`, lists of the above, pydantic models of the above, and `X | None`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict

from assay.normalize import date as dates
from assay.normalize import identifier as identifiers
from assay.normalize import money as moneys
from assay.normalize import number as numbers
from assay.normalize import percentage as percentages
from assay.normalize import period as periods
from assay.normalize.currencies import named_currencies
from assay.normalize.reading import Mention

Granularity = Literal["char", "word", "sentence"]


@dataclass(frozen=True, slots=True)
class CopiedFrom:
    """Marks a `str` as a span of the document, cut at this granularity."""

    granularity: Granularity


Verbatim = Annotated[str, CopiedFrom("word")]
Clause = Annotated[str, CopiedFrom("sentence")]


class Grounded(BaseModel, ABC):
    """A span of the document that reads as one kind of value.

    Subclasses say what reads (`readings`) and where such spans stand in a text (`find`). Several
    readings of one span make the answer ambiguous; none makes it invalid.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    #: What the kind is called in an error or a prompt.
    kind: ClassVar[str] = "value"

    text: Verbatim

    @classmethod
    @abstractmethod
    def readings(cls, text: str) -> tuple[Self, ...]:
        """The values that `text` may stand for; empty if it does not read as this kind."""

    @classmethod
    def settle(cls, readings: tuple[Self, ...], document_text: str) -> tuple[Self, ...]:  # noqa: ARG003
        """Those of several readings that the rest of the document leaves open."""
        return readings

    @classmethod
    @abstractmethod
    def find(cls, text: str) -> Iterable[tuple[int, int]]:
        """The spans of `text` that read as this kind, in order, not overlapping."""


def spans_of(mentions: Iterable[Mention[Any]]) -> list[tuple[int, int]]:
    """Where mentions stand."""
    return [(mention.start, mention.end) for mention in mentions]


class Date(Grounded):
    """A calendar date; `iso` is `YYYY-MM-DD`. What the text leaves open is left out: `YYYY-MM`,
    `YYYY`, and `--MM-DD` for a day without its year."""

    kind = "date"
    iso: str | None = None

    @classmethod
    def readings(cls, text: str) -> tuple[Self, ...]:
        return tuple(cls(text=text, iso=value) for value in dates.read_date(text).values)

    @classmethod
    def find(cls, text: str) -> Iterable[tuple[int, int]]:
        return spans_of(dates.find_dates(text))


class Period(Grounded):
    """A length of time; `duration` is ISO 8601 (`P30D`), None if `perpetual`. `business_days` says
    that its days are working days."""

    kind = "period"
    duration: str | None = None
    perpetual: bool = False
    business_days: bool = False

    @classmethod
    def readings(cls, text: str) -> tuple[Self, ...]:
        return tuple(
            cls(
                text=text,
                duration=value.duration,
                perpetual=value.perpetual,
                business_days=value.business_days,
            )
            for value in periods.read_period(text).values
        )

    @classmethod
    def find(cls, text: str) -> Iterable[tuple[int, int]]:
        return spans_of(periods.find_periods(text))


class Money(Grounded):
    """An amount of money; `amount` is a decimal string, `currency` an ISO 4217 code."""

    kind = "amount of money"
    amount: str | None = None
    currency: str | None = None

    @classmethod
    def readings(cls, text: str) -> tuple[Self, ...]:
        return tuple(
            cls(text=text, amount=format(value.amount, "f"), currency=code)
            for value in moneys.read_money(text).values
            for code in (value.currency_candidates or (value.currency,))
        )

    @classmethod
    def settle(cls, readings: tuple[Self, ...], document_text: str) -> tuple[Self, ...]:
        """ "$" is the one of its currencies that the document names elsewhere, if it names one."""
        named = named_currencies(document_text)
        kept = tuple(item for item in readings if item.currency in named)
        return kept if len({item.currency for item in kept}) == 1 else readings

    @classmethod
    def find(cls, text: str) -> Iterable[tuple[int, int]]:
        return spans_of(moneys.find_money(text))


class Percentage(Grounded):
    """A share in percent; `percent` is a decimal string ("1.5" for 1.5%)."""

    kind = "percentage"
    percent: str | None = None

    @classmethod
    def readings(cls, text: str) -> tuple[Self, ...]:
        return tuple(
            cls(text=text, percent=format(value, "f"))
            for value in percentages.read_percentage(text).values
        )

    @classmethod
    def find(cls, text: str) -> Iterable[tuple[int, int]]:
        return spans_of(percentages.find_percentages(text))


class Number(Grounded):
    """A number; `number` is a decimal string."""

    kind = "number"
    number: str | None = None

    @classmethod
    def readings(cls, text: str) -> tuple[Self, ...]:
        return tuple(
            cls(text=text, number=format(value, "f")) for value in numbers.read_number(text).values
        )

    @classmethod
    def find(cls, text: str) -> Iterable[tuple[int, int]]:
        return spans_of(numbers.find_numbers(text))


class Identifier(Grounded):
    """An identifier of an account, a company, a security or a person. `scheme` is what it is
    ("iban", "lei", "isin", "vat", "credit_code", "resident_id"), `value` it without spaces;
    `valid` says whether its check digits are right, None where none are known."""

    kind = "identifier"
    scheme: str | None = None
    value: str | None = None
    valid: bool | None = None

    @classmethod
    def readings(cls, text: str) -> tuple[Self, ...]:
        return tuple(
            cls(text=text, scheme=item.kind, value=item.value, valid=item.valid)
            for item in identifiers.identify(text)
        )

    @classmethod
    def find(cls, text: str) -> Iterable[tuple[int, int]]:
        return spans_of(identifiers.find_identifiers(text))
