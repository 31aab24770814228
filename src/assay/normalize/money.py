"""Amounts of money: an exact amount, and a currency or the currencies that it may be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

from assay.normalize.coins import find_coins
from assay.normalize.currencies import AFTER, BEFORE, HUNDREDTH, WHOLE, WORDS, currencies_of
from assay.normalize.figures import SCALES, shift
from assay.normalize.hanzi import NUMERAL, parse_hanzi
from assay.normalize.number import find_numbers, join_restated
from assay.normalize.reading import Mention, Reading, distinct, narrow, read_mentions
from assay.patterns import lazy_pattern

_REACH = 24
_SMALL = lazy_pattern(r"\s*(?:and|,|又|零)?\s*\Z", re.IGNORECASE)
_DOLLARS = ("USD", "CAD", "AUD", "NZD", "HKD", "SGD", "TWD", "BZD", "JMD", "TTD")
_OWN = {
    "US": ("USD",), "CA": ("CAD",), "AU": ("AUD",), "NZ": ("NZD",), "JM": ("JMD",),
    "TT": ("TTD",), "GB": ("GBP", *_DOLLARS),
}  # fmt: skip
_GOES_ON = lazy_pattern(r"[\s-]*(?!and\b)[A-Za-z%]")
_JIAO = lazy_pattern(rf"(?:({NUMERAL}|\d)\s?[角毛毫])?零?(?:({NUMERAL}|\d{{1,2}})\s?分)?整?")
# 一块二, 三块零四: tenths, and hundredths behind a zero, where nothing is counted by them.
_BARE_JIAO = lazy_pattern(
    r"(零)?([一二三四五六七八九两兩])(?![一二三四五六七八九十百千万萬亿億个個块塊元圆角毛分.点點两兩斤])"
)


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in `currency` (ISO 4217). Where the text leaves the currency open, `currency` is
    None and `currency_candidates` holds the possible ones; where it names none, that is empty.
    `mark` is what the text says the currency with."""

    amount: Decimal
    currency: str | None = None
    currency_candidates: tuple[str, ...] = ()
    mark: str = field(default="", compare=False)

    def as_json(self) -> dict[str, Any]:
        return {
            "amount": format(self.amount, "f"),
            "currency": self.currency,
            "currency_candidates": list(self.currency_candidates),
        }


@dataclass(frozen=True, slots=True)
class _Priced:
    """An amount found, and whether it was given in hundredths."""

    mention: Mention[Money]
    cents: bool


def find_money(text: str, region: str = "") -> tuple[Mention[Money], ...]:
    """The amounts with a currency mark beside them, in order, without overlaps. Words and figures
    that state the same amount ("Ten Dollars ($10)") are one mention. Where a `region` (country
    code) is given, its coins are read too ("five nickels")."""
    plain = narrow(text)
    found: list[_Priced] = []
    for number in find_numbers(plain):
        last = found[-1] if found else None
        priced = _with_currency(plain, number, last.mention.end if last else 0)
        if priced is None:
            if last is not None and (joined := _join_spoken(plain, last, number)) is not None:
                found[-1] = joined
            continue
        if last is not None and (joined := _join_small(plain, last, priced)) is not None:
            found[-1] = joined
        elif last is None or priced.mention.start >= last.mention.end:
            found.append(priced)
    mentions = _join_restated(plain, [_with_jiao(plain, priced.mention) for priced in found])
    if not region:
        return mentions
    codes = _OWN.get(region.upper(), _DOLLARS)
    coins = [
        Mention(item.start, item.end, tuple(_money(value, codes, "") for value in item.values))
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


def _with_currency(text: str, number: Mention[Decimal], floor: int) -> _Priced | None:
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
    cents = False
    if after is not None:
        named = currencies_of(after["mark"] or after["cents"])
        both = tuple(code for code in codes if code in named)
        if codes and after["mark"] in {"元", "圆", "圓", "块", "塊"}:
            both = codes  # 港币300元
        if not codes or both:
            codes, end = both or named, after.end()
            mark = mark or after["mark"] or after["cents"]
            cents = bool(after["cents"]) and before is None
            if after["scale"]:
                values = tuple(shift(value, SCALES[after["scale"]]) for value in values)
    marks = {match["mark"] for match in (before, after) if match is not None}
    if not codes or (WORDS.issuperset(marks) and values[0] < 100):
        return None
    if cents:
        values = tuple(value * HUNDREDTH for value in values)
    elif len(values) > 1:
        # Three decimals are rare in money, and unknown where there are no decimals.
        values = values[::-1] if not WHOLE.issuperset(codes) else values[1:]
    if before is not None:
        start = before.start()
        if text[start - 1 : start] == "-" and not text[max(0, start - 4) : start - 1].strip():
            start, values = start - 1, tuple(-value for value in values)
    return _Priced(
        Mention(start, end, tuple(_money(value, codes, mark) for value in values)), cents
    )


def _money(amount: Decimal, codes: Sequence[str], mark: str) -> Money:
    if len(codes) == 1:
        return Money(amount, codes[0], mark=mark)
    return Money(amount, None, tuple(codes), mark)


def _may_be_mark(char: str) -> bool:
    """Whether a currency mark can end or open with this character: spares long columns of bare
    figures the search for one."""
    return bool(char) and not char.isdigit() and char not in ",;()[]%\n"


def _join_small(text: str, whole: _Priced, small: _Priced) -> _Priced | None:
    """ "3 dollars and 50 cents" as one amount; None if the second is not the first one's cents."""
    first, second = whole.mention, small.mention
    if not small.cents or whole.cents or len(first.values) != 1 or len(second.values) != 1:
        return None
    if second.start < first.end or not _SMALL.match(text[first.end : second.start]):
        return None
    amount = first.values[0].amount + second.values[0].amount
    joined = replace(first.values[0], amount=amount)
    return _Priced(Mention(first.start, second.end, (joined,)), cents=False)


def _join_spoken(text: str, whole: _Priced, number: Mention[Decimal]) -> _Priced | None:
    """ "seventeen dollars sixty two" as one amount; None if the number says something else."""
    mention = whole.mention
    places = (mention.start, mention.end - 1, number.start)
    if whole.cents or not all(text[place].isalpha() and text[place].isascii() for place in places):
        return None
    gap = text[mention.end : number.start].strip().lower()
    if gap not in {"", "and"} or _GOES_ON.match(text, number.end):
        return None  # "one dollar and six shares"
    value, hundredths = mention.values[0], number.values[0]
    if not 0 < hundredths < 100 or value.amount != int(value.amount):
        return None
    amount = value.amount + hundredths * HUNDREDTH
    joined = tuple(replace(item, amount=amount) for item in mention.values)
    return _Priced(Mention(mention.start, number.end, joined), cents=False)


def _with_jiao(text: str, mention: Mention[Money]) -> Mention[Money]:
    """An amount in yuan with the 角 and 分 that follow it."""
    if text[mention.end - 1] not in "元块塊圆蚊" or len(mention.values) != 1:
        return mention
    bare = _BARE_JIAO.match(text, mention.end) if text[mention.end - 1] in "块塊蚊" else None
    if bare is not None:
        share = HUNDREDTH if bare[1] else Decimal("0.1")
        amount = mention.values[0].amount + share * (parse_hanzi(bare[2]) or 0)
        return Mention(mention.start, bare.end(), (replace(mention.values[0], amount=amount),))
    match = _JIAO.match(text, mention.end)
    if match is None or not (match[1] or match[2]):
        return mention
    amount = mention.values[0].amount
    for group, unit in ((match[1], Decimal("0.1")), (match[2], HUNDREDTH)):
        if group:
            amount += unit * (Decimal(group) if group.isascii() else parse_hanzi(group) or 0)
    return Mention(mention.start, match.end(), (replace(mention.values[0], amount=amount),))


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
