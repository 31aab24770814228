"""This, the next and the last of what comes again: "next Friday", "2 Thursdays ago"."""

# ruff: noqa: ARG001 - a rule is given all that its parts matched
from __future__ import annotations

from assay.normalize.temporal.english.grammar import LAST, NEXT, THIS, Match, cycle, rule
from assay.normalize.temporal.grain import Grain, floor, unit
from assay.normalize.temporal.series import (
    Once,
    Series,
    Within,
    coming,
    gone,
)
from assay.normalize.temporal.tokens import (
    Context,
    Time,
    intersect,
    nth_coming,
    weekday,
)


@rule(THIS, "<time>")
def _(context: Context, match: Match, time: Time) -> Time | None:
    if time.form == "weekday":
        week = Once(unit(floor(context.reference, Grain.WEEK), Grain.WEEK))
        next_one = nth_coming(time, context.reference, 1)
        if next_one is None:
            return None
        return Time(Once(next_one), "relative", others=(Within(time.series, week),))
    if time.form in {"month", "holiday", "season", "part", "weekend"}:
        if time.form == "part":
            return intersect(cycle(context, Grain.DAY, 0), time, context)
        found = coming(time.series, context.reference)
        return Time(Once(found[0]), "relative", holiday=time.holiday) if found else None
    return None


@rule(NEXT, "<time>")
def _(context: Context, match: Match, time: Time) -> Time | None:
    if time.form not in {"weekday", "month", "holiday", "season", "weekend"}:
        return None
    found = nth_coming(time, context.reference, 1)
    if found is None:
        return None
    others: tuple[Series, ...] = ()
    if time.form == "weekday":
        others = (Within(time.series, cycle(context, Grain.WEEK, 1).series),)
    if time.form == "month":
        others = (Within(time.series, cycle(context, Grain.YEAR, 1).series),)
    return Time(Once(found), "relative", others=others, holiday=time.holiday)


@rule(LAST, "<time>")
def _(context: Context, match: Match, time: Time) -> Time | None:
    if time.form not in {"weekday", "month", "holiday", "season", "weekend"}:
        return None
    found = gone(time.series, context.reference)
    if not found:
        return None
    others: tuple[Series, ...] = ()
    if time.form == "weekday":
        others = (Within(time.series, cycle(context, Grain.WEEK, -1).series),)
    return Time(Once(found[0]), "relative", others=others, holiday=time.holiday)


@rule("<time>", r"after\s+next")
def _(context: Context, time: Time, match: Match) -> Time | None:
    if time.form not in {"weekday", "month", "holiday"}:
        return None
    found = nth_coming(time, context.reference, 2)
    return None if found is None else Time(Once(found), "relative")


@rule("<count>", "<plural_time>", r"ago|back")
def _(context: Context, count: int, time: Time, match: Match) -> Time | None:
    found = nth_coming(time, context.reference, -count)
    return None if found is None else Time(Once(found), "relative")


@rule("<count>", "<plural_time>", r"from\s+(?:now|today)|hence")
def _(context: Context, count: int, time: Time, match: Match) -> Time | None:
    found = nth_coming(time, context.reference, count)
    return None if found is None else Time(Once(found), "relative")


for _index, _name in enumerate(("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")):

    @rule(rf"{_name}days?", kind="plural_time")
    def _(context: Context, match: Match, index: int = _index) -> Time:
        return Time(weekday(index), "weekday")
