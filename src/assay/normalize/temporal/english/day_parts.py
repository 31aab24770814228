"""Parts of the day, alone and with an hour."""

# ruff: noqa: ARG001 - a rule is given all that its parts matched
from __future__ import annotations

from dataclasses import replace

from assay.normalize.temporal.english.distances import from_now
from assay.normalize.temporal.english.grammar import Match, cycle, rule
from assay.normalize.temporal.grain import Grain, floor
from assay.normalize.temporal.series import (
    Daily,
    Series,
    Within,
    resolve,
)
from assay.normalize.temporal.tokens import (
    Context,
    Length,
    Time,
    at_unit,
    intersect,
    part_of_day,
)

_PARTS = {
    r"(?:early|early\s+in\s+the|early\s+hours\s+of\s+the)\s+morning": (0, 9),
    r"(?:late|later\s+in\s+the)\s+morning": (11, 12),
    r"morning": (0, 12),
    r"after\s?noon": (12, 19),
    r"(?:late|later\s+in\s+the)\s+after\s?noon": (17, 19),
    r"early\s+after\s?noon": (12, 15),
    r"evening|night|nite": (18, 24),
    r"late\s+(?:at\s+)?(?:night|nite)": (21, 24),
    r"(?:at\s+)?lunch(?:\s?time)?": (12, 14),
    r"breakfast": (5, 10),
    r"brunch": (9, 14),
    r"dinner|supper": (18, 21),
    r"after\s+lunch": (13, 17),
    r"after\s+work": (17, 21),
    r"after\s+school": (15, 21),
}
for _name, _hours in _PARTS.items():

    @rule(rf"(?:in\s+the\s+|the\s+)?(?:{_name})(?:\s+hours)?")
    def _(context: Context, match: Match, hours: tuple[int, int] = _hours) -> Time:
        return Time(part_of_day(*hours), "part")


@rule(r"(late\s+)?(?:tonight|tonite)s?|(late\s+)tonite")
def _(context: Context, match: Match) -> Time | None:
    start = 21 if (match[1] or match[2]) else 18
    return intersect(cycle(context, Grain.DAY, 0), Time(part_of_day(start, 24), "part"), context)


@rule(r"(late\s+)?last\s+night|yesterday\s+night")
def _(context: Context, match: Match) -> Time | None:
    start = 21 if match[1] else 18
    return intersect(cycle(context, Grain.DAY, -1), Time(part_of_day(start, 24), "part"), context)


@rule("<time>", r"tonight|tonite")
def _(context: Context, time: Time, match: Match) -> Time | None:
    return _in_part(context, time, _tonight(context))


def _tonight(context: Context) -> Time:
    found = intersect(cycle(context, Grain.DAY, 0), Time(part_of_day(18, 24), "part"), context)
    assert found is not None
    return found


def _in_part(context: Context, hour: Time, part: Time) -> Time | None:
    if hour.form not in {"hour", "clock"}:
        return None
    series: Series = Within(hour.series, part.series)
    within = part.series.inner if isinstance(part.series, Within) else part.series
    if hour.half_day and isinstance(hour.series, Daily) and isinstance(within, Daily):
        # "tomorrow evening at 7": the part of the day says which half of it.
        late = within.stretches[0][0] >= 43200
        half = Daily(hour.series.grain, (hour.series.stretches[-1 if late else 0],))
        series = Within(half, part.series.outer) if isinstance(part.series, Within) else half
    if resolve(series, context.reference) is None:
        return None
    return Time(series, "clock")


@rule("<time>", "<time>", cost=1.1)
def _(context: Context, first: Time, second: Time) -> Time | None:
    """A bare hour beside a part of the day: "tonight 740", "8 tomorrow evening"."""
    for hour, part in ((first, second), (second, first)):
        if hour.latent and hour.form in {"hour", "clock"} and _is_part(part):
            return _in_part(context, hour, part)
    return None


@rule("<time>", r"at|@|around|about|in\s+the|,", "<time>", cost=1.1)
def _(context: Context, first: Time, match: Match, second: Time) -> Time | None:
    """ "at 8 in the evening", "this morning at 10"; "tomorrow at 3"."""
    for hour, part in ((first, second), (second, first)):
        if hour.latent and hour.form in {"hour", "clock"} and _is_part(part):
            return _in_part(context, hour, part)
    if second.latent and second.form in {"hour", "clock"} and match.group().lower() in {"at", "@"}:
        if first.latent or first.bound or first.form in {"hour", "clock"}:
            return None
        return intersect(replace(second, latent=False), first, context)
    if first.latent and first.form in {"hour", "clock"} and _is_part(second):
        return _in_part(context, first, second)
    return None


@rule(r"at|@", "<time>", cost=0.6)
def _(context: Context, match: Match, time: Time) -> Time | None:
    return replace(time, latent=False) if time.form in {"hour", "clock"} and time.latent else None


@rule("<time>", r"in", "<length>", cost=1.4)
def _(context: Context, time: Time, match: Match, length: Length) -> Time | None:
    """ "at 7 in 3 years"."""
    if time.form not in {"hour", "clock"} or length.grain < Grain.DAY:
        return None
    day = from_now(context, length, 1)
    start = floor(length.from_(context.reference), Grain.DAY)
    grain = Grain.MONTH if length.grain is Grain.YEAR else Grain.DAY
    del day
    return intersect(replace(time, latent=False), at_unit(floor(start, grain), grain), context)


@rule(r"in", "<length>", r"at", "<time>", cost=1.4)
def _(context: Context, match: Match, length: Length, at: Match, time: Time) -> Time | None:
    if time.form not in {"hour", "clock"} or length.grain < Grain.DAY:
        return None
    start = floor(length.from_(context.reference), Grain.DAY)
    grain = Grain.MONTH if length.grain is Grain.YEAR else Grain.DAY
    return intersect(replace(time, latent=False), at_unit(floor(start, grain), grain), context)


def _is_part(time: Time) -> bool:
    return time.form == "part" or (
        isinstance(time.series, Within) and time.grain is Grain.HOUR and not time.latent
    )
