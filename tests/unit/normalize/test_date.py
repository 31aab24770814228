"""Dates as ISO strings: whole, partial, and open between two orders."""

from datetime import datetime

import pytest

from assay.normalize.date import find_dates, read_date


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("January 1, 2013", "2013-01-01"),
        ("1 January 2013", "2013-01-01"),
        ("the 1st day of January, 2013", "2013-01-01"),
        ("30  day of June, 2014", "2014-06-30"),
        ("the twenty-first of May, 2017", "2017-05-21"),
        ("Dec. 8, 2005", "2005-12-08"),
        ("4-JUL-2019", "2019-07-04"),
        ("31/Oct/1974", "1974-10-31"),
        ("12/31/2019", "2019-12-31"),
        ("31.12.2019", "2019-12-31"),
        ("5/17/12", "2012-05-17"),
        ("5/17/98", "1998-05-17"),
        ("2013-01-05", "2013-01-05"),
        ("2013/1/5", "2013-01-05"),
        ("2013年1月1日", "2013-01-01"),
        ("二〇一三年十二月三十一日", "2013-12-31"),
        ("2013年5月", "2013-05"),
        ("____ day of June, 2003", "2003-06"),
        ("March ____, 2014", "2014-03"),
        ("[·] day of [·], 2015", "2015"),
        ("March 2020", "2020-03"),
        ("31 December", "--12-31"),
    ],
)
def test_reads_a_date(text: str, iso: str) -> None:
    """What is stated is decided; what is blank is left out."""
    assert read_date(text).values == (iso,)


def test_figures_in_an_open_order_are_read_both_ways() -> None:
    """The order that the mark suggests comes first."""
    assert read_date("12.03.2025").values == ("2025-03-12", "2025-12-03")
    assert read_date("12/03/2025").values == ("2025-12-03", "2025-03-12")


def test_equal_day_and_month_leave_nothing_open() -> None:
    """5/5/2020 is one day in any order."""
    assert read_date("5/5/2020").values == ("2020-05-05",)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "February 30, 2020",
        "13/13/2020",
        "you may 5 times",
        "version 1.2.3",
        "1/2",
        "24:00",
    ],
)
def test_what_is_no_day_is_not_understood(text: str) -> None:
    """Impossible days, verbs and other figures give no date."""
    assert not read_date(text).understood


def test_dates_stand_where_they_say_and_do_not_overlap() -> None:
    """The longest reading of a place is the one found."""
    text = "Made on 3 May 2021, ending May 2, 2024; 2022年1月31日续签。"
    assert [text[m.start : m.end] for m in find_dates(text)] == [
        "3 May 2021",
        "May 2, 2024",
        "2022年1月31日",
    ]


def test_with_a_reference_relative_days_count() -> None:
    """What is open without a year has the last and the next such day."""
    reference = datetime(2016, 11, 7)
    text = "back on May 21st, or four days after today"
    found = [(text[m.start : m.end], m.values) for m in find_dates(text, reference)]
    assert found == [
        ("May 21st", ("2016-05-21", "2017-05-21")),
        ("four days after today", ("2016-11-11",)),
    ]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Apr 7 18", "2018-04-07"),
        ("May twenty-second nineteen eighty-seven", "1987-05-22"),
        ("the 9th of May twenty nineteen", "2019-05-09"),
        ("19th next month", "2021-07-19"),
        ("second Tuesday next month", "2021-07-13"),
        ("the third Monday August", "2021-08-16"),
        ("lunar new year", "2022-02-01"),
        ("singles' day", "2021-11-11"),
        ("2018年4月7日(星期六)", "2018-04-07"),
        ("正月十八", "2022-02-18"),
        ("大年初四", "2022-02-04"),
        ("2014年农历九月十六", "2014-10-09"),
        ("农历二〇一四年九月十六", "2014-10-09"),
        ("三年后", "2024-06-15"),
    ],
)
def test_reads_days_in_the_other_orders_of_their_parts(text: str, day: str) -> None:
    """Spoken years, a month without "of", days of the Chinese calendar in a named year."""
    (mention,) = find_dates(text, datetime(2021, 6, 15))
    assert (mention.start, mention.end) == (0, len(text))
    assert day in mention.values
