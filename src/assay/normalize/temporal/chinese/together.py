"""Two times together: one within the other, or from one to the other."""

# ruff: noqa: ARG001 - a rule is given all that its parts matched
from __future__ import annotations

from assay.normalize.temporal.chinese.grammar import Match, rule
from assay.normalize.temporal.grain import Grain, Interval, floor, shift
from assay.normalize.temporal.series import (
    Once,
    coming,
)
from assay.normalize.temporal.tokens import (
    Context,
    Time,
    intersect,
    meant,
    once,
    span,
)
from assay.normalize.temporal.weekends import weekend


@rule("<time>", "<time>", cost=1.2)
def _(context: Context, first: Time, second: Time) -> Time | None:
    return _together(context, first, second)


@rule("<time>", r"的|,|，|、|在", "<time>", cost=1.3)
def _(context: Context, first: Time, match: Match, second: Time) -> Time | None:
    return _together(context, first, second)


@rule("<time>", r"\(", "<time>", r"\)", cost=0.4)
def _(context: Context, date: Time, left: Match, day: Time, right: Match) -> Time | None:
    """2019年3月8日(星期五)"""
    return _together(context, date, day) if (day.form, date.form) == ("weekday", "date") else None


def _together(context: Context, first: Time, second: Time) -> Time | None:
    if first.latent or second.latent or first.bound or second.bound:
        return None
    if first.grain < second.grain and first.form in {"hour", "clock", "part"}:
        return None
    return intersect(first, second, context)


@rule("<time>", r"到|至|-|~|～|—|和|与", "<time>", cost=1.3)
def _(context: Context, first: Time, match: Match, second: Time) -> Time | None:
    begin = meant(first, context.reference)
    if begin is None or (first.grain >= Grain.DAY and second.grain < Grain.DAY):
        return None
    items = [item for item in coming(second.series, begin.start, 2) if item.start > begin.start]
    return Time(Once(span(begin, items[0])), "span") if items else None


@rule(r"从|自", "<time>", cost=0.5)
def _(context: Context, match: Match, time: Time) -> Time | None:
    return time if time.form == "span" else None


@rule("<time>", r"之?间", cost=0.5)
def _(context: Context, time: Time, match: Match) -> Time | None:
    return time if time.form == "span" else None


@rule(r"周末")
def _(context: Context, match: Match) -> Time:
    return weekend()


@rule("<time>", r"(初|底|末|中旬|上旬|下旬)")
def _(context: Context, time: Time, match: Match) -> Time | None:
    found = meant(time, context.reference)
    if found is None or found.grain is not Grain.MONTH:
        return None
    cuts = {"初": (0, 10), "上": (0, 10), "中": (10, 20)}.get(match[1][0])
    start = found.start
    if cuts is None:
        return Time(Once(Interval(shift(start, Grain.DAY, 20), found.end, Grain.DAY)), "span")
    return once(
        shift(start, Grain.DAY, cuts[0]), shift(start, Grain.DAY, cuts[1]), Grain.DAY, "span"
    )


@rule(r"(月|年)(初|底|末)")
def _(context: Context, match: Match) -> Time:
    """Of this month or this year."""
    grain = Grain.MONTH if match[1] == "月" else Grain.YEAR
    start = floor(context.reference, grain)
    unit_of, size = (Grain.DAY, 10) if grain is Grain.MONTH else (Grain.MONTH, 3)
    end = shift(start, grain, 1)
    if match[2] == "初":
        return once(start, shift(start, unit_of, size), unit_of, "span")
    begin = shift(start, Grain.DAY, 20) if grain is Grain.MONTH else shift(start, Grain.MONTH, 8)
    return once(begin, end, unit_of, "span")
