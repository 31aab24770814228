"""What the rules put together: times, lengths of time, and how they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from assay.normalize.temporal.grain import LATEST, Grain, Interval, floor, shift, unit
from assay.normalize.temporal.series import (
    Daily,
    Every,
    Mapped,
    Once,
    Series,
    Within,
    Yearly,
    coming,
    gone,
    resolve,
)

Form = Literal[
    "weekday", "month", "day", "date", "year", "hour", "clock", "part", "holiday", "season",
    "weekend", "relative", "span", "unit", "ordinal_day",
]  # fmt: skip


@dataclass(frozen=True)
class Context:
    """What relative times count from. `day_first` is the order of figures such as 3/4, None where
    it is open; `region` a country code, for its holidays."""

    reference: datetime
    day_first: bool | None = None
    region: str = ""
    offset_hours: float = 0.0


@dataclass(frozen=True)
class Time:
    """A time as the words give it. `latent`: one only if something else says so ("10", "15").
    `bound` says that only its start ("after") or its end ("before") is told. `others` are further
    readings that the words leave open. `not_now`: the one lasting at the reference is not meant."""

    series: Series
    form: Form
    latent: bool = False
    bound: Literal["", "after", "before"] = ""
    others: tuple[Series, ...] = ()
    not_now: bool = False
    half_day: bool = field(default=False)
    holiday: str = ""

    @property
    def grain(self) -> Grain:
        return self.series.grain


@dataclass(frozen=True)
class Length:
    """A length of time: `count` units of a grain, more exact pieces beside it."""

    grain: Grain
    count: int
    rest: tuple[tuple[Grain, int], ...] = ()

    def from_(self, moment: datetime, sign: int = 1) -> datetime:
        moment = shift(moment, self.grain, sign * self.count)
        for grain, count in self.rest:
            moment = shift(moment, grain, sign * count)
        return moment

    @property
    def finest(self) -> Grain:
        return min((grain for grain, _ in self.rest), default=self.grain)


def once(start: datetime, end: datetime, grain: Grain, form: Form = "relative") -> Time:
    return Time(Once(Interval(start, end, grain)), form)


def at_unit(start: datetime, grain: Grain, form: Form = "relative") -> Time:
    return Time(Once(unit(start, grain)), form)


def weekday(index: int) -> Series:
    """Every Monday (0) to Sunday (6)."""
    return _Weekdays(index)


@dataclass(frozen=True)
class _Weekdays(Every):
    index: int = 0

    def __init__(self, index: int) -> None:
        object.__setattr__(self, "grain", Grain.DAY)
        object.__setattr__(self, "index", index)
        object.__setattr__(self, "keep", lambda day: day.weekday() == index)

    @property
    def horizon(self) -> timedelta:
        return timedelta(days=8)

    def between(self, low: datetime, high: datetime) -> Iterator[Interval]:
        start = floor(low, Grain.DAY)
        start = shift(start, Grain.DAY, (self.index - start.weekday()) % 7)
        if start < low:
            start = shift(start, Grain.DAY, 7)
        while start < high and start < LATEST:
            yield unit(start, Grain.DAY)
            start = shift(start, Grain.DAY, 7)

    def __hash__(self) -> int:
        return hash(("weekday", self.index))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Weekdays) and other.index == self.index


@dataclass(frozen=True)
class MonthOfYear(Series):
    """Every month of one name, or a day of it."""

    month: int
    day: int | None = None

    @property
    def grain(self) -> Grain:  # type: ignore[override]
        return Grain.MONTH if self.day is None else Grain.DAY

    @property
    def horizon(self) -> timedelta:
        return timedelta(days=366 if (self.month, self.day) != (2, 29) else 3000)

    def between(self, low: datetime, high: datetime) -> Iterator[Interval]:
        for year in range(max(low.year - 1, 1), min(high.year, 9990) + 1):
            try:
                start = datetime(year, self.month, self.day or 1)
            except ValueError:
                continue
            if low <= start < high:
                yield unit(start, self.grain)


@dataclass(frozen=True)
class DayOfMonth(Series):
    """Every day of one number."""

    day: int
    grain: Grain = Grain.DAY

    @property
    def horizon(self) -> timedelta:
        return timedelta(days=93)

    def between(self, low: datetime, high: datetime) -> Iterator[Interval]:
        month = floor(low, Grain.MONTH)
        while month < high:
            try:
                start = month.replace(day=self.day)
            except ValueError:
                start = None
            if start is not None and low <= start < high:
                yield unit(start, Grain.DAY)
            following = shift(month, Grain.MONTH, 1)
            if following <= month:
                return
            month = following


def year_of(number: int) -> Time | None:
    if not 1 <= number < 9000:
        return None
    return at_unit(datetime(number, 1, 1), Grain.YEAR, "year")


def clock(
    hour: int, minute: int | None = None, second: int | None = None, *, half_day: bool = False
) -> Series | None:
    """A time of day; at both hours of the clock's face if `half_day`."""
    if hour > 24 or (minute or 0) > 59 or (second or 0) > 59:
        return None
    grain = Grain.HOUR if minute is None else Grain.MINUTE if second is None else Grain.SECOND
    size = {Grain.HOUR: 3600, Grain.MINUTE: 60, Grain.SECOND: 1}[grain]
    hours = sorted({hour % 12, hour % 12 + 12}) if half_day and 1 <= hour <= 12 else [hour % 24]
    rest = 60 * (minute or 0) + (second or 0)
    return Daily(grain, tuple((3600 * h + rest, 3600 * h + rest + size) for h in hours))


def part_of_day(start: float, end: float) -> Series:
    """A stretch of the day, in hours."""
    return Daily(Grain.HOUR, ((int(start * 3600), int(end * 3600)),))


def intersect(first: Time, second: Time, context: Context) -> Time | None:
    """What is said by two times together: the finer within the coarser."""
    fine, coarse = (first, second) if first.grain < second.grain else (second, first)
    if first.grain == second.grain and not (
        first.grain is Grain.DAY or "part" in {first.form, second.form}
    ):
        return None
    if first.form == second.form == "weekday":
        return None
    if coarse.form == "month" and fine.form in {"hour", "clock"}:
        return None  # "March 3 19" is no time of day in March
    if first.form == "part" and second.form in {"hour", "clock"}:
        fine, coarse = second, first
    if second.form == "part" and first.form in {"hour", "clock"}:
        fine, coarse = first, second
    series = Within(fine.series, coarse.series)
    dated = {first.form, second.form} == {"weekday", "date"}
    if resolve(series, context.reference) is None:
        # A weekday that does not fit its date: the date counts.
        return (first if first.form == "date" else second) if dated else None
    others: tuple[Series, ...] = tuple(Within(fine.series, other) for other in coarse.others[:2])
    others += tuple(Within(other, coarse.series) for other in fine.others[:2])
    if dated:
        # "Sunday, the 10th of February" may have been, or its weekday may be wrong.
        others += tuple(Once(item) for item in gone(series, context.reference))
        others += ((first if first.form == "date" else second).series,)
    form: Form = "date" if fine.grain is Grain.DAY else fine.form
    not_now = fine.not_now and not isinstance(coarse.series, Once)
    holiday = fine.holiday or coarse.holiday
    return Time(series, form, others=others, not_now=not_now, holiday=holiday)


def meant(time: Time, reference: datetime) -> Interval | None:
    """The interval that a time means at a reference: the one now or next, or else the last."""
    if time.not_now:
        items = coming(time.series, reference, 2)
        if items and items[0].start <= reference and len(items) > 1:
            return items[1]
    return resolve(time.series, reference)


def nth_coming(time: Time, reference: datetime, n: int) -> Interval | None:
    """The n-th that has not begun at the reference (n >= 1), or the -n-th that has ended."""
    if n < 0:
        items = gone(time.series, reference, -n)
        return items[-1] if len(items) == -n else None
    items = [i for i in coming(time.series, reference, n + 1) if i.start > reference][:n]
    return items[-1] if len(items) == n else None


def shifted(time: Time, length: Length, sign: int, context: Context) -> Time:
    """The time a length later, told as finely as the length or the time."""
    grain = min(length.finest, time.grain)

    def change(item: Interval) -> Interval:
        return unit(floor(length.from_(item.start, sign), grain), grain)

    reach = timedelta(days=abs(length.count) * 366 + 400)
    if isinstance(time.series, Once):
        return Time(Once(change(time.series.interval)), "relative")
    moved = Mapped(time.series, change, grain, reach)
    found = meant(time, context.reference)
    if found is None:
        return Time(moved, "relative")
    # "A year from Easter": from the next one, or the next day that is one.
    return Time(Once(change(found)), "relative", others=(moved,))


def span(first: Interval, last: Interval) -> Interval:
    """From the start of one to the end of another, counted in the finer of their units."""
    grain = min(first.grain, last.grain)
    end = shift(last.start, grain, 1) if last.grain > grain else last.end
    return Interval(first.start, end, grain)


def yearly(
    rule: Callable[[int], Interval | None], grain: Grain = Grain.DAY, days: int = 1
) -> Series:
    return Yearly(grain, rule, days)
