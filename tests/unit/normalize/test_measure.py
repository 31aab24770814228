"""Measures, and ranges of measures and amounts."""

from dataclasses import replace
from decimal import Decimal

import pytest

from assay.normalize.bounds import find_ranges
from assay.normalize.measure import find_measures, read_measure
from assay.normalize.money import find_money


@pytest.mark.parametrize(
    ("text", "amount", "unit"),
    [
        ("3.5 km", "3.5", "kilometre"),
        ("7 feet, 10 inches", "94", "inch"),
        ("a kilogram", "1", "kilogram"),
        ("三米九", "3.9", "metre"),
        ("3斤5两", "35", "liang"),
        ("2 海里", "2", "nautical mile"),
    ],
)
def test_reads_a_measure(text: str, amount: str, unit: str) -> None:
    """Parts are added up in the smallest unit."""
    value = read_measure(text).value
    assert value is not None
    assert (value.amount, value.unit) == (Decimal(amount), unit)


def test_a_word_behind_a_number_is_no_unit() -> None:
    """Only the units known count."""
    assert find_measures("5 members in 3 groups") == ()


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("between $10 and $20", "10", "20"),
        ("10-20 dollars", "10", "20"),
        ("at least 5 EUR", "5", None),
        ("no more than USD 7", None, "7"),
        ("3.04块以上", "3.04", None),
    ],
)
def test_reads_a_range(text: str, low: str | None, high: str | None) -> None:
    """A bare figure before the mark of a range has the unit of the one behind it."""
    (mention,) = find_ranges(
        text, find_money(text), lambda money, amount: replace(money, amount=amount)
    )
    ends = (mention.values[0].low, mention.values[0].high)
    assert [str(end.amount) if end else None for end in ends] == [low, high]
    assert (mention.start, mention.end) == (0, len(text))


def test_coins_are_read_where_the_country_is_known() -> None:
    """A quarter is a coin only then."""
    assert find_money("five nickels") == ()
    (mention,) = find_money("five nickels", "CA")
    assert (mention.values[0].amount, mention.values[0].currency) == (Decimal("0.25"), "CAD")
