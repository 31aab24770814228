"""Amounts of money: an exact amount, and a currency or the currencies that it may be."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from assay.normalize.amount import Money, Priced, money_of
from assay.normalize.coins import find_coins
from assay.normalize.currencies import AFTER, BEFORE, MINOR, WHOLE, WORDS, currencies_of
from assay.normalize.figures import SCALES, shift
from assay.normalize.money_parts import han_part, join_minor, join_spoken, minor_money, with_tail
from assay.normalize.number import find_numbers, join_restated
from assay.normalize.reading import Mention, Reading, distinct, narrow, read_mentions

__all__ = ["Money", "find_money", "read_money"]

_REACH = 48
_DOLLARS = ("USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD", "BZD", "JMD", "TTD")
_OWN = {
    "US": ("USD",), "CA": ("CAD",), "AU": ("AUD",), "NZ": ("NZD",), "JM": ("JMD",),
    "TT": ("TTD",), "GB": ("GBP", *_DOLLARS),
}  # fmt: skip


def find_money(text: str, region: str = "") -> tuple[Mention[Money], ...]:
    """The amounts with a currency mark beside them, in order, without overlaps. Words and figures
    that state the same amount ("Ten Dollars ($10)") are one mention. Where a `region` (country
    code) is given, its coins are read too ("five nickels")."""
    plain = narrow(text)
    found: list[Priced] = []
    for number in find_numbers(plain):
        last = found[-1] if found else None
        priced = _with_currency(plain, number, last.mention.end if last else 0)
        priced = priced or han_part(plain, number, last)
        if priced is None:
            if last is not None and (joined := join_spoken(plain, last, number)) is not None:
                found[-1] = joined
            continue
        if last is not None and (joined := join_minor(plain, last, priced)) is not None:
            found[-1] = joined
        elif last is None or priced.mention.start >= last.mention.end:
            found.append(priced)
    mentions = _join_restated(plain, [with_tail(plain, priced) for priced in found])
    if not region:
        return mentions
    codes = _OWN.get(region.upper(), _DOLLARS)
    coins = [
        Mention(item.start, item.end, tuple(money_of(value, codes, "") for value in item.values))
        for item in find_coins(plain)
        if all(item.end <= other.start or other.end <= item.start for other in mentions)
    ]
    return tuple(sorted([*mentions, *coins], key=lambda mention: mention.start))


def read_money(text: str) -> Reading[Money]:
    """All amounts that the text states. A text that holds figures but no currency mark is read as
    an amount in no stated currency."""
    found = find_money(text)
    if not found:
        bare = find_numbers(text)
        return Reading(distinct(Money(value) for item in bare for value in item.values))
    return read_mentions(found)


def _with_currency(text: str, number: Mention[Decimal], floor: int) -> Priced | None:
    """The number with the marks beside it, none of which stands before `floor`."""
    start, end = number.start, number.end
    values = number.values
    before = after = None
    if _may_be_mark(text[max(floor, start - 3) : start].rstrip()[-1:]):
        before = BEFORE.search(text, max(floor, start - _REACH), start)
    if _may_be_mark(text[end : end + 3].lstrip(" -")[:1]):
        after = AFTER.match(text, end, min(len(text), end + _REACH))
    mark = before["mark"] if before is not None else ""
    codes = currencies_of(mark) if mark else ()
    if after is not None and after["minor"]:
        if not codes:
            return _in_minor(Mention(start, after.end(), values), after["minor"])
        after = None  # "$5 cents" says nothing
    if after is not None:
        named = currencies_of(after["mark"])
        both = tuple(code for code in codes if code in named)
        if codes and after["mark"] in {"元", "圆", "圓", "块", "塊"}:
            both = codes  # 港币300元
        if not codes or both:
            codes, end = both or named, after.end()
            mark = mark or after["mark"]
            if after["scale"]:
                values = tuple(shift(value, SCALES[after["scale"]]) for value in values)
    marks = {match["mark"] for match in (before, after) if match is not None}
    if not codes or (WORDS.issuperset(marks) and values[0] < 100):
        return None
    if len(values) > 1:
        # Three decimals are rare in money, and unknown where there are no decimals.
        values = values[::-1] if not WHOLE.issuperset(codes) else values[1:]
    if before is not None:
        start = before.start()
        if text[start - 1 : start] == "-" and not text[max(0, start - 4) : start - 1].strip():
            start, values = start - 1, tuple(-value for value in values)
    money = tuple(money_of(value, codes, mark) for value in values)
    return Priced(Mention(start, end, money), Decimal(1))


def _in_minor(number: Mention[Decimal], name: str) -> Priced:
    """So many of a part of a currency."""
    shares = MINOR.get(name) or MINOR[" ".join(name.lower().split())]
    values = minor_money(number.values, shares, name)
    return Priced(Mention(number.start, number.end, values), min(shares.values()))


def _may_be_mark(char: str) -> bool:
    """Whether a currency mark can end or open with this character: spares long columns of bare
    figures the search for one."""
    return bool(char) and not char.isdigit() and char not in ",;()[]%\n"


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
