"""Percentages, in percent."""

from decimal import Decimal

import pytest

from assay.normalize.percentage import find_percentages, read_percentage


@pytest.mark.parametrize(
    ("text", "percent"),
    [
        ("10%", "10"),
        ("ten percent (10%)", "10"),
        ("five (5) percent", "5"),
        ("1.5 per cent", "1.5"),
        ("3 1/2%", "3.5"),
        ("7½%", "7.5"),
        ("4.125%", "4.125"),
        ("2,5 %", "2.5"),
        ("50 basis points", "0.50"),
        ("5‰", "0.5"),
        ("百分之十", "10"),
        ("百分之 12.5", "12.5"),
        ("千分之三", "0.3"),
        ("万分之五", "0.05"),
        ("3个百分点", "3"),
        ("两成", "20"),
        ("九折", "90"),
        ("七五折", "75"),
    ],
)
def test_reads_a_percentage(text: str, percent: str) -> None:
    """Every way of writing a share gives the same figure."""
    assert read_percentage(text).values == (Decimal(percent),)


@pytest.mark.parametrize("text", ["", "10", "percent", "$10", "http://x.org/a%20b"])
def test_a_figure_without_its_sign_is_no_percentage(text: str) -> None:
    """Neither a bare figure nor a bare sign counts."""
    assert not read_percentage(text).understood


def test_percentages_stand_where_they_say() -> None:
    """Two in a sentence are two mentions."""
    text = "啤酒为百分之6，白酒为32.5%。"
    assert [text[m.start : m.end] for m in find_percentages(text)] == ["百分之6", "32.5%"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("sixty percents", 60),
        ("七成半", 75),
        ("七成五", 75),
        ("7成3", 73),
        ("半成", 5),
        ("百分之百", 100),
    ],
)
def test_reads_tenths_with_a_rest(text: str, value: int) -> None:
    """七成半 is three quarters."""
    (mention,) = find_percentages(text)
    assert (text[mention.start : mention.end], mention.values) == (text, (Decimal(value),))
