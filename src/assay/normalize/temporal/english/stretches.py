"""From one time to another, since, until, by, for a while."""

# ruff: noqa: ARG001 - a rule is given all that its parts matched
from __future__ import annotations

from dataclasses import replace

from assay.normalize.temporal.english.grammar import Match, rule
from assay.normalize.temporal.grain import Grain, Interval, floor, shift
from assay.normalize.temporal.series import (
    Daily,
    Mapped,
    Once,
    Series,
    Within,
    coming,
    resolve,
)
from assay.normalize.temporal.tokens import (
    Context,
    DayOfMonth,
    Length,
    MonthOfYear,
    Time,
    meant,
    once,
    span,
)


def between(
    context: Context, first: Time, last: Time, *, within: Time | None = None
) -> Time | None:
    """From one time to the next of another. The half of the day of the last counts for both."""
    if first.bound or last.bound or (first.holiday and last.holiday):
        return None
    if isinstance(last.series, Mapped) and not isinstance(first.series, Mapped):
        return None  # a zone behind a stretch is of both
    start_series = first.series
    if first.half_day and not last.half_day and isinstance(last.series, Daily | Within):
        end = resolve(last.series, context.reference)
        if end is None:
            return None
        start_series = _same_half(first, end)
    begin = resolve(start_series, context.reference)
    if begin is None:
        return None
    items = [item for item in _after(last.series, begin) if item.start > begin.start]
    if not items:
        return None
    whole = span(begin, items[0])
    return Time(Once(whole), "span")


def _same_half(first: Time, end: Interval) -> Series:
    """The hour on the clock's face that comes before the end, nearest to it."""
    assert isinstance(first.series, Daily)
    second = end.start.hour * 3600 + end.start.minute * 60
    before = [stretch for stretch in first.series.stretches if stretch[0] < second]
    return Daily(first.series.grain, (before[-1],)) if before else first.series


def _after(series: Series, begin: Interval) -> list[Interval]:
    return coming(series, begin.start, 3)


def _unlatent(time: Time) -> Time:
    return replace(time, latent=False)


_TO = r"-|–|—|~|to(?:\s+the)?|through|thru|till|til|until|up\s+to|and(?:\s+the)?"


@rule(r"from|between|in\s+between|later\s+than|after", "<time>", rf"{_TO}|but\s+before", "<time>")
def _(context: Context, match: Match, first: Time, to: Match, last: Time) -> Time | None:
    return _stretch(context, first, last)


@rule("<time>", _TO.replace("|and(?:\\s+the)?", ""), "<time>", cost=1.4)
def _(context: Context, first: Time, to: Match, last: Time) -> Time | None:
    if first.latent and last.latent:
        return None
    return _stretch(context, first, last)


def _stretch(context: Context, first: Time, last: Time) -> Time | None:
    if first.form == "ordinal_day" and last.form == "date":
        return None  # "the 11th to the 17 of May": both of May
    clocks = {"hour", "clock"}
    if (
        first.form in clocks
        and last.form not in clocks
        and not (isinstance(last.series, Within | Mapped) and last.grain <= Grain.HOUR)
    ):
        return None
    if first.grain >= Grain.DAY and last.grain < Grain.DAY:
        return None
    if first.form in clocks and isinstance(last.series, Within) and isinstance(first.series, Daily):
        outer = last.series.outer
        whole = between(context, _unlatent(first), Time(last.series.inner, "clock",
                        half_day=last.half_day))  # fmt: skip
        day = resolve(outer, context.reference)
        if whole is None or day is None:
            return None
        return _moved(whole, day)
    return between(context, _unlatent(first), _unlatent(last))


def _moved(whole: Time, day: Interval) -> Time:
    interval = meant_once(whole)
    change = floor(day.start, Grain.DAY) - floor(interval.start, Grain.DAY)
    return once(interval.start + change, interval.end + change, interval.grain, "span")


def meant_once(time: Time) -> Interval:
    assert isinstance(time.series, Once)
    return time.series.interval


@rule("<time>", r",|on|from|between|in|for|in\s+between", "<time>", cost=1.5)
def _(context: Context, first: Time, match: Match, second: Time) -> Time | None:
    return _span_on(context, first, second)


@rule("<time>", "<time>", cost=1.6)
def _(context: Context, first: Time, second: Time) -> Time | None:
    return _span_on(context, first, second)


def _span_on(context: Context, first: Time, second: Time) -> Time | None:
    """ "Thursday from 9 to 11": a stretch of hours on a day."""
    for stretch, day in ((first, second), (second, first)):
        if stretch.form == "span" and stretch.grain <= Grain.HOUR and day.grain is Grain.DAY:
            on = meant(day, context.reference)
            if on is not None and isinstance(stretch.series, Once):
                return _moved(stretch, on)
    return None


def _days(context: Context, first: int, last: int, month: Time) -> Time | None:
    if not isinstance(month.series, MonthOfYear | Once | Within) or month.form not in {
        "month",
        "relative",
        "date",
        "span",
    }:
        return None
    if month.grain is not Grain.MONTH or not first < last:
        return None
    begin = resolve(Within(DayOfMonth(first), month.series), context.reference)
    end = resolve(Within(DayOfMonth(last), month.series), context.reference)
    if begin is None or end is None or end.start <= begin.start:
        return None
    return Time(Once(span(begin, end)), "span")


@rule("<day>", _TO, "<day>", r"of", "<time>")
def _(context: Context, first: int, to: Match, last: int, of: Match, month: Time) -> Time | None:
    return _days(context, first, last, month)


@rule("<day>", _TO, "<day>", "<time>")
def _(context: Context, first: int, to: Match, last: int, month: Time) -> Time | None:
    return _days(context, first, last, month)


@rule("<time>", "<day>", _TO, "<day>")
def _(context: Context, month: Time, first: int, to: Match, last: int) -> Time | None:
    return _days(context, first, last, month)


@rule(r"from|between", "<time>", kind="time", cost=1.5)
def _(context: Context, match: Match, time: Time) -> Time | None:
    if time.form == "span" and not time.bound:
        return time
    if match.group().lower() == "from" and time.form in {"hour", "clock"} and not time.latent:
        return replace(time, bound="after")
    return None


@rule(r"since|after|any\s?time\s+after|starting|from", "<time>", cost=1.6)
def _(context: Context, match: Match, time: Time) -> Time | None:
    if time.bound or time.latent:
        return None
    return replace(time, bound="after")


@rule(r"before|until|till|til|through|thru|up\s+to|prior\s+to|no\s+later\s+than", "<time>")
def _(context: Context, match: Match, time: Time) -> Time | None:
    if time.bound or time.latent:
        return None
    return replace(time, bound="before")


@rule(r"by(?:\s+the)?", "<time>")
def _(context: Context, match: Match, time: Time) -> Time | None:
    """From now until then; the end of a stretch that is named as an end."""
    found = meant(time, context.reference)
    if found is None or time.bound or time.latent:
        return None
    now = floor(context.reference, Grain.SECOND)
    until = found.end if time.form == "span" else found.start
    return once(now, until, Grain.SECOND, "span") if until > now else None


@rule(r"within(?:\s+the\s+next)?", "<length>")
def _(context: Context, match: Match, length: Length) -> Time:
    now = floor(context.reference, Grain.SECOND)
    end = length.from_(now)
    return once(now, floor(end, min(length.finest, Grain.DAY)), Grain.SECOND, "span")


def _for(context: Context, time: Time, length: Length) -> Time | None:
    found = meant(time, context.reference)
    if found is None or time.latent:
        return None
    grain = min(found.grain, length.finest)
    last = length.from_(found.start)
    return once(found.start, shift(last, grain, 1), grain, "span")


@rule("<time>", r"for", "<length>")
def _(context: Context, time: Time, match: Match, length: Length) -> Time | None:
    return _for(context, time, length)


@rule(r"for", "<length>", r"(?:from|starting(?:\s+on)?)", "<time>")
def _(context: Context, match: Match, length: Length, from_: Match, time: Time) -> Time | None:
    return _for(context, time, length)
