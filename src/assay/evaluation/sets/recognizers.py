"""Recognizers-Text: what is a number, an amount, a percentage, a date in running text (MIT).

A row is right only if exactly its mentions are found, each at its place and with its value; a row
without results must give none. The rows are those that the Python port of the library passes
(`not_supported*` does not name it). What is not asked of us is left out of a row's gold: a currency
named without an amount; a figure glued to its unit ("180ml") is no number there. Cents count a
hundredth of the currency, other parts what they are of it.

Dates: rows whose results are all whole days, or that have none ("after 7/2" is no day). The value
is right if all of the row's are among the candidates. Rows of the extractors have no values; there
the place decides, and those of the holiday extractors name nothing but holidays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation
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
from assay.normalize.date import find_dates
from assay.normalize.money import Money, find_money
from assay.normalize.number import find_numbers
from assay.normalize.ordinal import find_ordinals
from assay.normalize.percentage import find_percentages
from assay.normalize.reading import Mention
from assay.normalize.temporal import calendars

_KINDS = {
    "NumberModel": "number",
    "PercentModel": "percentage",
    "OrdinalModel": "ordinal",
    "CurrencyModel": "currency",
}
_DATE_SPECS = frozenset({
    "DateExtractor", "DateParser", "HolidayExtractor", "HolidayParser", "DateTimeModel",
    "DateTimeModelExperimentalMode", "MergedExtractor", "MergedParser",
})  # fmt: skip
_DAY_TYPES = frozenset({"date", "datetimeV2.date"})
# The units that the set names without a code: the currency that must be among the candidates.
_UNITS = {
    "Dollar": "USD", "Pound": "GBP", "Cent": "USD", "Pence": "GBP", "Penny": "GBP", "Sen": "JPY",
    "Franc": "CHF", "Rupee": "INR", "Peso": "MXN", "Peseta": "ESP", "Krona": "SEK",
    "Krone": "NOK", "Lira": "TRY", "Rial": "IRR", "Dinar": "KWD", "Dirham": "AED",
    "Shilling": "KES", "Won": "KRW", "Crown": "CZK", "Finnish markka": "FIM", "Bitcoin": "XBT",
    "Netherlands guilder": "NLG", "Deutsche mark": "DEM", "French franc": "FRF",
    "Italian lira": "ITL", "Spanish peseta": "ESP", "Irish pound": "IEP", "Kopek": "RUB",
    "Riyal": "SAR", "Leu": "RON", "Manat": "AZN", "Som": "KGS", "Ruble": "RUB", "Mark": "DEM",
    "Guilder": "NLG", "Korean won": "KRW", "Fen": "CNY", "Jiao": "CNY", "Paisa": "INR",
    "Rappen": "CHF", "Centime": "CHF", "Centavo": "MXN", "Øre": "NOK", "Öre": "SEK",
    "Grosz": "PLN", "Kobo": "NGN", "Satang": "THB", "Halala": "SAR", "Pesewa": "GHS",
    "Ban": "RON", "Fils": "KWD", "Satoshi": "XBT", "Penni": "FIM",
}  # fmt: skip
# Codes that the set gives and that were replaced when noughts were struck off.
_REPLACED = {"MRO": "MRU", "STD": "STN", "SLL": "SLE", "VEF": "VES", "CUC": "CUP", "BYR": "BYN"}
_MODIFIED = re.compile(r"(?:after|since|before|on or|by)\b", re.IGNORECASE)
_GLUED = re.compile(r"[A-Za-z]")
# Parts of a currency: what one is, and of what.
_PARTS = {
    "Cent": 100, "Pence": 100, "Penny": 100, "Sen": 100, "Kopek": 100, "Fen": 100, "Jiao": 10,
    "Paisa": 100, "Rappen": 100, "Centime": 100, "Centavo": 100, "Øre": 100, "Öre": 100,
    "Grosz": 100, "Kobo": 100, "Satang": 100, "Halala": 100, "Pesewa": 100, "Ban": 100,
    "Fils": 1000, "Satoshi": 100_000_000,
}  # fmt: skip


@dataclass(frozen=True)
class Expected:
    """A mention of the gold: `text[start:end]` and its values, none where only its place is."""

    start: int
    end: int
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Row:
    """`reference` is what relative dates count from."""

    kind: str
    reference: datetime
    gold: tuple[Expected, ...]
    holidays_only: bool = False


Found = tuple[int, int, tuple[Any, ...]]


class Recognizers:
    name = "recognizers"

    def read(self, folder: Path, split: str) -> Iterator[Case]:
        for line in read_rows(folder, self.name, split):
            row = _row(line)
            if row is None or _is_unsupported(line):
                continue
            read = partial(_find, row)
            yield reader_case(line["id"], line["lang"], row.kind, line["input"], row, read)

    def judge(self, ask: Ask, document: Document, finding: Finding) -> Counts:  # noqa: ARG002
        """A row is one value: right if exactly its mentions are found."""
        return one_value(right=is_right(ask.gold, finding.value), answered=True, expected=True)


def _is_unsupported(row: dict[str, Any]) -> bool:
    ports = f"{row.get('not_supported', '')},{row.get('not_supported_by_design', '')}"
    return "python" in ports.lower()


def _row(row: dict[str, Any]) -> Row | None:
    results = row["results"]
    kind = _KINDS.get(row["spec"])
    if row["spec"] in _DATE_SPECS and all(item.get("type") in _DAY_TYPES for item in results):
        kind = "date"
    if kind is None or any(_MODIFIED.match(item["text"]) for item in results):
        return None
    wanted = tuple(
        item for result in results if (item := _expected(row["input"], result, kind)) is not None
    )
    reference = datetime.fromisoformat(row.get("reference") or "2016-11-07T00:00:00")
    return Row(kind, reference, wanted, row["spec"].startswith("Holiday"))


def _expected(text: str, result: dict[str, Any], kind: str) -> Expected | None:
    if "start" in result:
        start = result["start"]
        end = start + result["length"] if "length" in result else result["end_incl"] + 1
    else:
        start = text.lower().find(result["text"].lower())
        end = start + len(result["text"])
    if kind == "date":
        return Expected(start, end, _days(result))
    resolution = result.get("resolution") or {}
    value = resolution.get("value")
    if value in {None, "null"}:
        return None
    if kind == "currency":
        unit = resolution["unit"]
        amount = Decimal(value) / _PARTS.get(unit, 1)
        code = resolution.get("isoCurrency") or _UNITS.get(unit, unit)
        return Expected(start, end, ((amount, _REPLACED.get(code, code)),))
    try:
        return Expected(start, end, (Decimal(str(value).rstrip("%")),))
    except InvalidOperation:
        return Expected(start, end, (value,))


def _days(result: dict[str, Any]) -> tuple[str, ...]:
    value = result.get("value") or result.get("resolution") or {}
    if "values" in value:
        found = [item.get("value") for item in value["values"]]
    else:
        found = [value.get(key, {}).get("date") for key in ("PastResolution", "FutureResolution")]
    return tuple(dict.fromkeys(day for day in found if day and day != "not resolved"))


def _find(row: Row, text: str) -> Finding:
    found = find_mentions(row, text)
    return Finding(found, tuple(Place(start, end) for start, end, _ in found))


def find_mentions(row: Row, text: str) -> list[Found]:
    """The mentions that the package finds, each with the values that it leaves open."""
    if row.kind == "date":
        dates = find_dates(text, row.reference)
        return [(item.start, item.end, item.values) for item in dates]
    finders: dict[str, Callable[[str], Sequence[Mention[Any]]]] = {
        "number": find_numbers,
        "percentage": find_percentages,
        "ordinal": find_ordinals,
        "currency": find_money,
    }
    return [
        (item.start, item.end, item.values)
        for item in finders[row.kind](text)
        if row.kind != "number" or not _GLUED.match(text, item.end)
    ]


def is_right(row: Row, found: Sequence[Found]) -> bool:
    """Whether exactly the row's mentions are found."""
    if row.holidays_only:
        places = {(item.start, item.end) for item in row.gold}
        found = [item for item in found if item[:2] in places]
    return len(found) == len(row.gold) and all(
        (start, end) == (gold.start, gold.end)
        and all(any(_same(value, wanted) for value in values) for wanted in gold.values)
        for (start, end, values), gold in zip(found, row.gold, strict=True)
    )


def _same(value: Any, wanted: Any) -> bool:
    if isinstance(value, Money):
        amount, code = wanted
        return _close(value.amount, amount) and code in (
            (value.currency,) if value.currency else value.currency_candidates
        )
    if isinstance(value, Decimal):
        return isinstance(wanted, Decimal) and _close(value, wanted)
    return bool(value == wanted) or _same_lunar(value, wanted)


def _same_lunar(value: str, wanted: str) -> bool:
    """The set gives days of the Chinese calendar as if they were days of ours: 中秋 is 08-15."""
    year, month, day = (int(part) for part in wanted.split("-"))
    if year < 1900:
        return False
    return any(
        calendars.chinese(number, month, min(day, 30)).isoformat() == value
        for number in (year - 1, year)
    )


def _close(value: Decimal, wanted: Decimal) -> bool:
    """Equal as far as the gold is exact: it is written with 15 digits."""
    return abs(value - wanted) <= abs(wanted) * Decimal("1e-13")


SET = Recognizers()
