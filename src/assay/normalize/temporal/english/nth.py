"""The n-th of something within something: "the last Friday of October", "Q4 2018"."""

# ruff: noqa: ARG001 - a rule is given all that its parts matched
from __future__ import annotations

from assay.normalize.temporal.english.grammar import IN, Match, cycle, rule
from assay.normalize.temporal.grain import Grain, floor, shift
from assay.normalize.temporal.series import (
    Every,
    Nth,
    Once,
    coming,
    gone,
)
from assay.normalize.temporal.tokens import (
    Context,
    Time,
    at_unit,
    intersect,
    meant,
    year_of,
)


def nth(context: Context, n: int, inner: Time, outer: Time) -> Time | None:
    if outer.grain <= inner.grain or outer.form in {"hour", "clock", "part"}:
        return None
    if inner.form not in {"weekday", "weekend", "unit", "month", "holiday"}:
        return None
    series = Nth(n, inner.series, outer.series)
    if not coming(series, context.reference) and not gone(series, context.reference):
        return None
    return Time(series, "date" if inner.grain is Grain.DAY else "span")


@rule("<unit>", kind="repeated", cost=0.5)
def _(context: Context, grain: Grain) -> Time:
    return Time(Every(grain), "unit")


@rule("<time>", kind="repeated", cost=0)
def _(context: Context, time: Time) -> Time | None:
    return time if time.form in {"weekday", "weekend", "holiday"} else None


@rule("<ordinal>", "<repeated>", rf"{IN}|after", "<time>")
def _(context: Context, n: int, inner: Time, match: Match, outer: Time) -> Time | None:
    return _nth_or_after(context, n, inner, match.group().lower() == "after", outer)


@rule(r"the", "<ordinal>", "<repeated>", rf"{IN}|after", "<time>", cost=0.8)
def _(context: Context, the: Match, n: int, inner: Time, match: Match, outer: Time) -> Time | None:
    return _nth_or_after(context, n, inner, match.group().lower() == "after", outer)


def _nth_or_after(context: Context, n: int, inner: Time, after: bool, outer: Time) -> Time | None:
    if not after:
        return nth(context, n, inner, outer)
    anchor = meant(outer, context.reference)
    if anchor is None or inner.form == "unit":
        return None
    items = [item for item in coming(inner.series, anchor.end, n + 1) if item.start >= anchor.end]
    return Time(Once(items[n - 1]), "relative") if len(items) >= n else None


@rule(r"(?:the\s+)?last", "<repeated>", rf"{IN}", "<time>")
def _(context: Context, match: Match, inner: Time, of: Match, outer: Time) -> Time | None:
    return nth(context, -1, inner, outer)


@rule("<ordinal>", r"(?:to\s+)?last", "<repeated>", rf"{IN}", "<time>")
def _(context: Context, n: int, last: Match, inner: Time, of: Match, outer: Time) -> Time | None:
    return nth(context, -n, inner, outer)


@rule(r"the", "<ordinal>", r"(?:to\s+)?last", "<repeated>", rf"{IN}", "<time>", cost=0.8)
def _(
    context: Context, the: Match, n: int, last: Match, inner: Time, of: Match, outer: Time
) -> Time | None:
    return nth(context, -n, inner, outer)


@rule("<ordinal>", "<repeated>", "<time>", cost=0.8)
def _(context: Context, n: int, inner: Time, outer: Time) -> Time | None:
    """ "first Friday next month"."""
    return _of_month(context, n, inner, outer)


@rule(r"the", "<ordinal>", "<repeated>", "<time>", cost=0.7)
def _(context: Context, the: Match, n: int, inner: Time, outer: Time) -> Time | None:
    return _of_month(context, n, inner, outer)


def _of_month(context: Context, n: int, inner: Time, outer: Time) -> Time | None:
    if inner.form != "weekday" or outer.form not in {"month", "relative"}:
        return None
    return nth(context, n, inner, outer) if outer.grain is Grain.MONTH else None


@rule("<ordinal>", "<repeated>", cost=3)
def _(context: Context, n: int, inner: Time) -> Time | None:
    return nth(context, n, inner, cycle(context, Grain.MONTH, 0))


@rule("<ordinal>", r"quarter|qtr")
def _(context: Context, n: int, match: Match) -> Time | None:
    return _quarter(n)


def _quarter(n: int) -> Time | None:
    if not 1 <= n <= 4:
        return None
    return Time(Every(Grain.QUARTER, lambda start: start.month == 3 * n - 2), "season")


@rule(r"q([1-4])(?:\s?(\d{4}|'?\d\d))?")
def _(context: Context, match: Match) -> Time | None:
    return _quarter_of(context, int(match[1]), match[2])


@rule(r"(\d{4}|'?\d\d)\s?q([1-4])")
def _(context: Context, match: Match) -> Time | None:
    return _quarter_of(context, int(match[2]), match[1])


def _quarter_of(context: Context, n: int, year: str | None) -> Time | None:
    time = _quarter(n)
    if year is None or time is None:
        return time
    number = int(year.lstrip("'"))
    whole = year_of(number + 2000 if number < 100 else number)
    return intersect(time, whole, context) if whole else None


@rule(r"(?:the\s+)?week\s+of", "<time>")
def _(context: Context, match: Match, time: Time) -> Time | None:
    found = meant(time, context.reference)
    if found is None or time.grain is not Grain.DAY:
        return None
    start = floor(found.start, Grain.WEEK)
    if found.start.weekday() == 6:
        start = shift(start, Grain.WEEK, 1)
    return at_unit(start, Grain.WEEK)


@rule(r"(?:the\s+)?(second\s+|third\s+)?closest", "<repeated>", r"to", "<time>")
def _(context: Context, match: Match, inner: Time, to: Match, anchor: Time) -> Time | None:
    middle = meant(anchor, context.reference)
    if middle is None:
        return None
    n = {"second": 1, "third": 2}.get((match[1] or "").strip().lower(), 0)
    items = [*coming(inner.series, middle.start, n + 1), *gone(inner.series, middle.start, n + 1)]
    items.sort(key=lambda item: abs(item.start - middle.start))
    return Time(Once(items[n]), "relative", holiday=inner.holiday) if len(items) > n else None
