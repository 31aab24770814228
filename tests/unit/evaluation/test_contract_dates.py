"""Dates and terms of contracts against the lawyers' answers."""

from __future__ import annotations

from typing import Any

import pytest

from assay.evaluation import Counts, Finding, Place
from assay.evaluation.contract_dates import judge_date
from assay.evaluation.contract_gold import Label, read_label

RIGHT, WRONG, MISSED, SPURIOUS, NOTHING = (
    Counts(1, 1, 1),
    Counts(0, 1, 1),
    Counts(0, 0, 1),
    Counts(0, 1, 0),
    Counts(0, 0, 0),
)
START = Label("3/1/20", ("1 March 2020",), (((0, 12),),))


def label(answer: str, *spans: tuple[int, int]) -> Label:
    return Label(answer, ("",) * len(spans), tuple((span,) for span in spans))


HERE = Place(10, 20)


def judge(answer: str, value: Any, place: Place = HERE, *starts: Label) -> Counts:
    return judge_date(label(answer, (10, 20)), starts, Finding(value, (place,)))


def test_a_date_needs_its_value_and_its_place() -> None:
    assert judge("3/1/20", {"iso": "2020-03-01"}) == RIGHT
    assert judge("3/1/20", {"iso": "2020-01-03"}) == WRONG
    assert judge("3/1/20", {"iso": "2020-03-01"}, Place(40, 50)) == WRONG
    assert judge_date(label("3/1/20", (10, 20)), (), Finding()) == MISSED


def test_two_digit_years_reach_back_to_1970() -> None:
    assert judge("12/14/97", {"iso": "1997-12-14"}) == RIGHT
    assert judge("12/14/97", {"iso": "2097-12-14"}) == WRONG


def test_a_date_where_the_gold_has_none_is_spurious() -> None:
    finding = Finding({"iso": "2020-03-01"}, (Place(10, 20),))
    assert judge_date(label(""), (), finding) == SPURIOUS
    assert judge_date(label(""), (), Finding()) == NOTHING


@pytest.mark.parametrize("duration", ["P2Y", "P24M", "P1Y12M", "P104W1D"])
def test_a_length_is_right_if_it_ends_on_the_gold_date_or_a_day_beside_it(duration: str) -> None:
    assert judge("2/28/22", {"duration": duration}, HERE, START) == RIGHT


def test_a_length_that_ends_elsewhere_is_wrong() -> None:
    assert judge("2/28/22", {"duration": "P3Y"}, HERE, START) == WRONG


@pytest.mark.parametrize("duration", ["P99999Y", "P9999999W", "PT1H", "two years"])
def test_a_length_that_no_calendar_has_is_wrong(duration: str) -> None:
    assert judge("2/28/22", {"duration": duration}, HERE, START) == WRONG


def test_a_gold_date_that_no_calendar_has_cannot_be_met() -> None:
    assert judge("2/30/05", {"iso": "2005-02-28"}) == WRONG


def test_a_month_is_counted_to_the_last_day_there_is() -> None:
    start = label("1/31/21", (0, 5))
    assert judge("2/28/21", {"duration": "P1M"}, HERE, start) == RIGHT


def test_a_length_without_a_known_start_is_judged_by_its_evidence() -> None:
    assert judge("2/28/22", {"duration": "P9Y"}) == RIGHT
    assert judge("2/28/22", {"duration": "P9Y"}, Place(40, 50)) == WRONG


def test_perpetual_has_to_be_said() -> None:
    assert judge("perpetual", {"perpetual": True}) == RIGHT
    assert judge("perpetual", {"perpetual": False, "text": "until terminated"}) == WRONG
    assert judge("2/28/22", {"perpetual": True}) == WRONG


def test_a_blank_may_be_absent_or_say_what_is_there() -> None:
    assert judge_date(label("[]/[]/2019", (10, 20)), (), Finding()) == NOTHING
    assert judge("[]/[]/2019", {"iso": "2019"}) == RIGHT
    assert judge("05/[]/2000", {"iso": "2000-05"}) == RIGHT
    assert judge("05/[]/2000", {"iso": "2000-06"}) == SPURIOUS
    assert judge("[]/[]/2019", {"iso": "2019-01-01"}) == SPURIOUS
    assert judge("[]/[]/2021", {"duration": "P4Y"}) == RIGHT


def test_marked_words_count_at_every_place() -> None:
    text = "Made 1 May 2020. Signed on 1  May 2020."
    entry = {"answer": "5/1/20", "spans": [{"start": 5, "end": 15, "text": "1 May 2020"}]}
    gold = read_label(text, entry)
    assert sorted(gold.spans) == [(5, 15), (27, 38)]
    finding = Finding({"iso": "2020-05-01"}, (Place(27, 38),))
    assert judge_date(gold, (), finding) == RIGHT
