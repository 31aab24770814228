"""Series of times: what comes next, what came last, and where nothing comes."""

from datetime import datetime

from assay.normalize.temporal.grain import Grain, Interval, unit
from assay.normalize.temporal.series import Every, Nth, Once, Within, coming, gone, resolve
from assay.normalize.temporal.tokens import DayOfMonth, MonthOfYear, clock, weekday

REFERENCE = datetime(2021, 6, 15, 9, 30)


def test_the_next_and_the_last_of_a_weekday() -> None:
    """One that lasts at the reference counts as the next."""
    assert coming(weekday(1), REFERENCE)[0].start == datetime(2021, 6, 15)
    assert [item.start.day for item in gone(weekday(0), REFERENCE, 2)] == [14, 7]


def test_a_rare_meeting_is_found_years_ahead() -> None:
    """The next 29th of February that is a Saturday."""
    series = Within(weekday(5), MonthOfYear(2, 29))
    assert coming(series, REFERENCE)[0].start == datetime(2048, 2, 29)


def test_what_never_meets_is_given_up() -> None:
    """No time of day within another; no 31st of June."""
    noon, evening = clock(12), clock(20)
    assert noon is not None
    assert evening is not None
    assert resolve(Within(noon, evening), REFERENCE) is None
    assert resolve(Within(DayOfMonth(31), MonthOfYear(6)), REFERENCE) is None


def test_what_is_past_is_found_where_nothing_comes() -> None:
    """A year that is over is meant as it was."""
    year = Once(Interval(datetime(2014, 1, 1), datetime(2015, 1, 1), Grain.YEAR))
    found = resolve(Within(MonthOfYear(3), year), REFERENCE)
    assert found == unit(datetime(2014, 3, 1), Grain.MONTH)


def test_the_last_week_lies_wholly_within() -> None:
    """A week that ends in the next month is not the last week of this one."""
    series = Nth(-1, Every(Grain.WEEK), MonthOfYear(9))
    assert coming(series, REFERENCE)[0].start == datetime(2021, 9, 20)
