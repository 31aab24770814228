"""Times that come again ("Tuesday", "the last Friday of a month") as series of intervals.

A series is asked for its intervals within bounds and answers in order; what a document means is
then the first to come, the last one, or whichever the words say. Nothing here is infinite: the
bounds are widened step by step until an interval is found.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from assay.normalize.temporal.grain import (
    EARLIEST,
    LATEST,
    LONGEST,
    Grain,
    Interval,
    floor,
    shift,
    unit,
)

_WINDOWS = (timedelta(days=2), timedelta(days=45), timedelta(days=800), timedelta(days=14_700))
Bounds = tuple[datetime, datetime]


class Series(ABC):
    """Intervals in order, told in `grain`, none longer than `length`."""

    grain: Grain

    @property
    def length(self) -> timedelta:
        return LONGEST[self.grain]

    @property
    def horizon(self) -> timedelta:
        """A time after which it has come again, if it ever does."""
        return _WINDOWS[-1]

    @property
    def bounds(self) -> Bounds | None:
        """Where all its intervals start, if they have bounds (low <= start < high)."""
        return None

    @abstractmethod
    def between(self, low: datetime, high: datetime) -> Iterator[Interval]:
        """The intervals that start within `low <= start < high`, in order."""


@dataclass(frozen=True)
class Once(Series):
    """One interval."""

    interval: Interval

    @property
    def grain(self) -> Grain:  # type: ignore[override]
        return self.interval.grain

    @property
    def length(self) -> timedelta:
        return self.interval.end - self.interval.start

    @property
    def bounds(self) -> Bounds | None:
        return self.interval.start, self.interval.start + timedelta(seconds=1)

    def between(self, low: datetime, high: datetime) -> Iterator[Interval]:
        if low <= self.interval.start < high:
            yield self.interval


@dataclass(frozen=True)
class Every(Series):
    """Each unit of a grain, or those for which `keep` says so."""

    grain: Grain
    keep: Callable[[datetime], bool] = lambda _: True

    def between(self, low: datetime, high: datetime) -> Iterator[Interval]:
        start = floor(low, self.grain)
        if start < low:
            start = shift(start, self.grain, 1)
        while start < high and start < LATEST:
            if self.keep(start):
                yield unit(start, self.grain)
            start = shift(start, self.grain, 1)


@dataclass(frozen=True)
class Yearly(Series):
    """What a rule says of each year, if it says anything."""

    grain: Grain
    rule: Callable[[int], Interval | None]
    days: int = 1

    @property
    def length(self) -> timedelta:
        return timedelta(days=self.days)

    def between(self, low: datetime, high: datetime) -> Iterator[Interval]:
        for year in range(max(low.year - 1, 2), min(high.year + 1, 9990) + 1):
            interval = self.rule(year)
            if interval is not None and low <= interval.start < high:
                yield interval


@dataclass(frozen=True)
class Daily(Series):
    """Stretches of each day, as (start, end) in seconds from midnight."""

    grain: Grain
    stretches: tuple[tuple[int, int], ...]

    @property
    def horizon(self) -> timedelta:
        return timedelta(days=2)

    @property
    def length(self) -> timedelta:
        return timedelta(seconds=max(end - start for start, end in self.stretches))

    def between(self, low: datetime, high: datetime) -> Iterator[Interval]:
        day = floor(low, Grain.DAY)
        while day < high:
            for start, end in self.stretches:
                begin = day + timedelta(seconds=start)
                if low <= begin < high:
                    yield Interval(begin, day + timedelta(seconds=end), self.grain)
            day = shift(day, Grain.DAY, 1)
            if day >= LATEST:
                return


@dataclass(frozen=True)
class Within(Series):
    """The intervals of `inner` that start within one of `outer`."""

    inner: Series
    outer: Series

    @property
    def grain(self) -> Grain:  # type: ignore[override]
        return self.inner.grain

    @property
    def length(self) -> timedelta:
        return self.inner.length

    @property
    def horizon(self) -> timedelta:
        # Hours come with any day; two longer cycles meet within a generation.
        shorter, longer = sorted((self.inner.horizon, self.outer.horizon))
        return longer + shorter if shorter <= timedelta(days=2) else _WINDOWS[-1]

    @property
    def bounds(self) -> Bounds | None:
        return _met(self.inner.bounds, _reached(self.outer.bounds, timedelta(0), self.outer.length))

    def between(self, low: datetime, high: datetime) -> Iterator[Interval]:
        for outer in self.outer.between(_clamped(low, -self.outer.length), high):
            start, end = max(outer.start, low), min(outer.end, high)
            yield from self.inner.between(start, end)


@dataclass(frozen=True)
class Nth(Series):
    """The n-th of `inner` that lies wholly within each of `outer`; from the end if `n` < 0."""

    n: int
    inner: Series
    outer: Series

    @property
    def grain(self) -> Grain:  # type: ignore[override]
        return self.inner.grain

    @property
    def length(self) -> timedelta:
        return self.inner.length

    @property
    def bounds(self) -> Bounds | None:
        return _met(self.inner.bounds, _reached(self.outer.bounds, timedelta(0), self.outer.length))

    def between(self, low: datetime, high: datetime) -> Iterator[Interval]:
        for outer in self.outer.between(_clamped(low, -self.outer.length), high):
            inside = [
                item
                for item in self.inner.between(outer.start, outer.end)
                if item.end <= outer.end or self.inner.grain is not Grain.WEEK
            ]
            index = self.n - 1 if self.n > 0 else self.n
            if -len(inside) <= index < len(inside) and low <= inside[index].start < high:
                yield inside[index]


@dataclass(frozen=True)
class Mapped(Series):
    """What a function makes of each interval of `inner`; none moves by more than `reach`."""

    inner: Series
    change: Callable[[Interval], Interval | None]
    grain: Grain
    reach: timedelta

    @property
    def length(self) -> timedelta:
        return self.reach + self.inner.length

    @property
    def bounds(self) -> Bounds | None:
        return _reached(self.inner.bounds, self.reach, self.reach)

    def between(self, low: datetime, high: datetime) -> Iterator[Interval]:
        begin, end = _clamped(low, -self.reach), _clamped(high, self.reach)
        for item in self.inner.between(begin, end):
            changed = self.change(item)
            if changed is not None and low <= changed.start < high:
                yield changed


def _clamped(moment: datetime, by: timedelta) -> datetime:
    try:
        return min(max(moment + by, EARLIEST), LATEST)
    except OverflowError:
        return LATEST if by > timedelta(0) else EARLIEST


def _reached(bounds: Bounds | None, before: timedelta, after: timedelta) -> Bounds | None:
    return None if bounds is None else (_clamped(bounds[0], -before), _clamped(bounds[1], after))


def _met(first: Bounds | None, second: Bounds | None) -> Bounds | None:
    if first is None or second is None:
        return first or second
    return max(first[0], second[0]), min(first[1], second[1])


def _windows(series: Series, at: datetime, count: int) -> list[Bounds]:
    """Ever wider windows about a moment; the bounds of a series that has them."""
    if series.bounds is not None:
        return [series.bounds]
    wide = [window for window in _WINDOWS if window < series.horizon]
    return [
        (_clamped(at, -window - series.length), _clamped(at, window + series.length))
        for window in [*wide, count * series.horizon]
    ]


def coming(series: Series, reference: datetime, count: int = 1) -> list[Interval]:
    """The next intervals, one that lasts at the reference included, at most `count`."""
    found: list[Interval] = []
    for low, high in _windows(series, reference, count):
        low = max(low, _clamped(reference, -series.length))
        items = series.between(low, high)
        found = [*islice((item for item in items if item.end > reference), count)]
        if len(found) == count:
            break
    return found


def gone(series: Series, reference: datetime, count: int = 1) -> list[Interval]:
    """The last intervals that have ended at the reference, the latest first."""
    found: list[Interval] = []
    for low, high in _windows(series, reference, count):
        items = series.between(low, min(high, reference))
        found = [item for item in items if item.end <= reference][::-1][:count]
        if len(found) == count:
            break
    return found


def resolve(series: Series, reference: datetime) -> Interval | None:
    """The interval meant: the next one, or else the last."""
    if isinstance(series, Once):
        return series.interval
    for find in (coming, gone):
        if found := find(series, reference):
            return found[0]
    return None
