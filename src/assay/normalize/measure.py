"""Measures: a number and a unit of length, mass or volume, "7 feet 10 inches" as one.

The amount is exact in the unit that the text ends with (for 斤 and its parts in kilograms' gram);
`base` is the same in metres, grams or litres.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from assay.normalize.hanzi import DIGIT_CHARS, parse_hanzi
from assay.normalize.number import find_numbers
from assay.normalize.reading import Mention, Reading, narrow, read_mentions
from assay.patterns import lazy_pattern

# name : dimension, size in metres, grams or litres : how it is written
_TABLE = """
millimetre : length 0.001 : millimeters?, millimetres?, mm, 毫米
centimetre : length 0.01 : centimeters?, centimetres?, cms?, 厘米, 公分
decimetre : length 0.1 : decimeters?, decimetres?, dm, 分米
metre : length 1 : meters?, metres?, m, 米, 公尺
kilometre : length 1000 : kilometers?, kilometres?, kms?, k, 公里, 千米
inch : length 0.0254 : inch(?:es)?, in, ", '', 英寸, 吋
foot : length 0.3048 : foots?, feets?, ft, ', 英尺, 呎
yard : length 0.9144 : yards?, yds?, 码, 碼
mile : length 1609.344 : miles?, mi, 英里, 英裏, 哩
nautical mile : length 1852 : nautical miles?, 海里
chi : length 0.333333333333333333 : 市?尺
zhang : length 3.33333333333333333 : 丈
li : length 500 : 华里
milligram : mass 0.001 : milligrams?, mgs?, 毫克
gram : mass 1 : grams?, gms?, gs?, 克, 公克
kilogram : mass 1000 : kilograms?, kilos?, k\\.?gs?, kgs?, 千克, 公斤
tonne : mass 1000000 : tonnes?, metric tons?, 公?吨, 公?噸
jin : mass 500 : 市?斤
liang : mass 50 : 两, 兩
ounce : mass 28.349523125 : ounces?, oz
pound : mass 453.59237 : pounds? in weight, lbs?, 磅
carat : mass 0.2 : carats?, 克拉
millilitre : volume 0.001 : milliliters?, millilitres?, ml, 毫升
litre : volume 1 : liters?, litres?, l, 升, 公升
cup : volume 0.2365882365 : cups?
gallon : volume 3.785411784 : gallons?, gal, 加仑
barrel : volume 158.987294928 : barrels?, bbls?, 桶
"""


@dataclass(frozen=True, slots=True)
class Unit:
    name: str
    dimension: str
    size: Decimal


@dataclass(frozen=True, slots=True)
class Measure:
    """`amount` of `unit`; `base` in metres, grams or litres."""

    amount: Decimal
    unit: str
    dimension: str
    base: Decimal

    def as_json(self) -> dict[str, Any]:
        return {"amount": format(self.amount, "f"), "unit": self.unit}


def _read_table() -> list[tuple[re.Pattern[str], Unit]]:
    rows = []
    for line in _TABLE.strip().splitlines():
        name, size, marks = line.split(" : ")
        dimension, factor = size.split()
        pattern = "|".join(
            mark.replace(" ", r"\s+") + (r"(?![A-Za-z])" if (mark[0].isalpha() and mark.isascii())
                                         or mark[0] == "k" else "")
            for mark in marks.split(", ")
        )  # fmt: skip
        unit = Unit(name, dimension, Decimal(factor))
        rows.append((lazy_pattern(rf"\s?-?\s?(?:{pattern})", re.IGNORECASE), unit))
    return rows


_ROWS = _read_table()
_ARTICLE = lazy_pattern(r"(?<![A-Za-z])an?(?=\s)", re.IGNORECASE)
_AND = lazy_pattern(r"\s*(?:,|and|又|零)?\s*\Z", re.IGNORECASE)
_REST = lazy_pattern(rf"(?P<half>半)|(?P<digit>[{DIGIT_CHARS}\d])(?![\d{DIGIT_CHARS}点點.])")
_HEIGHT = lazy_pattern(rf"(?<![{DIGIT_CHARS}\d])(?:米)(?=[{DIGIT_CHARS}])")


def find_measures(text: str) -> tuple[Mention[Measure], ...]:
    """The measures stated in the text, in order, without overlaps."""
    plain = narrow(text)
    numbers = [*find_numbers(plain)]
    for match in [*_ARTICLE.finditer(plain), *_HEIGHT.finditer(plain)]:
        end = match.end() if match.group() != "米" else match.start()
        numbers.append(Mention(match.start(), end, (Decimal(1),)))
    found: list[Mention[Measure]] = []
    for number in sorted(numbers, key=lambda mention: mention.start):
        if found and number.start < found[-1].end:
            continue
        measure = _with_unit(plain, number)
        if measure is None:
            continue
        joined = _join(plain, found[-1], measure) if found else None
        if joined is None:
            found.append(measure)
        else:
            found[-1] = joined
    return tuple(found)


def read_measure(text: str) -> Reading[Measure]:
    """All measures that the text states."""
    return read_mentions(find_measures(text))


def _with_unit(text: str, number: Mention[Decimal]) -> Mention[Measure] | None:
    matches = [(match, unit) for pattern, unit in _ROWS
               if (match := pattern.match(text, number.end))]  # fmt: skip
    if not matches:
        return None
    match, unit = max(matches, key=lambda item: item[0].end())
    end, amounts = match.end(), number.values[:1]
    if not text[end - 1].isascii() and (rest := _REST.match(text, end)):
        # 三米九, 三斤半: the figure counts tenths of the unit.
        share = Decimal("0.5") if rest["half"] else _digit(rest["digit"]) / 10
        if text[rest.end() : rest.end() + 1] not in {"两", "兩", "斤", "米", "分"}:
            amounts, end = tuple(amount + share for amount in amounts), rest.end()
    values = tuple(_measure(amount, unit) for amount in amounts)
    return Mention(number.start, end, values)


def _digit(char: str) -> Decimal:
    return Decimal(char) if char.isascii() else parse_hanzi(char) or Decimal(0)


def _measure(amount: Decimal, unit: Unit) -> Measure:
    return Measure(amount, unit.name, unit.dimension, amount * unit.size)


def _join(text: str, first: Mention[Measure], second: Mention[Measure]) -> Mention[Measure] | None:
    """ "7 feet, 10 inches" in inches."""
    large, small = first.values[0], second.values[0]
    if large.dimension != small.dimension or not _AND.fullmatch(text[first.end : second.start]):
        return None
    size = small.base / small.amount if small.amount else Decimal(0)
    if not size or not large.amount or large.base / large.amount <= size:
        return None
    base = large.base + small.base
    joined = Measure((base / size).normalize() + 0, small.unit, small.dimension, base)
    return Mention(first.start, second.end, (joined,))
