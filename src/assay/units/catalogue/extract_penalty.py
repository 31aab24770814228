"""Penalty clauses: their number, amount and currency, and what each is for."""

from typing import Annotated, Any

from pydantic import BaseModel

from assay.units.fallbacks.penalty import (
    Currency,
    PenaltyFallback,
    PenaltyHeuristic,
    show_currency,
)
from assay.units.fallbacks.penalty_triggers import Trigger, show_trigger
from assay.units.fields import Verbatim
from assay.units.shown import ShownBy
from assay.units.unit import Question, Unit


class Penalty(BaseModel):
    """A penalty as the clause sets it: `amount` as written ("10%", "EUR 5,000"), `currency` an
    ISO 4217 code, `trigger` what it is for."""

    id: Verbatim | None = None
    amount: Verbatim | None = None
    currency: Annotated[Currency, ShownBy(show_currency)] | None = None
    trigger: list[Annotated[Trigger, ShownBy(show_trigger)]]


def _has_an_amount(value: Any, _quotes: tuple[str, ...]) -> str | None:
    """Every penalty costs something: a figure, or a number in Chinese."""
    for item in value or ():
        amount = item.get("amount") or ""
        if not any(char.isdigit() or char in "一二三四五六七八九十百千万" for char in amount):
            return "a penalty without an amount"
    return None


class Penalties(BaseModel):
    clauses: Annotated[
        list[Penalty] | None,
        Question(
            "Which penalties or liquidated damages are set: clause number, amount, currency, "
            "and for what?",
            text_zh="约定了哪些违约金：条款编号、金额、币种和触发情形？",
            keywords={
                "liquidated damages": 2.5,
                "penalty": 2.0,
                "per day of delay": 1.5,
                "late payment": 1.0,
                "breach": 1.0,
                "违约金": 2.5,
                "滞纳金": 2.0,
            },
            num_segments=2,
            max_items=3,
            max_tokens=320,
            validators=(_has_an_amount,),
            fallbacks=(PenaltyFallback(), PenaltyHeuristic()),
        ),
    ] = None


UNIT = Unit(
    name="extract_penalty",
    summary="Penalty clauses: number, amount, currency, and what each is for.",
    output=Penalties,
    triggers=("penalties", "penalty clause", "liquidated damages", "late fee", "违约金", "滞纳金"),
)
