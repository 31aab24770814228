"""Days of other calendars in ours: Easter, and the Hebrew, Islamic and Chinese years.

Easter follows the anonymous Gregorian algorithm and Meeus's Julian one; the Hebrew year the
arithmetic of Dershowitz and Reingold, "Calendrical Calculations"; the Islamic one new moons over
Mecca (which sighted moons may miss by a day). Chinese years are found from new moons and the sun's
longitude (Meeus, "Astronomical Algorithms", chapters 25 and 49), in the time of Beijing.
"""

from __future__ import annotations

import math
from datetime import date, timedelta
from functools import cache


def easter(year: int) -> date:
    """Western Easter Sunday."""
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * k) // 451
    month, day = divmod(h + k - 7 * m + 114, 31)
    return date(year, month, day + 1)


def orthodox_easter(year: int) -> date:
    """Eastern Easter Sunday, from the Julian calendar."""
    d = (19 * (year % 19) + 15) % 30
    e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
    month, day = divmod(d + e + 114, 31)
    julian = date(year, month, day + 1)
    return julian + timedelta(days=year // 100 - year // 400 - 2)


# ---- Hebrew

_HEBREW_EPOCH = -1373427  # ordinal of 1 Tishri 1 less one day, so that elapsed days can be added


@cache
def _hebrew_elapsed(year: int) -> int:
    months = (235 * year - 234) // 19
    parts = 12084 + 13753 * months
    day = 29 * months + parts // 25920
    return day + 1 if 3 * (day + 1) % 7 < 3 else day


@cache
def _hebrew_new_year(year: int) -> int:
    before, this, after = (_hebrew_elapsed(item) for item in (year - 1, year, year + 1))
    delay = 2 if after - this == 356 else 1 if this - before == 382 else 0
    return _HEBREW_EPOCH + this + delay


def hebrew(civil_year: int, month: str, day: int) -> date:
    """The day of a Hebrew month that falls into a civil year (months of autumn: of the year that
    begins then)."""
    autumn = month in {"Tishri", "Heshvan", "Kislev", "Tevet"}
    year = civil_year + (3761 if autumn else 3760)
    start = _hebrew_new_year(year)
    length = _hebrew_new_year(year + 1) - start
    leap = length > 380
    heshvan = 30 if length % 10 == 5 else 29
    kislev = 29 if length % 10 == 3 else 30
    months = [("Tishri", 30), ("Heshvan", heshvan), ("Kislev", kislev), ("Tevet", 29)]
    months += [("Shevat", 30), *([("Adar I", 30)] if leap else []), ("Adar", 29), ("Nisan", 30)]
    months += [("Iyar", 29), ("Sivan", 30), ("Tammuz", 29), ("Av", 30), ("Elul", 29)]
    before = 0
    for name, size in months:
        if name == month:
            break
        before += size
    return date.fromordinal(start + before + day - 1)


# ---- Chinese

_SYNODIC = 29.530588861


def new_moon(k: int) -> float:
    """Julian ephemeris day of the k-th new moon from January 2000."""
    t = k / 1236.85
    jde = 2451550.09766 + _SYNODIC * k + 0.00015437 * t * t
    sun = math.radians(2.5534 + 29.1053567 * k)
    moon = math.radians(201.5643 + 385.81693528 * k + 0.0107582 * t * t)
    lat = math.radians(160.7108 + 390.67050284 * k - 0.0016118 * t * t)
    node = math.radians(124.7746 - 1.56375588 * k)
    e = 1 - 0.002516 * t
    return jde + (
        -0.4072 * math.sin(moon)
        + 0.17241 * e * math.sin(sun)
        + 0.01608 * math.sin(2 * moon)
        + 0.01039 * math.sin(2 * lat)
        + 0.00739 * e * math.sin(moon - sun)
        - 0.00514 * e * math.sin(moon + sun)
        + 0.00208 * e * e * math.sin(2 * sun)
        - 0.00111 * math.sin(moon - 2 * lat)
        - 0.00057 * math.sin(moon + 2 * lat)
        + 0.00056 * e * math.sin(2 * moon + sun)
        - 0.00042 * math.sin(3 * moon)
        + 0.00042 * e * math.sin(sun + 2 * lat)
        + 0.00038 * e * math.sin(sun - 2 * lat)
        - 0.00024 * e * math.sin(2 * moon - sun)
        - 0.00017 * math.sin(node)
    )


def _delta_t(year: float) -> float:
    """Days from universal to ephemeris time, roughly."""
    t = year - 2000
    return (63.86 + 0.3345 * t if 1986 <= year < 2050 else 31 + 0.01 * t * t) / 86400


@cache
def _moon_day(k: int, hours: float) -> int:
    """Ordinal of the local day of a new moon."""
    moment = new_moon(k)
    return math.floor(moment - _delta_t(2000 + k / 12.3685) + hours / 24 + 0.5) - 1721425


def sun_longitude(day: float) -> float:
    """Apparent longitude of the sun, in degrees, at a Julian day."""
    t = (day - 2451545.0) / 36525
    mean = 280.46646 + 36000.76983 * t + 0.0003032 * t * t
    anomaly = math.radians(357.52911 + 35999.05029 * t)
    center = (1.914602 - 0.004817 * t) * math.sin(anomaly)
    center += 0.019993 * math.sin(2 * anomaly) + 0.000289 * math.sin(3 * anomaly)
    omega = math.radians(125.04 - 1934.136 * t)
    return (mean + center - 0.00569 - 0.00478 * math.sin(omega)) % 360


def solar_term(year: int, longitude: int) -> date:
    """The day in Beijing on which the sun reaches a longitude (15: 清明, 270: 冬至)."""
    low = date(year, 1, 1).toordinal() + ((longitude - 281) % 360) * 365.2422 / 360 - 4
    for day in range(int(low), int(low) + 9):
        start = sun_longitude(day + 1721424.5 - 8 / 24)
        end = sun_longitude(day + 1 + 1721424.5 - 8 / 24)
        if (longitude - start) % 360 <= (end - start) % 360:
            return date.fromordinal(day)
    raise AssertionError("the sun passes every longitude once a year")


@cache
def _chinese_months(year: int) -> tuple[tuple[int, bool, int], ...]:
    """(number, is leap, ordinal of the first day) of the months from the 11th of the year before
    to the 11th of `year`."""
    first, last = solar_term(year - 1, 270).toordinal(), solar_term(year, 270).toordinal()
    k = math.floor((year - 1 - 2000 + 0.95) * 12.3685) - 1
    while _moon_day(k + 1, 8) <= first:
        k += 1
    starts = [_moon_day(k, 8)]
    while _moon_day(k + 1, 8) <= last:
        k += 1
        starts.append(_moon_day(k, 8))
    leap_year = len(starts) == 14
    months, number, leap_seen = [], 11, False
    for index, start in enumerate(starts):
        is_leap = False
        if index:
            end = starts[index + 1] if index + 1 < len(starts) else _moon_day(k + 1, 8)
            before = int(sun_longitude(start + 1721424.5 - 8 / 24) // 30)
            after = int(sun_longitude(end + 1721424.5 - 8 / 24) // 30)
            is_leap = leap_year and not leap_seen and before == after
            leap_seen |= is_leap
            number = number if is_leap else number % 12 + 1
        months.append((number, is_leap, start))
    return tuple(months)


def chinese(civil_year: int, month: int, day: int) -> date:
    """A day of the Chinese year that begins in a civil year."""
    year = civil_year + 1 if month >= 11 else civil_year
    for number, is_leap, start in _chinese_months(year):
        if number == month and not is_leap:
            return date.fromordinal(start + day - 1)
    raise AssertionError("a Chinese year has all twelve months")


# ---- Islamic


def islamic(year: int, month: int, day: int) -> date:
    """A day of the Islamic calendar as Mecca computes it: a month begins on the day after the new
    moon if that comes early enough (before 10 in the morning) to be seen set after the sun. Until
    1998 the new moon had to come within three hours after midnight of that day."""
    days = (year - 1) * 354 + (3 + 11 * year) // 30 + 29 * (month - 1) + month // 2
    near = 227014 + days + 1721424.5 - 1
    k = round((near - 2451550.1) / _SYNODIC)
    moment = new_moon(k) - _delta_t(2000 + k / 12.3685) - 1721424.5 + 3 / 24
    early = -3 if moment < date(1999, 4, 17).toordinal() else 14
    return date.fromordinal(math.floor(moment + early / 24) + day)


def islamic_in(civil_year: int, month: int, day: int) -> date | None:
    """The day of an Islamic month that falls into a civil year: the first, if two do."""
    guess = int((civil_year - 622) * 33 / 32)
    for year in range(guess - 1, guess + 3):
        if year > 0 and (found := islamic(year, month, day)).year == civil_year:
            return found
    return None
