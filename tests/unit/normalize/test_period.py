"""Lengths of time as ISO 8601 durations."""

import pytest

from assay.normalize.period import Period, find_periods, read_period


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("four (4) years from the Effective Date", "P4Y"),
        ("thirty (30) days", "P30D"),
        ("30 (thirty) days", "P30D"),
        ("a sixty-day period", "P60D"),
        ("twelve (12) full calendar months", "P12M"),
        ("one year and six months", "P1Y6M"),
        ("two and a half years", "P2.5Y"),
        ("half a year", "P0.5Y"),
        ("a year", "P1Y"),
        ("a fortnight", "P2W"),
        ("2 quarters", "P6M"),
        ("18 hours", "PT18H"),
        ("1 day 6 hours", "P1DT6H"),
        ("三十日", "P30D"),
        ("三年", "P3Y"),
        ("六个月", "P6M"),
        ("半年", "P0.5Y"),
        ("一年又一个月21天", "P1Y1M21D"),
    ],
)
def test_reads_a_period(text: str, duration: str) -> None:
    """Words, figures and Chinese give the same duration."""
    assert [period.duration for period in read_period(text).values] == [duration]


@pytest.mark.parametrize("text", ["perpetual", "in perpetuity", "an indefinite period", "永久有效"])
def test_a_period_without_an_end_is_perpetual(text: str) -> None:
    """It has no duration, and says so."""
    assert read_period(text).values == (Period(None, perpetual=True),)
    assert Period(None, perpetual=True).as_json() == {"perpetual": True}


@pytest.mark.parametrize("text", ["ten (10) business days", "10 working days", "10个工作日"])
def test_working_days_are_marked(text: str) -> None:
    """ISO 8601 cannot say it, so a flag does."""
    assert read_period(text).values == (Period("P10D", business_days=True),)


def test_words_and_figure_that_disagree_are_both_candidates() -> None:
    """Neither is chosen."""
    assert [p.duration for p in read_period("thirty (20) days").values] == ["P30D", "P20D"]


@pytest.mark.parametrize(
    "text", ["", "2013年1月", "2013年1月5日", "in the year 2013", "$30", "5 dollars"]
)
def test_dates_and_amounts_are_no_periods(text: str) -> None:
    """A calendar date has the words of a period but is none."""
    assert not read_period(text).understood


def test_separate_periods_stay_separate() -> None:
    """Only larger-to-smaller units that follow one another join."""
    text = "within ten (10) days, or thirty (30) days after a year"
    assert [m.values[0].duration for m in find_periods(text)] == ["P10D", "P30D", "P1Y"]


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("a quarter of an hour", "PT0.25H"),
        ("one year and a half", "P1.5Y"),
        ("4 hours 35", "PT4H35M"),
        ("four hours and thirty-five", "PT4H35M"),
        ("9 mos", "P9M"),
        ("7'", "PT7M"),
        ("25 m", "PT25M"),
        ("个半月", "P1.5M"),
        ("個半鐘", "PT1.5H"),
        ("分半钟", "PT1.5M"),
        ("五小时零八分", "PT5H8M"),
        ("两個字", "PT10M"),
    ],
)
def test_reads_halves_and_what_follows_hours(text: str, duration: str) -> None:
    """The minutes behind hours need no name; short marks count where nothing else is said."""
    (mention,) = find_periods(text)
    assert (mention.start, mention.end) == (0, len(text))
    assert mention.values[0].duration == duration


@pytest.mark.parametrize("text", ["得了二十分", "a 25 m pool", "500個字的信", "7' tall"])
def test_marks_that_are_also_something_else_are_no_time(text: str) -> None:
    """A mark in an exam, metres, characters, feet."""
    assert find_periods(text) == ()


def test_a_count_behind_hours_is_no_minutes() -> None:
    """ "3 hours 20 people" are not 3 hours and 20 minutes."""
    assert find_periods("for 3 hours 20 people waited")[0].values[0].duration == "PT3H"
