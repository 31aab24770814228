"""Years, days of months, and dates with a name in them."""

# ruff: noqa: ARG001 - a rule is given all that its parts matched
from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

from assay.normalize.temporal.english.grammar import MONTHS, Match, rule
from assay.normalize.temporal.grain import Grain, floor
from assay.normalize.temporal.series import (
    Within,
)
from assay.normalize.temporal.tokens import (
    Context,
    DayOfMonth,
    MonthOfYear,
    Time,
    at_unit,
    intersect,
    year_of,
)


@rule(r"(1[0-9]\d\d|20\d\d|21\d\d)", cost=0.8)
def _(context: Context, match: Match) -> Time | None:
    return year_of(int(match[1]))


@rule(r"(\d{1,4})\s*(a\.?\s?d\.?|c\.?e\.?)")
def _(context: Context, match: Match) -> Time | None:
    return year_of(int(match[1]))


@rule(r"(?:the\s+)?year", "<number>")
def _(context: Context, match: Match, number: int) -> Time | None:
    return year_of(number) if number > 31 else None


@rule("<number>", cost=1.5, kind="year_number")
def _(context: Context, number: int) -> int | None:
    return number if 1000 <= number <= 2200 else None


@rule("<year_number>", cost=0.5)
def _(context: Context, number: int) -> Time | None:
    return year_of(number)


def month_day(month: Time, day: int) -> Time | None:
    if not isinstance(month.series, MonthOfYear) or not 1 <= day <= 31:
        return None
    if (
        month.series.day is not None
        or day > (29, 31, 30)[(month.series.month in _LONG) + 2 * (month.series.month in _SHORT)]
    ):
        return None
    return Time(MonthOfYear(month.series.month, day), "date")


_LONG, _SHORT = {1, 3, 5, 7, 8, 10, 12}, {4, 6, 9, 11}


@rule("<time>", r",|\.|-|/", "<day>", cost=0.5)
def _(context: Context, month: Time, match: Match, day: int) -> Time | None:
    return month_day(month, day)


@rule("<time>", "<day>", cost=0.5)
def _(context: Context, month: Time, day: int) -> Time | None:
    return month_day(month, day)


@rule("<day>", r"(?:of|in|-|/|day\s+of)", "<time>", cost=0.5)
def _(context: Context, day: int, match: Match, month: Time) -> Time | None:
    return month_day(month, day)


@rule("<day>", "<time>", cost=0.5)
def _(context: Context, day: int, month: Time) -> Time | None:
    return month_day(month, day)


@rule(r"(\d{1,2})(?![\d.:]|/\d)(?:st|nd|rd|th)?", kind="day", cost=0.5)
def _(context: Context, match: Match) -> int | None:
    return int(match[1]) if 1 <= int(match[1]) <= 31 else None


@rule(r"the", "<day>", kind="day", cost=0.2)
def _(context: Context, match: Match, day: int) -> int:
    return day


@rule("<ordinal>", kind="day", cost=0.5)
def _(context: Context, ordinal: int) -> int | None:
    return ordinal if 1 <= ordinal <= 31 else None


@rule("<number>", kind="day", cost=0.9)
def _(context: Context, number: int) -> int | None:
    return number if 1 <= number <= 31 else None


@rule(r"the", "<ordinal>", cost=1.5)
def _(context: Context, match: Match, day: int) -> Time | None:
    return Time(DayOfMonth(day), "ordinal_day") if 1 <= day <= 31 else None


@rule("<ordinal>", cost=2)
def _(context: Context, day: int) -> Time | None:
    return Time(DayOfMonth(day), "ordinal_day", latent=True) if 1 <= day <= 31 else None


_ANY_MONTH = "|".join(f"(?:{name})" for name in MONTHS)
_SIDE = rf"\d{{1,2}}|\d{{4}}|{_ANY_MONTH}"


@rule(rf"({_SIDE})(?P<mark>[-/])({_SIDE})(?P=mark)({_SIDE})(?![-/\w])", cost=0.4)
def _(context: Context, match: Match) -> Time | None:
    """ "05-Aug-2016", "2020/23/Sep": a name, a year and a day in any order."""
    month = year = day = None
    for part in (match[1], match[3], match[4]):
        if not part.isdigit():
            month = next(n for n, name in enumerate(MONTHS, 1) if re.fullmatch(name, part, re.I))
        elif len(part) == 4:
            year = int(part)
        else:
            day = int(part)
    if month is None or year is None or day is None:
        return None
    try:
        return at_unit(datetime(year, month, day), Grain.DAY, "date")
    except ValueError:
        return None


@rule(r"((?:19|20)\d\d)(0[1-9]|1[0-2])([0-3]\d)(?!\d)", cost=0.4)
def _(context: Context, match: Match) -> Time | None:
    try:
        day = datetime(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return None
    return at_unit(day, Grain.DAY, "date")


@rule(r"(\d{1,2})\.(\d{1,2})(?![\d.])", cost=1.8)
def _(context: Context, match: Match) -> Time | None:
    """ "4.22": a date only where something else says so."""
    month, day = int(match[1]), int(match[2])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return Time(MonthOfYear(month, day), "date", latent=True)


@rule("<time>", "<time>", cost=1.2)
def _(context: Context, first: Time, second: Time) -> Time | None:
    if first.form != "weekday" or not second.latent or second.form != "date":
        return None
    return intersect(first, replace(second, latent=False), context)


def day_within(day: int, month: Time) -> Time | None:
    """ "17th of next month"."""
    if month.grain is not Grain.MONTH or month.form not in {"relative", "month", "span"}:
        return None
    return (
        None
        if isinstance(month.series, MonthOfYear)
        else Time(Within(DayOfMonth(day), month.series), "date")
    )


@rule("<day>", r"(?:day\s+)?of", "<time>")
def _(context: Context, day: int, match: Match, month: Time) -> Time | None:
    return day_within(day, month)


@rule("<ordinal>", "<time>")
def _(context: Context, day: int, month: Time) -> Time | None:
    """ "21st last month"."""
    return day_within(day, month) if month.form == "relative" and 1 <= day <= 31 else None


@rule(r"(?:the\s+)?ides\s+of", "<time>")
def _(context: Context, match: Match, month: Time) -> Time | None:
    if not isinstance(month.series, MonthOfYear):
        return None
    return month_day(month, 15 if month.series.month in {3, 5, 7, 10} else 13)


def named_day(day: Time, number: int) -> Time | None:
    """ "Thursday the 21st": the next such day."""
    if day.form != "weekday" or not 1 <= number <= 31:
        return None
    return Time(Within(day.series, DayOfMonth(number)), "date")


@rule("<time>", "<day>", cost=1.2)
def _(context: Context, day: Time, number: int) -> Time | None:
    return named_day(day, number)


@rule("<time>", r"(?:of\s+|in\s+|,\s*|')'?", "<short_year>", cost=0.8)
def _(context: Context, date: Time, match: Match, year: int) -> Time | None:
    base = date.series.inner if isinstance(date.series, Within) else date.series
    if date.grain is not Grain.DAY or not isinstance(base, MonthOfYear):
        return None
    return intersect(date, at_unit(floor(context.reference, Grain.YEAR).replace(year=year),
                                   Grain.YEAR, "year"), context)  # fmt: skip


@rule("<time>", "<short_year>", cost=1.4)
def _(context: Context, date: Time, year: int) -> Time | None:
    if date.grain is not Grain.DAY or not isinstance(date.series, MonthOfYear):
        return None
    return intersect(date, at_unit(floor(context.reference, Grain.YEAR).replace(year=year),
                                   Grain.YEAR, "year"), context)  # fmt: skip


@rule(
    r"(fifteen|sixteen|seventeen|eighteen|nineteen|twenty)[\s-]+(hundred)?",
    "<number>",
    kind="spoken_year",
    cost=0.5,
)
def _(context: Context, match: Match, number: int) -> int | None:
    """ "nineteen ninety-nine", which behind a day is no time of day."""
    century = _CENTURIES[match[1].lower()]
    return 100 * century + number if (1 if match[2] else 10) <= number <= 99 else None


_CENTURIES = {
    "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
}  # fmt: skip


@rule("<time>", "<spoken_year>", cost=0.6)
def _(context: Context, date: Time, year: int) -> Time | None:
    return _in_year(context, date, year)


@rule("<time>", r",|of|in", "<spoken_year>", cost=0.6)
def _(context: Context, date: Time, match: Match, year: int) -> Time | None:
    return _in_year(context, date, year)


def _in_year(context: Context, date: Time, year: int) -> Time | None:
    whole = year_of(year)
    base = date.series.inner if isinstance(date.series, Within) else date.series
    if whole is None or date.latent or not isinstance(base, MonthOfYear):
        return None
    return intersect(date, whole, context)


@rule(r"'?(\d\d)(?![\d:/]|\.\d|\s?[ap]\.?m|st|nd|rd|th|\s+of)", kind="short_year", cost=1)
def _(context: Context, match: Match) -> int:
    short = int(match[1])
    return 1900 + short if short > 50 else 2000 + short
