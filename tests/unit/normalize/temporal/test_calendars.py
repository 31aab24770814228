"""Days of other calendars, against dates that are known."""

from datetime import date

import pytest

from assay.normalize.temporal import calendars
from assay.normalize.temporal.hindu import hindu, onam


@pytest.mark.parametrize(
    ("day", "known"),
    [
        (calendars.easter(2019), date(2019, 4, 21)),
        (calendars.orthodox_easter(2021), date(2021, 5, 2)),
        (calendars.hebrew(2021, "Tishri", 1), date(2021, 9, 7)),
        (calendars.hebrew(2022, "Nisan", 15), date(2022, 4, 16)),
        (calendars.islamic_in(2021, 10, 1), date(2021, 5, 13)),
        (calendars.chinese(2020, 1, 1), date(2020, 1, 25)),
        (calendars.chinese(2023, 5, 5), date(2023, 6, 22)),
        (calendars.solar_term(2021, 15), date(2021, 4, 4)),
        (hindu(2021, "ashvina", 30, 18), date(2021, 11, 4)),
        (onam(2021), date(2021, 8, 21)),
    ],
)
def test_finds_a_day(day: date, known: date) -> None:
    """Easter, the Jewish and Chinese new years, the end of Ramadan, Diwali, Onam."""
    assert day == known
