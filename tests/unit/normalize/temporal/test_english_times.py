"""What English words about time mean on a Tuesday morning."""

from datetime import datetime, timedelta, timezone

import pytest

from assay.normalize.temporal.find import find_times

REFERENCE = datetime(2021, 6, 15, 9, 30)  # a Tuesday


def _read(text: str) -> tuple[str, str, str]:
    (mention,) = find_times(text, REFERENCE)
    moment = mention.values[0]
    start = moment.start.strftime("%Y-%m-%d %H:%M") if moment.start else "-"
    end = moment.end.strftime("%Y-%m-%d %H:%M") if moment.end else "-"
    return start.removesuffix(" 00:00"), end.removesuffix(" 00:00"), moment.grain.name.lower()


@pytest.mark.parametrize(
    ("text", "start", "end", "grain"),
    [
        ("tomorrow", "2021-06-16", "2021-06-17", "day"),
        ("the day before yesterday", "2021-06-13", "2021-06-14", "day"),
        ("next week", "2021-06-21", "2021-06-28", "week"),
        ("the last 3 months", "2021-03-01", "2021-06-01", "month"),
        ("friday", "2021-06-18", "2021-06-19", "day"),
        ("tuesday", "2021-06-22", "2021-06-23", "day"),
        ("March 3rd, 2020", "2020-03-03", "2020-03-04", "day"),
        ("3/Mar/2020", "2020-03-03", "2020-03-04", "day"),
        ("the first Monday of October 2021", "2021-10-04", "2021-10-05", "day"),
        ("last Friday of July", "2021-07-30", "2021-07-31", "day"),
        ("17th of next month", "2021-07-17", "2021-07-18", "day"),
        ("Q3 2022", "2022-07-01", "2022-10-01", "quarter"),
        ("in two weeks", "2021-06-29", "2021-06-30", "day"),
        ("in half an hour", "2021-06-15 10:00", "2021-06-15 10:00", "second"),
        ("3 days after Christmas 2020", "2020-12-28", "2020-12-29", "day"),
        ("2 weeks from friday", "2021-07-02", "2021-07-03", "day"),
        ("2021-06-15T10:00", "2021-06-15 10:00", "2021-06-15 10:01", "minute"),
        ("in three business days", "2021-06-18", "2021-06-19", "day"),
        ("tomorrow at 5pm", "2021-06-16 17:00", "2021-06-16 18:00", "hour"),
        ("at half past 3 pm", "2021-06-15 15:30", "2021-06-15 15:31", "minute"),
        ("ten thirty", "2021-06-15 10:30", "2021-06-15 10:31", "minute"),
        ("tomorrow evening at 8", "2021-06-16 20:00", "2021-06-16 21:00", "hour"),
        ("from 3:30 to 6 pm", "2021-06-15 15:30", "2021-06-15 18:01", "minute"),
        ("Thursday from 9 to 11am", "2021-06-17 09:00", "2021-06-17 12:00", "hour"),
        ("July 13 to 15", "2021-07-13", "2021-07-16", "day"),
        ("since 2014", "2014-01-01", "-", "year"),
        ("by the end of the month", "2021-06-15 09:30", "2021-07-01", "second"),
        ("beginning of 2022", "2022-01-01", "2022-04-01", "month"),
        ("this winter", "2021-12-21", "2022-03-21", "day"),
        ("Thanksgiving 2021", "2021-11-25", "2021-11-26", "day"),
        ("Easter Monday 2024", "2024-04-01", "2024-04-02", "day"),
    ],
)
def test_reads_a_time(text: str, start: str, end: str, grain: str) -> None:
    """The whole expression is read, in the grain that it is told in."""
    assert _read(text) == (start, end, grain)


@pytest.mark.parametrize(
    "text",
    [
        "you may leave",
        "the sun sat low",
        "the 30th anniversary",
        "the first prize",
        "$12",
        "10",
        "a second-hand car",
    ],
)
def test_what_is_no_time_is_left_alone(text: str) -> None:
    """Verbs, ordinals of things and bare figures are no times."""
    assert find_times(text, REFERENCE) == ()


def test_an_open_order_of_figures_has_both_readings() -> None:
    """3/4 is a day in April and one in March, unless the order is known."""
    (mention,) = find_times("3/4/2021", REFERENCE)
    assert [value.start for value in mention.values] == [datetime(2021, 3, 4), datetime(2021, 4, 3)]
    (mention,) = find_times("3/4/2021", REFERENCE, day_first=True)
    assert [value.start for value in mention.values] == [datetime(2021, 4, 3)]


def test_next_friday_is_open_between_two() -> None:
    """The coming Friday, and the one of next week."""
    (mention,) = find_times("next Friday", REFERENCE)
    assert [value.start for value in mention.values] == [
        datetime(2021, 6, 18),
        datetime(2021, 6, 25),
    ]


def test_holidays_are_those_of_the_region() -> None:
    """Thanksgiving is in October in Canada."""
    (mention,) = find_times("thanksgiving", REFERENCE, region="CA")
    assert mention.values[0].start == datetime(2021, 10, 11)


def test_a_zone_is_told_in_the_time_of_the_reference() -> None:
    """8:00 GMT is 10:00 two hours east of it."""
    reference = REFERENCE.replace(tzinfo=timezone(timedelta(hours=2)))
    (mention,) = find_times("8:00 GMT", reference)
    assert mention.values[0].start == datetime(2021, 6, 15, 10)


def test_times_stand_where_they_say() -> None:
    """Prepositions and full stops are outside; several times of a text are all found."""
    text = "We met on Monday. Let us meet again next week, or in 10 days."
    found = [text[mention.start : mention.end] for mention in find_times(text, REFERENCE)]
    assert found == ["Monday", "next week", "in 10 days"]


def test_a_long_run_of_days_is_read_piece_by_piece() -> None:
    """No stretch is put together without end: each day is found by itself."""
    assert len(find_times("monday " * 60, REFERENCE)) == 60
