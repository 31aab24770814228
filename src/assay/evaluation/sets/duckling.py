"""Duckling: numbers, ordinals, amounts, quantities, lengths of time and times (BSD-3).

Each row is one expression. Right is: it is read as a whole (but for a preposition before it), and
the row's value is among the values that the words leave open. The values of Duckling are compared
as follows. Times: both ends, and the grain; the name of a holiday is not asked for. An amount of
"Dollar" or another sign may be any currency that shares the sign, in the row's region its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from assay.documents import Document
from assay.evaluation.base import (
    Ask,
    Case,
    Counts,
    Finding,
    Place,
    one_value,
    read_rows,
    reader_case,
)
from assay.normalize.bounds import find_ranges
from assay.normalize.measure import Measure, find_measures
from assay.normalize.money import find_money
from assay.normalize.number import find_numbers
from assay.normalize.ordinal import find_ordinals
from assay.normalize.period import Period, find_periods
from assay.normalize.reading import Mention
from assay.normalize.temporal.find import Moment, find_times
from assay.normalize.temporal.grain import Grain, unit

REFERENCE = datetime(2013, 2, 12, 4, 30, tzinfo=timezone(timedelta(hours=-2)))
_FIELDS = {
    "Time": "time", "Duration": "duration", "Numeral": "number", "Ordinal": "ordinal",
    "AmountOfMoney": "money", "Quantity": "quantity", "Distance": "distance",
}  # fmt: skip
_DAY_FIRST = frozenset({"AU", "BZ", "GB", "IE", "IN", "JM", "NZ", "TT"})
_LEAD = re.compile(
    r"\s*(?:(?:on|in|at|for|during|around|about|by|exactly|~)\s*)?(?:the\s+|an?\s+)?", re.IGNORECASE
)


@dataclass(frozen=True)
class Row:
    """One expression; `gold` is Duckling's own."""

    kind: str
    text: str
    region: str
    gold: str


Found = tuple[int, int, tuple[Any, ...]]


class Duckling:
    name = "duckling"

    def read(self, folder: Path, split: str) -> Iterator[Case]:
        for line in read_rows(folder, self.name, split):
            row = Row(line["dim"], line["text"], line["locale"], line["haskell"])
            field, read = _FIELDS[row.kind], partial(_read, row)
            yield reader_case(line["id"], line["lang"], field, row.text, row, read)

    def judge(self, ask: Ask, document: Document, finding: Finding) -> Counts:  # noqa: ARG002
        """A row is one value."""
        return one_value(right=is_right(ask.gold, finding.value), answered=True, expected=True)


def _read(row: Row, text: str) -> Finding:  # noqa: ARG001
    found = [(item.start, item.end, item.values) for item in _find(row)]
    return Finding(found, tuple(Place(start, end) for start, end, _ in found))


def _find(row: Row) -> Sequence[Mention[Any]]:
    text = row.text
    if row.kind == "Time":
        # South Africa writes 31/10/1974 and, without a year, 10/31 in this set.
        day_first = row.region in _DAY_FIRST or None
        return find_times(text, REFERENCE, region=row.region, day_first=day_first)
    if row.kind == "Numeral":
        return find_numbers(text)
    if row.kind == "Ordinal":
        return find_ordinals(text)
    if row.kind == "Duration":
        return find_periods(text)
    mentions: Sequence[Mention[Any]]
    if row.kind == "AmountOfMoney":
        mentions = find_money(text, row.region)
        if "Unnamed" in row.gold:
            return find_numbers(text)
    else:
        mentions = find_measures(text)
        if "Unnamed" in row.gold:
            return find_numbers(text)
    if _RANGE.search(row.gold):
        return find_ranges(text, mentions, _with_amount)
    return mentions


def _with_amount(value: Any, amount: Decimal) -> Any:
    if isinstance(value, Measure):
        return replace(value, amount=amount, base=value.base / value.amount * amount)
    return replace(value, amount=amount)


def is_right(row: Row, found: Sequence[Found]) -> bool:
    """Whether the expression is read whole, and as the row says."""
    if len(found) != 1:
        return False
    start, end, values = found[0]
    lead = _LEAD.match(row.text)
    if start > (lead.end() if lead else 0) or end < len(row.text.rstrip(" .!?,")):
        return False
    return any(_matches(row, value) for value in values)


def _matches(row: Row, value: Any) -> bool:
    if row.kind == "Time":
        return _is_time(row, value)
    if row.kind == "Duration":
        return _is_duration(row, value)
    if row.kind in {"Numeral", "Ordinal"}:
        number = _FIGURE.search(row.gold)
        return number is not None and _close(value, Decimal(number.group()))
    return _is_amount(row, value)


def _is_amount(row: Row, value: Any) -> bool:
    """An amount or a measure, or a range of such."""
    head = _AMOUNT.search(row.gold)
    assert head is not None
    shape, unit = head[1], head[2]
    wanted = [Decimal(item) for item in _FIGURE.findall(row.gold[head.end() :])]
    if unit == "Unnamed":
        return _close(value, wanted[0])
    ends = [value] if shape == "simple" else [value.low, value.high]
    if shape == "above":
        wanted_ends: list[Decimal | None] = [wanted[0], None]
    elif shape == "under":
        wanted_ends = [None, wanted[0]]
    else:
        wanted_ends = list(wanted)
    return len(ends) == len(wanted_ends) and all(
        _is_of(end, unit, amount) for end, amount in zip(ends, wanted_ends, strict=True)
    )


def _is_of(value: Any, unit: str, amount: Decimal | None) -> bool:
    if value is None or amount is None:
        return value is None and amount is None
    if isinstance(value, Measure):
        size = _SIZES[unit]
        return _close(value.base, amount * size)
    codes = (value.currency,) if value.currency else value.currency_candidates
    if unit == "Cent":
        return _close(value.amount, amount / 100)
    return _close(value.amount, amount) and bool(set(codes) & set(_CODES.get(unit, (unit,))))


_SIZES = {
    "Gram": Decimal(1), "Pound": Decimal("453.59237"), "Ounce": Decimal("28.349523125"),
    "Cup": Decimal("0.2365882365"), "Metre": Decimal(1), "Kilometre": Decimal(1000),
    "Centimetre": Decimal("0.01"), "Millimetre": Decimal("0.001"), "Mile": Decimal("1609.344"),
    "Inch": Decimal("0.0254"), "Foot": Decimal("0.3048"), "Yard": Decimal("0.9144"),
}  # fmt: skip
# In Chinese, 元, 块 and 蚊 are "Dollar" in this set.
_CODES = {
    "Dollar": ("USD", "CNY", "HKD"), "Pound": ("GBP",), "Rial": ("IRR",), "Riyal": ("SAR",),
    "Dinar": ("KWD",), "Dirham": ("AED",), "Krone": ("NOK", "DKK"),
}  # fmt: skip
_AMOUNT = re.compile(r"\((simple|between|above|under) (\w+)")
_RANGE = re.compile(r"\((?:between|above|under) ")
_FIGURE = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")


def _close(value: Decimal, wanted: Decimal) -> bool:
    return abs(value - wanted) <= abs(wanted) * Decimal("1e-12")


_LENGTHS = {
    "Second": (0, 1), "Minute": (0, 60), "Hour": (0, 3600), "Day": (0, 86400),
    "Week": (0, 604800), "Month": (1, 0), "Quarter": (3, 0), "Year": (12, 0),
}  # fmt: skip
_ISO = re.compile(r"(\d+(?:\.\d+)?)([YMWDHS])")


def _is_duration(row: Row, value: Period) -> bool:
    """Equal in months and seconds; half a month is fifteen days, as in the set."""
    head = re.search(r"DurationData (\d+) (\w+)", row.gold)
    assert head is not None
    months, seconds = (int(head[1]) * part for part in _LENGTHS[head[2]])
    return value.duration is not None and _length(value.duration) == (months, seconds)


def _length(iso: str) -> tuple[int, int]:
    months = seconds = Decimal(0)
    dates, _, times = iso.partition("T")
    for part, in_time in ((dates, False), (times, True)):
        for count, mark in _ISO.findall(part):
            name = {"Y": "Year", "W": "Week", "D": "Day", "H": "Hour", "S": "Second"}.get(mark)
            name = name or ("Minute" if in_time else "Month")
            months += Decimal(count) * _LENGTHS[name][0]
            seconds += Decimal(count) * _LENGTHS[name][1]
    rest = months % 1
    return int(months), int(seconds + (rest * 30 * 86400 if rest == Decimal("0.5") else 0))


_NAME = re.compile(r'"[^"]*"')
_GRAIN = re.compile(r"\b(Second|Minute|Hour|Day|Week|Month|Quarter|Year)\b")
_TUPLE = re.compile(r"\((-?\d+), (\d+), (\d+), (\d+), (\d+), (\d+)\)")


def _is_time(row: Row, value: Moment) -> bool:
    moments = [_datetime(match) for match in _TUPLE.finditer(row.gold)]
    grain = Grain[
        re.findall(
            r"\b(Second|Minute|Hour|Day|Week|Month|Quarter|Year)\b",
            re.sub(r'"[^"]*"', "", row.gold),
        )[-1].upper()
    ]
    if value.grain != grain or None in moments:
        return False
    if "OpenInterval" in row.gold:
        return (value.start if " After" in row.gold else value.end) == moments[0] and (
            value.end if " After" in row.gold else value.start
        ) is None
    if len(moments) == 2:
        return (value.start, value.end) == (moments[0], moments[1])
    assert moments[0] is not None
    return value.start == moments[0] and value.end == unit(moments[0], grain).end


def _datetime(match: re.Match[str]) -> datetime | None:
    """Months and days of 0 stand for the first."""
    year, month, day, hour, minute, second = (int(item) for item in match.groups())
    if year < 1:
        return None
    return datetime(year, max(month, 1), max(day, 1), hour, minute, second)


SET = Duckling()
