"""Stretches of time ("thirty (30) days", "four years", 三十日) as ISO 8601 durations.

A period says how long, never from when. "Perpetual" and its like are periods without an end.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from assay.normalize.number import find_numbers, join_restated
from assay.normalize.reading import Mention, Reading, narrow, read_mentions
from assay.patterns import lazy_pattern

_DESIGNATORS = {
    "Y": "year yr 年 周年",
    "M": "month mth mo 个月 個月 月",
    "3M": "quarter 季度 个季度",
    "W": "week wk 周 星期 个星期 個星期 礼拜 个礼拜",
    "2W": "fortnight",
    "D": "day 日 天 自然日 个自然日 日历日 个日历日",
    "BD": "工作日 个工作日 個工作日",
    "TH": "hour hr h 小时 小時 个小时 個小時 个钟 個鐘 个钟头 個鐘頭 钟头 鐘頭",
    "TM": "minute min 分钟 分鐘 半分钟",
    "TS": "second sec 秒 秒钟 秒鐘",
}
_UNITS = {name: mark for mark, names in _DESIGNATORS.items() for name in names.split()}
_UNITS |= {"钟": "TH", "鐘": "TH", "分": "TM"}
_LATIN = (
    r"years?|yrs?\.?|months?|mths?|mos?|weeks?|wks?|fortnights?|days?|hours?|hrs?\.?|h|minutes?|mins?\.?"
    r"|seconds?|secs?|quarters?"
)
_HAN = "|".join(
    sorted(
        (unit for unit in _UNITS if not unit.isascii() and unit not in "钟鐘分"),
        key=len,
        reverse=True,
    )
)
_UNIT = lazy_pattern(
    rf"\s*-?\s*(?:of\s+(?:an?\s+)?)?(?:(?:full|consecutive|calendar|additional"
    rf"|successive|more|less|extra|fewer|contract"
    rf"|whole)[\s-]+){{0,3}}"
    rf"(?P<business>(?:business|working|banking|trading)[\s-]+)?(?P<latin>{_LATIN})(?![A-Za-z])"
    r"(?P<more>\s+and\s+(?:an?\s+)?half\b(?!\s+[A-Za-z]))?"
    rf"|\s?(?P<mid>[个個]半)?(?P<han>{_HAN}|钟|鐘|分)"
    rf"(?P<half>半(?:钟|鐘)?)?",
    re.IGNORECASE,
)
# 分 is a minute only behind hours, or before seconds: it is also a mark and a hundredth.
_MINUTE_GOES_ON = lazy_pattern(r"\d|[一二三四五六七八九十兩两]")
_NO_UNIT = lazy_pattern(r"(?![\s-]*[A-Za-z%]|\.\d|[:/])")
# Marks of units where nothing else is said: "5'", "5 m", 四個字 (fives of minutes, in Cantonese).
_ALONE = lazy_pattern(r"\s?(?:(?P<mark>['\"m])|(?P<fives>[个個]字))\s*\Z")
_MARKS = {"'": "TM", '"': "TS", "m": "TM"}
_ARTICLE = lazy_pattern(
    r"(?<![A-Za-z])(?:(?P<half>half\s+)|(?P<quarter>(?:an?\s+)?quarter\s+of\s+))?"
    r"(?:(?:an?|another|each)\s+(?:further\s+|additional\s+|full\s+)?"
    r"|(?:all|full|whole|entire)[\s-]+|(?P<couple>a\s+couple\s+of\s+))"
    r"(?:(?P<business>business|working)\s+)?"
    r"(?P<unit>year|month|week|fortnight|day|hour|minute|second)s?(?![A-Za-z])"
    r"(?P<more>\s+and\s+(?:an?\s+)?half\b)?",
    re.IGNORECASE,
)
_HALF_HAN = lazy_pattern(
    rf"(?P<one>(?<![一二两兩三四五六七八九十\d])[个個])?半\s?(?P<unit>{_HAN}|[钟鐘](?![头頭]))"
    r"|(?<![一二两兩三四五六七八九十\d])分半(?:钟|鐘)"
)
_PERPETUAL = lazy_pattern(
    r"(?<![A-Za-z])(?:perpetual(?:ly)?|in perpetuity|indefinite(?:ly)?"
    r"|unlimited (?:period|term|duration)|for ever|forever)(?![A-Za-z])"
    r"|永久|无限期|長期有效|长期有效",
    re.IGNORECASE,
)
_AND = lazy_pattern(r"\s*(?:,|and|又|零)?\s*(?:,|and)?\s*\Z", re.IGNORECASE)
_ORDER = {"Y": 0, "M": 1, "W": 2, "D": 3, "TH": 4, "TM": 5, "TS": 6}


@dataclass(frozen=True, slots=True)
class Period:
    """`duration` is ISO 8601 ("P4Y", "P30D"), or None for a perpetual period. `business_days` if
    its days are working days, which ISO 8601 cannot say."""

    duration: str | None
    perpetual: bool = False
    business_days: bool = False

    def as_json(self) -> dict[str, Any]:
        if self.perpetual:
            return {"perpetual": True}
        if self.business_days:
            return {"duration": self.duration, "business_days": True}
        return {"duration": self.duration}


@dataclass(frozen=True, slots=True)
class _Part:
    count: Decimal
    unit: str


def find_periods(text: str) -> tuple[Mention[Period], ...]:
    """The periods stated in the text, in order, without overlaps."""
    plain = narrow(text)
    parts: list[Mention[_Part]] = []
    for number in find_numbers(plain):
        match = _UNIT.match(plain, number.end)
        if match is None or number.values[0] < 0:
            if (bare := _without_unit(plain, number, parts)) is not None:
                parts.append(bare)
            continue
        if match["han"] == "分" and not _is_minute(plain, number, match, parts):
            continue
        if match["han"] == "年" and len(plain[number.start : number.end].strip()) == 4:
            continue  # a calendar year
        if match["han"] in {"月", "日"} and plain[number.start - 1 : number.start] in {"年", "月"}:
            continue  # part of a date
        unit = _unit(match)
        start, end = number.start, match.end()
        values = (
            number.values[:1]
            if len(number.values) > 1 and "." in plain[start:end]
            else number.values
        )
        if match["half"] or match["mid"] or match["more"]:
            values = tuple(value + Decimal("0.5") for value in values)
        parts.append(Mention(start, end, tuple(_Part(value, unit) for value in values)))
    for match in _ARTICLE.finditer(plain):
        unit = _UNITS[match["unit"].lower()]
        unit = "BD" if match["business"] and unit == "D" else unit
        count = Decimal("0.5") if match["half"] else Decimal(2) if match["couple"] else Decimal(1)
        count = Decimal("0.25") if match["quarter"] else count
        count += Decimal("0.5") if match["more"] else 0
        parts.append(Mention(match.start(), match.end(), (_Part(count, unit),)))
    for match in _HALF_HAN.finditer(plain):
        count = Decimal("0.5") + bool(match["one"] or not match["unit"])
        half = _Part(count, _UNITS[match["unit"] or "分"])
        parts.append(Mention(match.start(), match.end(), (half,)))
    parts.sort(key=lambda mention: (mention.start, -mention.end))
    found = [
        Mention(match.start(), match.end(), (Period(None, perpetual=True),))
        for match in _PERPETUAL.finditer(plain)
    ]
    found.extend(_compose(plain, join_restated(plain, parts)))
    return tuple(sorted(found, key=lambda mention: mention.start))


def read_period(text: str) -> Reading[Period]:
    """All periods that the text states."""
    return read_mentions(find_periods(text))


def _is_minute(
    text: str, number: Mention[Decimal], match: re.Match[str], parts: Sequence[Mention[_Part]]
) -> bool:
    if match["half"] or _MINUTE_GOES_ON.match(text, match.end()):
        return True
    last = parts[-1] if parts else None
    gap = text[last.end : number.start] if last else "-"
    return last is not None and last.values[0].unit == "TH" and gap.strip("零 ") == ""


def _without_unit(
    text: str, number: Mention[Decimal], parts: Sequence[Mention[_Part]]
) -> Mention[_Part] | None:
    """ "3 hours 20", "an hour and twenty": the minutes behind hours; or a mark alone."""
    value = number.values[0]
    if parts and parts[-1].values[0].unit in {"TH", "TM"} and value == int(value):
        gap = text[parts[-1].end : number.start].strip().lower()
        if 0 < value < 60 and gap in {"", "and"} and _NO_UNIT.match(text, number.end):
            unit = {"TH": "TM", "TM": "TS"}[parts[-1].values[0].unit]
            return Mention(number.start, number.end, (_Part(value, unit),))
    alone = _ALONE.match(text, number.end) if not text[: number.start].strip() else None
    if alone is None or value < 0:
        return None
    part = _Part(value * 5, "TM") if alone["fives"] else _Part(value, _MARKS[alone["mark"]])
    return Mention(number.start, alone.end(), (part,))


def _unit(match: re.Match[str]) -> str:
    if match["han"]:
        return _UNITS[match["han"]]
    name = match["latin"].lower().rstrip(".")
    unit = _UNITS[name if name in _UNITS else name.rstrip("s")]
    return "BD" if match["business"] and unit == "D" else unit


def _compose(text: str, parts: Sequence[Mention[_Part]]) -> list[Mention[Period]]:
    """Joins "one year and six months" into one period."""
    found: list[Mention[Period]] = []
    group: list[Mention[_Part]] = []
    for part in parts:
        if group and part.start < group[-1].end:
            continue
        if group and _continues(text, group[-1], part):
            group.append(part)
            continue
        if group:
            found.append(_close(group))
        group = [part]
    if group:
        found.append(_close(group))
    return found


def _continues(text: str, before: Mention[_Part], after: Mention[_Part]) -> bool:
    gap = text[before.end : after.start]
    if len(gap) > 8 or not _AND.match(gap) or len(before.values) > 1 or len(after.values) > 1:
        return False
    first, second = _ORDER.get(before.values[0].unit), _ORDER.get(after.values[0].unit)
    return first is not None and second is not None and first < second


def _close(group: Sequence[Mention[_Part]]) -> Mention[Period]:
    start, end = group[0].start, group[-1].end
    if len(group) == 1:
        return Mention(start, end, tuple(_period([part]) for part in group[0].values))
    return Mention(start, end, (_period([mention.values[0] for mention in group]),))


def _period(parts: Sequence[_Part]) -> Period:
    dates, times, business = "", "", False
    for part in parts:
        unit, count = part.unit, part.count
        if unit == "BD":
            unit, business = "D", True
        elif unit in {"2W", "3M"}:
            count, unit = count * int(unit[0]), unit[1]
        figure = format(count.normalize(), "f")
        if unit.startswith("T"):
            times += figure + unit[1]
        else:
            dates += figure + unit
    return Period("P" + dates + ("T" + times if times else ""), business_days=business)
