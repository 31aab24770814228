"""Amounts told in parts: "3 dollars and 50 cents", "seventeen dollars sixty two", 三块五毛二."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal

from assay.normalize.amount import Money, Priced, money_of
from assay.normalize.currencies import HUNDREDTH
from assay.normalize.hanzi import parse_hanzi
from assay.normalize.reading import Mention
from assay.patterns import lazy_pattern

TENTH = Decimal("0.1")
_SMALL = lazy_pattern(r"\s*(?:and|,|又|再|零)?\s*\Z", re.IGNORECASE)
_GOES_ON = lazy_pattern(r"[\s-]*(?!and\b)[A-Za-z%]")
# Said of the hundredths of any currency.
_CENTS = frozenset({"cent", "cents", "¢"})
_CENT_LETTER = lazy_pattern(r"\s?c(?![\w.])")
_HAN_PART = lazy_pattern(
    r"\s?(?:(?P<jiao>[角毛毫](?![大楼樓星形度落色重衣笔筆病升米克孔发髮]))|(?P<fen>分))(?P<coin>钱|錢)?"
)
# 一块二, 三块零四, 五毛二: the next part down, or hundredths behind a zero, where nothing is
# counted by them.
_BARE = lazy_pattern(
    r"(零)?([一二三四五六七八九两兩半])(?![一二三四五六七八九十百千万萬亿億个個块塊元圆角毛分.点点兩两斤])"
)
_TAIL = lazy_pattern(r"(?:钱|錢)?[整正]?")


def minor_money(
    values: tuple[Decimal, ...], shares: Mapping[str, Decimal], mark: str
) -> tuple[Money, ...]:
    """Amounts in parts of a currency; one for each size of part that the name may denote."""
    sizes = dict.fromkeys(shares.values())
    return tuple(
        money_of(value * size, [code for code in shares if shares[code] == size], mark)
        for size in sizes
        for value in values
    )


def han_part(text: str, number: Mention[Decimal], last: Priced | None) -> Priced | None:
    """五角, 八分钱. A bare 分 is money only behind 角, or where nothing else is said: it is also a
    minute, a mark and a tenth of a 成."""
    match = _HAN_PART.match(text, number.end)
    if match is None:
        return None
    part = TENTH if match["jiao"] else HUNDREDTH
    if not match["coin"]:
        alone = not text[: number.start].strip() and not text[match.end() :].strip(" .")
        behind = last is not None and last.mention.end in {number.start, number.start - 1}
        if not alone and not behind and (match["fen"] or match.group().endswith("毫")):
            return None
    values = tuple(Money(value * part, "CNY", mark=match.group()) for value in number.values)
    return Priced(Mention(number.start, match.end(), values), part)


def join_minor(text: str, whole: Priced, minor: Priced) -> Priced | None:
    """One amount of two; None if the second is not a part of the first one's currency."""
    first, second = whole.mention, minor.mention
    if minor.part >= whole.part or len(first.values) != 1 or second.start < first.end:
        return None
    if not _SMALL.match(text[first.end : second.start]):
        return None
    value = first.values[0]
    for part in second.values:
        if set(part.codes) & set(value.codes) or part.mark.lower() in _CENTS:
            joined = replace(value, amount=value.amount + part.amount)
            return Priced(Mention(first.start, second.end, (joined,)), minor.part)
    return None


def join_spoken(text: str, whole: Priced, number: Mention[Decimal]) -> Priced | None:
    """The hundredths behind an amount, without their name; None if the number says something
    else. Figures are taken for them only where the text holds nothing else."""
    mention = whole.mention
    value, hundredths = mention.values[0], number.values[0]
    if whole.part != 1 or value.amount != int(value.amount) or not 0 < hundredths < 100:
        return None
    gap = text[mention.end : number.start].strip().lower()
    end = number.end
    letter = _CENT_LETTER.match(text, end)
    end = letter.end() if letter else end
    # 三块五 is told in tenths.
    alone = text[mention.end - 1].isascii() and not text[: mention.start].strip()
    alone = alone and not text[end:].strip()
    spoken = all(
        text[place].isalpha() and text[place].isascii()
        for place in (mention.start, mention.end - 1, number.start)
    )
    if letter is None and not spoken and not alone:
        return None
    if gap not in {"", "and"} or (letter is None and _GOES_ON.match(text, end)):
        return None  # "one dollar and six shares"
    amount = value.amount + hundredths * HUNDREDTH
    joined = tuple(replace(item, amount=amount) for item in mention.values)
    return Priced(Mention(mention.start, end, joined), HUNDREDTH)


def with_tail(text: str, priced: Priced) -> Mention[Money]:
    """An amount in yuan with the bare figure behind its last part, and 钱 or 整."""
    mention = priced.mention
    last = text[mention.end - 1]
    if last not in "元块塊圆圓蚊角毛" or len(mention.values) != 1:
        return mention
    value, end = mention.values[0], mention.end
    bare = _BARE.match(text, end) if last in "块塊蚊角毛" else None
    if bare is not None:
        share = HUNDREDTH if bare[1] else priced.part / 10
        count = Decimal(5) if bare[2] == "半" else parse_hanzi(bare[2]) or Decimal(0)
        value = replace(value, amount=value.amount + share * count)
        end = bare.end()
    tail = _TAIL.match(text, end)
    assert tail is not None  # it may be empty
    return Mention(mention.start, tail.end(), (value,))
