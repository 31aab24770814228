"""Numbers and identifiers that documents name."""

from assay.units.fallbacks.identifier import IdentifierFallback
from assay.units.fallbacks.number import NumberFallback
from assay.units.fields import Identifier, Number


def test_numbers_are_those_that_say_nothing_else():
    """No dates, amounts, periods, percentages, sections or heads of lines."""
    text = (
        "3. Section 12 says that within 30 days of May 2, 2024 the Seller ships 1,500 units at $20"
        " each, 5% less for 20 or more, 共计三百件"
    )
    found = {text[item.start : item.end] for item in NumberFallback().find(text)}
    assert found == {"1,500", "20", "三百"}


def test_a_number_is_a_decimal_string():
    assert [item.number for item in Number.readings("1.5 million")] == ["1500000"]


def test_an_identifier_is_found_once_and_the_right_one_first():
    text = "IBAN DE89 3704 0044 0532 0130 01 or DE89 3704 0044 0532 0130 00, DE89370400440532013000"
    found = [text[item.start : item.end] for item in IdentifierFallback().find(text)]
    assert found == ["DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130 01"]


def test_a_wrong_check_digit_is_said():
    """The span alone tells the scheme and that it does not check."""
    (item,) = Identifier.readings("DE89 3704 0044 0532 0130 01")
    assert (item.scheme, item.valid) == ("iban", False)
