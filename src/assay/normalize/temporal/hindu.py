"""Days of the Hindu lunar calendar, from the places of sun and moon (Meeus, chapters 25 and 47,
main terms), for the time of India.

A month is counted from new moon to new moon and named for the sign that the sun enters in it; its
days are the twelfths-of-a-circle (tithis) by which the moon leads the sun: 1-15 waxing, 16-30
waning. A festival is the day on which its tithi stands at the festival's hour. Panchangs differ
by a day now and then; so may this.
"""

from __future__ import annotations

import math
from datetime import date, timedelta
from functools import cache

from assay.normalize.temporal.calendars import new_moon, sun_longitude

MONTHS = (
    "chaitra", "vaishakha", "jyeshtha", "ashadha", "shravana", "bhadrapada", "ashvina", "kartika",
    "margashirsha", "pausha", "magha", "phalguna",
)  # fmt: skip
_INDIA = 5.5


def _moon_longitude(day: float) -> float:
    """Longitude of the moon in degrees at a Julian day."""
    t = (day - 2451545.0) / 36525
    mean = 218.3164477 + 481267.88123421 * t
    d = math.radians(297.8501921 + 445267.1114034 * t)
    m = math.radians(357.5291092 + 35999.0502909 * t)
    n = math.radians(134.9633964 + 477198.8675055 * t)
    f = math.radians(93.272095 + 483202.0175233 * t)
    return (
        mean
        + 6.288774 * math.sin(n)
        + 1.274027 * math.sin(2 * d - n)
        + 0.658314 * math.sin(2 * d)
        + 0.213618 * math.sin(2 * n)
        - 0.185116 * math.sin(m)
        - 0.114332 * math.sin(2 * f)
        + 0.058793 * math.sin(2 * d - 2 * n)
        + 0.057066 * math.sin(2 * d - m - n)
        + 0.053322 * math.sin(2 * d + n)
        + 0.045758 * math.sin(2 * d - m)
        - 0.040923 * math.sin(m - n)
        - 0.03472 * math.sin(d)
        - 0.030383 * math.sin(m + n)
    ) % 360


def _tithi(day: date, hour: float) -> int:
    moment = day.toordinal() + 1721424.5 + (hour - _INDIA) / 24
    return int((_moon_longitude(moment) - sun_longitude(moment)) % 360 // 12) + 1


def _ayanamsa(day: float) -> float:
    """How far the signs that Indian calendars count lie behind the equinox."""
    return 23.853 + (day - 2451545.0) / 365.2422 * 50.29 / 3600


@cache
def _month_starts(year: int) -> dict[str, float]:
    """The new moons (Julian days) that begin the months of a civil year; of two of a name, the
    second, which is not the added one."""
    starts: dict[str, float] = {}
    first = math.floor((year - 2000) * 12.3685) - 2
    for k in range(first, first + 17):
        begin, end = new_moon(k), new_moon(k + 1)
        sign = int((sun_longitude(begin) - _ayanamsa(begin)) % 360 // 30)
        after = int((sun_longitude(end) - _ayanamsa(end)) % 360 // 30)
        if sign == after:
            continue  # an added month
        name = MONTHS[(sign + 1) % 12]
        # A month that begins late in the year before is wanted for the days that fall into this.
        starts.setdefault(f"{name}:{_year_of(begin)}", begin)
    return starts


def _year_of(day: float) -> int:
    return date.fromordinal(int(day - 1721424.5)).year


def hindu(year: int, month: str, tithi: int, hour: float = 6.0) -> date | None:
    """The day of a civil year on which a tithi of a month stands at an hour of the day."""
    for begun_in in (year, year - 1):
        begin = _month_starts(year).get(f"{month}:{begun_in}")
        if begin is None:
            continue
        guess = date.fromordinal(int(begin - 1721424.5 + (tithi - 1) * 0.984))
        days = [guess + timedelta(days=step) for step in range(-2, 4)]
        numbers = [_tithi(day, hour) for day in days]
        for index, day in enumerate(days):
            skipped = index and numbers[index - 1] == tithi - 1 and numbers[index] == tithi + 1
            if (numbers[index] == tithi or skipped) and day.year == year:
                return days[index - 1] if skipped else day
    return None


def onam(year: int) -> date | None:
    """Thiru Onam of Kerala: the moon in Shravana, the sun in Leo, at noon."""
    for number in range(date(year, 8, 17).toordinal(), date(year, 9, 17).toordinal()):
        moment = number + 1721424.5 + (12 - _INDIA) / 24
        if 280 <= (_moon_longitude(moment) - _ayanamsa(moment)) % 360 < 280 + 40 / 3:
            return date.fromordinal(number)
    return None
