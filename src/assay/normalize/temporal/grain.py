"""How finely a time is told, and stretches of time told so."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum


class Grain(IntEnum):
    """The unit that a time is told in, fine ones first."""

    SECOND = 0
    MINUTE = 1
    HOUR = 2
    DAY = 3
    WEEK = 4
    MONTH = 5
    QUARTER = 6
    YEAR = 7


_FIXED = {
    Grain.SECOND: timedelta(seconds=1),
    Grain.MINUTE: timedelta(minutes=1),
    Grain.HOUR: timedelta(hours=1),
    Grain.DAY: timedelta(days=1),
    Grain.WEEK: timedelta(weeks=1),
}
_MONTHS = {Grain.MONTH: 1, Grain.QUARTER: 3, Grain.YEAR: 12}
# No unit is longer than this.
LONGEST = {
    **_FIXED,
    Grain.MONTH: timedelta(days=31),
    Grain.QUARTER: timedelta(days=92),
    Grain.YEAR: timedelta(days=366),
}
EARLIEST, LATEST = datetime(1, 1, 2), datetime(9998, 12, 30)


@dataclass(frozen=True, slots=True)
class Interval:
    """The time from `start` up to, and without, `end`. `grain` is what it was told in."""

    start: datetime
    end: datetime
    grain: Grain


def floor(moment: datetime, grain: Grain) -> datetime:
    """The start of the unit that a moment lies in. Weeks start on Monday."""
    if grain is Grain.SECOND:
        return moment.replace(microsecond=0)
    if grain is Grain.MINUTE:
        return moment.replace(second=0, microsecond=0)
    if grain is Grain.HOUR:
        return moment.replace(minute=0, second=0, microsecond=0)
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if grain is Grain.DAY:
        return day
    if grain is Grain.WEEK:
        return shift(day, Grain.DAY, -day.weekday())
    if grain is Grain.MONTH:
        return day.replace(day=1)
    if grain is Grain.QUARTER:
        return day.replace(day=1, month=3 * ((day.month - 1) // 3) + 1)
    return day.replace(day=1, month=1)


def shift(moment: datetime, grain: Grain, count: int) -> datetime:
    """A moment `count` units later; the last day of a month where there is no such day. Stays
    within what `datetime` can say."""
    try:
        if grain in _FIXED:
            return min(max(moment + count * _FIXED[grain], EARLIEST), LATEST)
        months = moment.year * 12 + moment.month - 1 + count * _MONTHS[grain]
        year, month = divmod(months, 12)
        day = min(moment.day, monthrange(year, month + 1)[1]) if 0 < year < 9999 else 1
        return moment.replace(year=year, month=month + 1, day=day)
    except (OverflowError, ValueError):
        return LATEST if count > 0 else EARLIEST


def unit(start: datetime, grain: Grain, count: int = 1) -> Interval:
    """The interval of `count` units from a moment."""
    return Interval(start, shift(start, grain, count), grain)


def finer(grain: Grain) -> Grain:
    """The unit that a length of time in `grain` is exact to: months say the day, days the hour."""
    if grain is Grain.YEAR:
        return Grain.MONTH
    if grain in {Grain.QUARTER, Grain.MONTH, Grain.WEEK}:
        return Grain.DAY
    return Grain(max(grain - 1, 0))
