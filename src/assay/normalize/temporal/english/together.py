"""Two times that are said together, and weekends."""

# ruff: noqa: ARG001 - a rule is given all that its parts matched
from __future__ import annotations

from dataclasses import replace

from assay.normalize.temporal.english.grammar import Match, cycle, rule
from assay.normalize.temporal.grain import Grain
from assay.normalize.temporal.tokens import (
    Context,
    DayOfMonth,
    Time,
    intersect,
)
from assay.normalize.temporal.weekends import weekend


def _plain(time: Time) -> bool:
    return not time.latent and not time.bound


@rule("<time>", "<time>", cost=1.2)
def _(context: Context, first: Time, second: Time) -> Time | None:
    return intersect(first, second, context) if _plain(first) and _plain(second) else None


@rule("<time>", r"T", "<time>", cost=0.5)
def _(context: Context, day: Time, match: Match, clock: Time) -> Time | None:
    """ISO 8601: 2013-02-15T10:00."""
    if day.grain is not Grain.DAY or clock.form != "clock":
        return None
    return intersect(day, clock, context)


@rule(
    "<time>",
    r",|of|in|on|from|at|for|'s|during|the|@|in\s+the|on\s+the|,\s*the",
    "<time>",
    cost=1.3,
)
def _(context: Context, first: Time, match: Match, second: Time) -> Time | None:
    return intersect(first, second, context) if _plain(first) and _plain(second) else None


@rule("<time>", r"\(", "<time>", r"\)")
def _(context: Context, first: Time, left: Match, second: Time, right: Match) -> Time | None:
    return intersect(first, second, context) if _plain(first) and _plain(second) else None


@rule(r"on|in|at|during|around|about|by\s+the\s+way", "<time>", kind="time", cost=0.6)
def _(context: Context, match: Match, time: Time) -> Time | None:
    on = match.group().lower() in {"on", "in"}
    if time.form == "date":
        return replace(time, latent=False) if on else None
    forms = {"ordinal_day"} if on else {"hour", "clock"}
    return replace(time, latent=False) if time.form in forms else None


@rule(r"on", "<day>", cost=2)
def _(context: Context, match: Match, day: int) -> Time | None:
    return Time(DayOfMonth(day), "ordinal_day")


@rule(r"the", "<number>", cost=2)
def _(context: Context, match: Match, day: int) -> Time | None:
    """ "the 27": a day, where nothing follows that it could count."""
    if not 1 <= day <= 31:
        return None
    return Time(DayOfMonth(day), "ordinal_day")


@rule(r"the\s+day\s+(before|after)(?=\W*(?:\Z|[.,;!?\n]))", cost=2.5)
def _(context: Context, match: Match) -> Time:
    return cycle(context, Grain.DAY, -1 if match[1].lower() == "before" else 1)


@rule(r"my\s+day")
def _(context: Context, match: Match) -> Time:
    return cycle(context, Grain.DAY, 0)


@rule(r"approximately|around|about|roughly|exactly|precisely|sharp", "<time>")
def _(context: Context, match: Match, time: Time) -> Time:
    return time


@rule("<time>", r"-?\s?ish|sharp|exactly|approximately")
def _(context: Context, time: Time, match: Match) -> Time:
    return replace(time, latent=False)


@rule(r"(?:the\s+)?(?:week[\s-]?end|wkend|wknd)s?")
def _(context: Context, match: Match) -> Time:
    return weekend()
