"""Years, months and days, in characters and in figures, and days of the Chinese calendar."""

# ruff: noqa: ARG001 - a rule is given all that its parts matched
from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from assay.normalize.hanzi import parse_hanzi
from assay.normalize.temporal.chinese.grammar import DAYS, LAST, NEXT, THIS, WEEK, Match, rule
from assay.normalize.temporal.grain import Grain, floor, shift, unit
from assay.normalize.temporal.holiday_rules import chinese as lunar_day
from assay.normalize.temporal.series import (
    Once,
    Within,
    coming,
    gone,
)
from assay.normalize.temporal.tokens import (
    Context,
    DayOfMonth,
    MonthOfYear,
    Time,
    at_unit,
    nth_coming,
    weekday,
    year_of,
)


@rule("<number>", r"年")
def _(context: Context, number: int, match: Match) -> Time | None:
    return year_of(number) if number >= 1000 else None


@rule("<figures>", r"年")
def _(context: Context, number: int, match: Match) -> Time | None:
    return year_of(_full(number) if number < 100 else number)


@rule(r"(\d\d)年", cost=2)
def _(context: Context, match: Match) -> Time | None:
    return year_of(_full(int(match[1])))


def _full(short: int) -> int:
    return 1900 + short if short > 50 else 2000 + short


@rule("<number>", r"月份?", cost=0.8)
def _(context: Context, number: int, match: Match) -> Time | None:
    return Time(MonthOfYear(number), "month") if 1 <= number <= 12 else None


@rule("<number>", r"月份?的?", "<number>", r"[日号]", cost=0.5)
def _(context: Context, month: int, match: Match, day: int, suffix: Match) -> Time | None:
    return _month_day(month, day)


@rule("<number>", r"月", "<number>", cost=1.5)
def _(context: Context, month: int, match: Match, day: int) -> Time | None:
    return _month_day(month, day)


def _month_day(month: int, day: int) -> Time | None:
    try:
        datetime(2000, month, day)
    except ValueError:
        return None
    return Time(MonthOfYear(month, day), "date")


_LUNAR_DAY = r"(初[一二三四五六七八九十]|[一二三廿卅十][一二三四五六七八九十]{0,2})"


@rule(r"大年初([一二三四五六七八九十])", cost=0.4)
def _(context: Context, match: Match) -> Time:
    return Time(lunar_day(1, int(parse_hanzi(match[1]) or 0)), "holiday", holiday=match.group())


@rule(r"(?:农历|阴历)", r"(?:(\d{4})|([一二三四五六七八九零〇○]{4}))年的?", "<time>", cost=0.3)
def _(context: Context, lunar: Match, match: Match, date: Time) -> Time | None:
    """The year before the month, both of the Chinese calendar."""
    if not isinstance(date.series, MonthOfYear) or date.series.day is None:
        return None
    year = year_of(int(match[1] or parse_hanzi(match[2]) or 0))
    day = lunar_day(date.series.month, min(date.series.day, 30))
    return None if year is None else Time(Within(day, year.series), "holiday", holiday="农历")


@rule(
    rf"(?:农历|阴历)?(正|腊|[一二三四五六七八九十]{{1,2}})月{_LUNAR_DAY}?",
    cost=0.7,
)
def _(context: Context, match: Match) -> Time | None:
    """A day of the Chinese calendar: it says so, or its first ten days are called 初."""
    month = {"正": 1, "腊": 12}.get(match[1]) or int(parse_hanzi(match[1]) or 0)
    lunar = match.group()[0] in "农阴" or match[1] in "正腊" or "初" in (match[2] or "")
    day = parse_hanzi(match[2].lstrip("初")) if match[2] else None
    if not lunar or day is None or not (1 <= month <= 12 and 1 <= day <= 30):
        return None
    return Time(lunar_day(month, int(day)), "holiday", holiday=match.group())


@rule("<number>", r"[日号]", cost=1.2)
def _(context: Context, day: int, match: Match) -> Time | None:
    return Time(DayOfMonth(day), "ordinal_day") if 1 <= day <= 31 else None


@rule(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d/-])", cost=0.5)
def _(context: Context, match: Match) -> Time | None:
    return _date(int(match[1]), int(match[3]), int(match[4]))


@rule(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d\d|\d)(?![\d/-])", cost=0.6)
def _(context: Context, match: Match) -> Time | None:
    """Year first, as in Chinese, or last; month first or day first."""
    a, b, c = int(match[1]), int(match[3]), int(match[4])
    if len(match[4]) == 4:
        orders = [(c, a, b), (c, b, a)]
    elif match[2] == "/":
        orders = [(_full(c), a, b), (_full(a), b, c), (_full(c), b, a)]
    else:
        orders = [(_full(a), b, c), (_full(c), b, a), (_full(c), a, b)]
    times = [time for order in orders if (time := _date(*order)) is not None]
    return replace(times[0], others=tuple(time.series for time in times[1:])) if times else None


@rule(r"(\d{1,2})([-/.])(\d{1,2})(?![\d/.-])", cost=1.6)
def _(context: Context, match: Match) -> Time | None:
    if match[2] == ".":
        return None
    orders = [(int(match[1]), int(match[3])), (int(match[3]), int(match[1]))]
    times = [time for order in orders if (time := _month_day(*order)) is not None]
    return replace(times[0], others=tuple(time.series for time in times[1:])) if times else None


def _date(year: int, month: int, day: int) -> Time | None:
    try:
        return at_unit(datetime(year, month, day), Grain.DAY, "date")
    except ValueError:
        return None


@rule(rf"{WEEK}([一二三四五六日天])")
def _(context: Context, match: Match) -> Time:
    return Time(weekday(DAYS[match[1]]), "weekday", not_now=True)


def _week_day(context: Context, day: Time, offset: int) -> Time | None:
    """A weekday of this, the last or the next week, or the nearest one that way."""
    week = Once(unit(shift(floor(context.reference, Grain.WEEK), Grain.WEEK, offset), Grain.WEEK))
    nearest = (
        gone(day.series, context.reference)[:1]
        if offset < 0
        else [item for item in [nth_coming(day, context.reference, 1)] if item]
    )
    others = tuple(Once(item) for item in nearest)
    return Time(Within(day.series, week), "date", others=others)


@rule(THIS, "<time>", cost=0.8)
def _(context: Context, match: Match, time: Time) -> Time | None:
    if time.form == "weekday":
        return _week_day(context, time, 0)
    if time.form in {"holiday", "weekend"}:
        found = coming(time.series, context.reference)
        return Time(Once(found[0]), "relative") if found else None
    return None


@rule(LAST, "<time>", cost=0.8)
def _(context: Context, match: Match, time: Time) -> Time | None:
    if time.form == "weekday":
        return _week_day(context, time, -1)
    found = gone(time.series, context.reference) if time.form in {"holiday", "weekend"} else []
    return Time(Once(found[0]), "relative") if found else None


@rule(NEXT, "<time>", cost=0.8)
def _(context: Context, match: Match, time: Time) -> Time | None:
    if time.form == "weekday":
        return _week_day(context, time, 1)
    found = nth_coming(time, context.reference, 1) if time.form in {"holiday", "weekend"} else None
    return Time(Once(found), "relative") if found else None
