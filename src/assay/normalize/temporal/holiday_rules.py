"""How holidays are told: a day of the year, a weekday of a month, days from Easter, a calendar.

Each function answers with a series of intervals, which a grammar gives a name.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta

from assay.normalize.temporal import calendars
from assay.normalize.temporal.grain import Grain, Interval
from assay.normalize.temporal.hindu import hindu as hindu_day
from assay.normalize.temporal.hindu import onam as onam_day
from assay.normalize.temporal.series import Series, Yearly


def _days(rule: Callable[[int], date | None], start: int = 0, count: int = 1) -> Series:
    """`count` days from `start` days after what a rule says of each year."""

    def of(year: int) -> Interval | None:
        try:
            day = rule(year)
        except (ValueError, OverflowError):
            return None
        if day is None:
            return None
        first = datetime(day.year, day.month, day.day) + timedelta(days=start)
        return Interval(first, first + timedelta(days=count), Grain.DAY)

    return Yearly(Grain.DAY, of, count)


def fixed(month: int, day: int, count: int = 1) -> Series:
    """The same day of every year."""
    return _days(lambda year: date(year, month, day), 0, count)


def fixed_but_sunday(month: int, day: int) -> Series:
    """A day of the year; the day before where it is a Sunday."""

    def of(year: int) -> date:
        found = date(year, month, day)
        return found - timedelta(days=found.weekday() == 6)

    return _days(of)


def nth_weekday(n: int, weekday: int, month: int, offset: int = 0, count: int = 1) -> Series:
    """The n-th weekday of a month (Monday 0; from the end if n < 0), and days after it."""

    def of(year: int) -> date:
        if n > 0:
            first = date(year, month, 1)
            return first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (n - 1))
        following = date(year + month // 12, month % 12 + 1, 1)
        last = following - timedelta(days=1)
        return last - timedelta(days=(last.weekday() - weekday) % 7 - 7 * (n + 1))

    return _days(of, offset, count)


def weekday_before(month: int, day: int, weekday: int) -> Series:
    """The last such weekday before a day of the year."""

    def of(year: int) -> date:
        limit = date(year, month, day) - timedelta(days=1)
        return limit - timedelta(days=(limit.weekday() - weekday) % 7)

    return _days(of)


def nearest_workday(month: int, day: int) -> Series:
    """A day of the year, moved off a weekend to the nearest weekday."""

    def of(year: int) -> date:
        found = date(year, month, day)
        return found + timedelta(days={5: -1, 6: 1}.get(found.weekday(), 0))

    return _days(of)


def nearest_weekday(month: int, day: int, weekday: int) -> Series:
    """The weekday that is nearest to a day of the year."""

    def of(year: int) -> date:
        middle = date(year, month, day)
        return middle + timedelta(days=(weekday - middle.weekday() + 3) % 7 - 3)

    return _days(of)


def easter(offset: int, count: int = 1) -> Series:
    """Days after Western Easter Sunday."""
    return _days(calendars.easter, offset, count)


def orthodox(offset: int, count: int = 1) -> Series:
    """Days after Eastern Easter Sunday."""
    return _days(calendars.orthodox_easter, offset, count)


def hebrew(month: str, day: int, offset: int = 0, count: int = 1) -> Series:
    return _days(lambda year: calendars.hebrew(year, month, day), offset, count)


def islamic(month: int, day: int, offset: int = 0, count: int = 1) -> Series:
    return _days(lambda year: calendars.islamic_in(year, month, day), offset, count)


def chinese(month: int, day: int, offset: int = 0) -> Series:
    return _days(lambda year: calendars.chinese(year, month, day), offset)


def chinese_eve() -> Series:
    """The last day of the Chinese year."""
    return _days(lambda year: calendars.chinese(year, 1, 1), -1)


def solar_term(longitude: int) -> Series:
    return _days(lambda year: calendars.solar_term(year, longitude))


def hindu(month: str, tithi: int, hour: float = 6.0, offset: int = 0, count: int = 1) -> Series:
    return _days(lambda year: hindu_day(year, month, tithi, hour), offset, count)


def once(year: int, month: int, day: int) -> Series:
    """A day of one year."""
    return _days(lambda number: date(year, month, day) if number == year else None)


def tax_day() -> Series:
    """The 15th of April, or the first weekday after it that is not Emancipation Day, observed."""

    def of(year: int) -> date:
        day = date(year, 4, 15)
        emancipation = date(year, 4, 16)
        emancipation += timedelta(days={5: -1, 6: 1}.get(emancipation.weekday(), 0))
        while day.weekday() > 4 or day == emancipation:
            day += timedelta(days=1)
        return day

    return _days(of)


def every_fourth(base: Series, remainder: int) -> Series:
    """A series in years of elections only."""
    assert isinstance(base, Yearly)
    rule = base.rule
    return Yearly(base.grain, lambda year: rule(year) if year % 4 == remainder else None, base.days)


def hours(base: Series, start: float, end: float) -> Series:
    """Some hours of a holiday, told in minutes."""
    assert isinstance(base, Yearly)
    rule = base.rule

    def of(year: int) -> Interval | None:
        day = rule(year)
        if day is None:
            return None
        begin, last = day.start + timedelta(hours=start), day.start + timedelta(hours=end)
        return Interval(begin, last + timedelta(minutes=1), Grain.MINUTE)

    return Yearly(Grain.MINUTE, of)


def last_friday_of_ramadan() -> Series:
    def of(year: int) -> date | None:
        end = calendars.islamic_in(year, 10, 1)
        return None if end is None else end - timedelta(days=(end.weekday() - 5) % 7 + 1)

    return _days(of)


def parsi_new_year() -> Series:
    """Of the Shahenshahi calendar, whose years have 365 days."""
    return _days(lambda year: date(2018, 8, 17) + timedelta(days=365 * (year - 2018)))


def onam() -> Series:
    """The day of the moon in Shravana while the sun is in Leo."""
    return _days(onam_day)
