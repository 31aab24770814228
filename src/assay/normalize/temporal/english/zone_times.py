"""Times of other zones."""

from __future__ import annotations

from datetime import timedelta

from assay.normalize.temporal.english.grammar import Match, rule
from assay.normalize.temporal.grain import Grain, Interval, shift
from assay.normalize.temporal.series import (
    Mapped,
    Series,
)
from assay.normalize.temporal.tokens import (
    Context,
    Time,
)
from assay.normalize.temporal.zones import ZONES

_ZONE = "|".join(sorted(ZONES, key=len, reverse=True))


@rule("<time>", rf"\(?({_ZONE})\)?", cost=0.7)
def _(context: Context, time: Time, match: Match) -> Time | None:
    if time.form not in {"hour", "clock", "span"} or time.grain >= Grain.DAY:
        return None
    return zoned(context, time, match[1])


def zoned(context: Context, time: Time, name: str) -> Time:
    """A time of another zone in the reference's own."""
    here = timedelta(hours=context.offset_hours)
    change = here - timedelta(hours=ZONES[name.lower()])

    def moved(item: Interval) -> Interval:
        grain = min(item.grain, Grain.MINUTE)
        end = item.end + change if time.form == "span" else shift(item.start, grain, 1) + change
        return Interval(item.start + change, end, grain)

    series: Series = Mapped(time.series, moved, Grain.MINUTE, timedelta(days=2))
    return Time(series, "clock" if time.form != "span" else "span")
