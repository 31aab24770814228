"""Ordinals, in figures, English words and Chinese."""

from decimal import Decimal

import pytest

from assay.normalize.ordinal import find_ordinals, read_ordinal


@pytest.mark.parametrize(
    ("text", "value"),
    [("21st", 21), ("1,002nd", 1002), ("thirty-first", 31), ("fortysecond", 42), ("第十四", 14)],
)
def test_reads_an_ordinal(text: str, value: int) -> None:
    """The ordinal is read as its number."""
    assert read_ordinal(text).values == (Decimal(value),)


def test_cardinals_are_no_ordinals() -> None:
    """A plain number is left alone, and offsets are the text's."""
    text = "five of the 3rd kind"
    assert [text[item.start : item.end] for item in find_ordinals(text)] == ["3rd"]
