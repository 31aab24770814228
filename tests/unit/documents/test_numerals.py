"""Numbers as lists and clauses write them."""

from __future__ import annotations

import pytest

from assay.documents.numerals import chinese, letters, roman


@pytest.mark.parametrize(
    ("number", "shown"), [(1, "a"), (26, "z"), (27, "aa"), (29, "cc"), (0, "0")]
)
def test_letters_repeat_after_z(number, shown):
    assert letters(number) == shown


@pytest.mark.parametrize(("number", "shown"), [(4, "IV"), (19, "XIX"), (1994, "MCMXCIV"), (0, "0")])
def test_roman_numerals(number, shown):
    assert roman(number) == shown


@pytest.mark.parametrize(
    ("number", "shown"),
    [(0, "零"), (7, "七"), (10, "十"), (12, "十二"), (20, "二十"), (103, "一百零三"),
     (110, "一百一十"), (1005, "一千零五"), (10_000, "10000")],
)  # fmt: skip
def test_chinese_numerals(number, shown):
    assert chinese(number) == shown
