"""Times that lie a length of time away: "in two weeks", "3 days after Easter"."""

# ruff: noqa: ARG001 - a rule is given all that its parts matched
from __future__ import annotations

from dataclasses import replace

from assay.normalize.temporal.english.grammar import Match, cycle, rule
from assay.normalize.temporal.grain import Grain, finer, floor, shift, unit
from assay.normalize.temporal.series import (
    Once,
)
from assay.normalize.temporal.tokens import (
    Context,
    Length,
    Time,
    at_unit,
    intersect,
    shifted,
)

_AGO = r"ago|back|earlier|previously|in\s+the\s+past"
_HENCE = r"from\s+now|hence|later|from\s+today|from\s+right\s+now|from\s+this\s+moment"


def from_now(context: Context, length: Length, sign: int) -> Time:
    now = at_unit(floor(context.reference, Grain.SECOND), Grain.SECOND)
    moved = shifted(now, length, sign, context).series
    assert isinstance(moved, Once)
    start = length.from_(context.reference, sign)
    grain = finer(length.finest)
    result = at_unit(floor(start, grain), grain)
    if length.finest is Grain.YEAR:
        return replace(result, others=(Once(unit(floor(start, Grain.DAY), Grain.DAY)),))
    if length.finest is Grain.DAY:
        return replace(result, others=(Once(unit(floor(start, Grain.DAY), Grain.DAY)),))
    return result


@rule("<length>", _AGO)
def _(context: Context, length: Length, match: Match) -> Time:
    return from_now(context, length, -1)


@rule("<length>", _HENCE, cost=0.9)
def _(context: Context, length: Length, match: Match) -> Time:
    if "today" in match.group().lower():
        return shifted(cycle(context, Grain.DAY, 0), length, 1, context)
    if "right" in match.group().lower():
        return shifted(
            at_unit(floor(context.reference, Grain.SECOND), Grain.SECOND), length, 1, context
        )
    return from_now(context, length, 1)


@rule(r"in|after|within\s+the\s+next", "<length>", cost=0.9)
def _(context: Context, match: Match, length: Length) -> Time | None:
    if match.group().lower() != "in":
        return None
    return from_now(context, length, 1)


@rule(r"in", "<number>", cost=3)
def _(context: Context, match: Match, number: int) -> Time | None:
    return from_now(context, Length(Grain.MINUTE, number), 1) if 0 < number < 60 else None


@rule(r"in", "<workdays>")
def _(context: Context, match: Match, count: int) -> Time:
    return _workdays(context, count)


@rule("<workdays>", r"from\s+(?:now|today)|later|ago")
def _(context: Context, count: int, match: Match) -> Time:
    return _workdays(context, -count if match.group().lower() == "ago" else count)


def _workdays(context: Context, count: int) -> Time:
    day, step = floor(context.reference, Grain.DAY), 1 if count > 0 else -1
    while count:
        day = shift(day, Grain.DAY, step)
        count -= step if day.weekday() < 5 else 0
    return at_unit(day, Grain.DAY)


@rule("<length>", r"after|from|past|following|before|prior\s+to", "<time>")
def _(context: Context, length: Length, match: Match, time: Time) -> Time | None:
    sign = -1 if match.group().lower()[:2] in {"be", "pr"} else 1
    if time.latent or time.bound:
        return None
    return shifted(time, length, sign, context)


@rule(r"(?:the\s+)?day\s+(after|before)", "<time>", cost=1.5)
def _(context: Context, match: Match, time: Time) -> Time | None:
    if time.grain is not Grain.DAY:
        return None
    return shifted(time, Length(Grain.DAY, 1), 1 if match[1].lower() == "after" else -1, context)


@rule("<time>", "<length>", r"ago", cost=1.5)
def _(context: Context, time: Time, length: Length, match: Match) -> Time | None:
    return _in_year(context, time, length, -1)


@rule("<time>", r"in", "<length>", cost=1.5)
def _(context: Context, time: Time, match: Match, length: Length) -> Time | None:
    return _in_year(context, time, length, 1)


def _in_year(context: Context, time: Time, length: Length, sign: int) -> Time | None:
    """ "Easter 2 years ago": in the year that lies that far away."""
    if length.grain is not Grain.YEAR or time.form not in {"holiday", "month", "date"}:
        return None
    return intersect(time, cycle(context, Grain.YEAR, sign * length.count), context)
