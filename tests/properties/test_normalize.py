"""For any text: spans lie inside it, in order, apart; what is written in one form is read back."""

from datetime import datetime
from decimal import Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.normalize.date import find_dates, read_date
from assay.normalize.money import find_money, read_money
from assay.normalize.number import find_numbers, read_number
from assay.normalize.percentage import find_percentages
from assay.normalize.period import find_periods, read_period
from assay.normalize.temporal.find import find_times

_WORDS = """
1 12 3,456 7.5 ( ) $ € USD 元 万 亿 三 十 年 月 日 % one twenty hundred million and half May 2020
days year / - . , percent 百分之 point first
"""
_PIECES = st.sampled_from(_WORDS.split())
_TEXTS = st.one_of(
    st.text(max_size=40),
    st.lists(st.tuples(_PIECES, st.sampled_from(["", " "])), max_size=12).map(
        lambda pieces: "".join(piece + gap for piece, gap in pieces)
    ),
)


@settings(max_examples=150, deadline=None)
@given(_TEXTS)
def test_mentions_lie_in_the_text_in_order_and_apart(text: str) -> None:
    """No finder raises, overlaps itself, or answers with an empty span or no value."""
    for find in (find_numbers, find_money, find_dates, find_percentages):
        end = 0
        for mention in find(text):
            assert end <= mention.start < mention.end <= len(text)
            assert mention.values
            end = mention.end
    for period in find_periods(text):
        assert 0 <= period.start < period.end <= len(text)


_TIME_WORDS = """
monday next last of the 3 pm at from to in may 2020 two weeks ago day after tomorrow - / : , first
end week 下 周 三 点 月 日 年 前 个 今 晚
"""
_TIME_TEXTS = st.lists(st.sampled_from(_TIME_WORDS.split()), max_size=14).map(" ".join)


@settings(max_examples=60, deadline=None)
@given(_TIME_TEXTS)
def test_times_lie_in_the_text_in_order_and_do_not_end_before_they_start(text: str) -> None:
    """Whatever is put together has a place, and a stretch goes forward."""
    last = 0
    for mention in find_times(text, datetime(2021, 6, 15, 9, 30)):
        assert last <= mention.start < mention.end <= len(text)
        last = mention.end
        for moment in mention.values:
            if moment.start is not None and moment.end is not None:
                assert moment.start <= moment.end


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 10**12 - 1), st.integers(0, 99))
def test_a_grouped_amount_is_read_back(whole: int, cents: int) -> None:
    """English and continental marks give the amount that was written."""
    amount = Decimal(whole) + Decimal(cents) / 100
    english = f"{whole:,}.{cents:02d}"
    continental = english.translate(str.maketrans(",.", ".,"))
    assert read_number(english).values == (amount,)
    assert read_number(continental).values == (amount,)
    assert [item.amount for item in read_money(f"EUR {continental}").values] == [amount]


@settings(max_examples=100, deadline=None)
@given(st.dates())
def test_a_date_is_read_back(day: object) -> None:
    """The ISO form of any day is its own reading."""
    assert read_date(str(day)).values == (str(day),)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 999), st.sampled_from([("days", "D"), ("months", "M"), ("年", "Y")]))
def test_a_period_is_read_back(count: int, unit: tuple[str, str]) -> None:
    """A count of units is that duration."""
    name, mark = unit
    assert [p.duration for p in read_period(f"{count} {name}").values] == [f"P{count}{mark}"]
