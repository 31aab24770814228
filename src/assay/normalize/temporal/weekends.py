"""Weekends: from Friday evening to Monday."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from assay.normalize.temporal.grain import Grain, Interval
from assay.normalize.temporal.series import Series
from assay.normalize.temporal.tokens import Time, weekday


class Weekends(Series):
    """Every weekend, told in hours."""

    grain = Grain.DAY

    @property
    def horizon(self) -> timedelta:
        return timedelta(days=9)

    @property
    def length(self) -> timedelta:
        return timedelta(days=3)

    def between(self, low: datetime, high: datetime) -> Iterator[Interval]:
        for friday in weekday(4).between(low - timedelta(hours=18), high):
            start = friday.start + timedelta(hours=18)
            if low <= start < high:
                yield Interval(start, friday.start + timedelta(days=3), Grain.HOUR)


_WEEKENDS = Weekends()


def weekend() -> Time:
    return Time(_WEEKENDS, "weekend")
