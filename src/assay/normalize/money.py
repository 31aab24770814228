"""Amounts of money: an exact amount, and a currency or the currencies that it may be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from assay.normalize.currencies import AFTER, BEFORE, HUNDREDTH, currencies_of
from assay.normalize.number import find_numbers, join_restated
from assay.normalize.reading import Mention, Reading, distinct, narrow, read_mentions

_REACH = 24
_MARK_AS_PREFIX = re.compile(r"[A-Za-z.]*\Z")


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in `currency` (ISO 4217). Where the text leaves the currency open, `currency` is
    None and `currency_candidates` holds the possible ones; where it names none, that is empty."""

    amount: Decimal
    currency: str | None = None
    currency_candidates: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "amount": format(self.amount, "f"),
            "currency": self.currency,
            "currency_candidates": list(self.currency_candidates),
        }


def find_money(text: str) -> tuple[Mention[Money], ...]:
    """The amounts with a currency mark beside them, in order, without overlaps. Words and figures
    that state the same amount ("Ten Dollars ($10)") are one mention."""
    plain = narrow(text)
    found: list[Mention[Money]] = []
    for number in find_numbers(plain):
        mention = _with_currency(plain, number)
        if mention is not None and (not found or mention.start >= found[-1].end):
            found.append(mention)
    return _join_restated(plain, found)


def read_money(text: str) -> Reading[Money]:
    """All amounts that the text states. A text that holds figures but no currency mark is read as
    an amount in no stated currency."""
    found = find_money(text)
    if not found:
        bare = find_numbers(text)
        return Reading(distinct(Money(value) for item in bare for value in item.values))
    return read_mentions(found)


def _with_currency(text: str, number: Mention[Decimal]) -> Mention[Money] | None:
    start, end = number.start, number.end
    values = number.values
    before = BEFORE.search(text[max(0, start - _REACH) : start])
    after = AFTER.match(text, end, min(len(text), end + _REACH))
    sign_at = start
    if before is None and text[start] in "-(" and start + 1 < end:
        # "-$5" reads its sign before the mark; "(5)" never has one inside.
        before = None
    codes: tuple[str, ...] = ()
    if before is not None:
        sign_at = start - (len(text[max(0, start - _REACH) : start]) - before.start())
        codes = currencies_of(before["mark"])
    if after is not None:
        marks = after["mark"] or after["cents"]
        named = currencies_of(marks)
        both = tuple(code for code in codes if code in named)
        if not codes or both:
            codes, end = both or named, after.end()
            if after["cents"] and before is None:
                values = tuple(value * HUNDREDTH for value in values)
    if not codes:
        return None
    if len(values) > 1:
        # Three decimals are rare in money: a lone dot before three digits groups, if that is open.
        values = values[::-1]
    if (
        sign_at > 0
        and before is not None
        and text[sign_at - 1] == "-"
        and not text[: sign_at - 1].rstrip()[-1:].isalnum()
    ):
        sign_at, values = sign_at - 1, tuple(-value for value in values)
    return Mention(sign_at, end, tuple(_money(value, codes) for value in values))


def _money(amount: Decimal, codes: Sequence[str]) -> Money:
    if len(codes) == 1:
        return Money(amount, codes[0])
    return Money(amount, None, tuple(codes))


def _join_restated(text: str, mentions: Sequence[Mention[Money]]) -> tuple[Mention[Money], ...]:
    """As for numbers, but two statements of one amount pool what they say of its currency."""
    narrowed: list[Mention[Money]] = []
    for index, mention in enumerate(mentions):
        near = [mentions[i] for i in (index - 1, index + 1) if 0 <= i < len(mentions)]
        values = tuple(_settle(value, near) for value in mention.values)
        narrowed.append(Mention(mention.start, mention.end, values))
    joined = join_restated(text, narrowed)
    if len(joined) == len(mentions):
        return tuple(mentions)
    original = {(mention.start, mention.end): mention for mention in mentions}
    return tuple(original.get((item.start, item.end), item) for item in joined)


def _settle(value: Money, near: Sequence[Mention[Money]]) -> Money:
    for mention in near:
        for other in mention.values:
            if (
                other.amount == value.amount
                and value.currency is None
                and other.currency in value.currency_candidates
            ):
                return other
    return value
