"""What a heading says of the figures below it."""

import pytest

from assay.normalize.scale import Scale, read_scale


@pytest.mark.parametrize(
    ("heading", "scale"),
    [
        ("(in thousands of US dollars)", Scale(3, ("USD",))),
        ("Consolidated balance sheet (in millions, except per share data)", Scale(6)),
        ("Amounts in EUR million", Scale(6, ("EUR",))),
        ("US$'000", Scale(3, ("USD",))),
        ("单位：万元", Scale(4, ("CNY",))),
        ("金额单位：人民币亿元", Scale(8, ("CNY",))),
        ("單位:千元", Scale(3, ("CNY",))),
    ],
)
def test_reads_the_unit_of_a_heading(heading: str, scale: Scale) -> None:
    """The power of ten, and the currency if one is named."""
    assert read_scale(heading) == scale


def test_a_heading_without_a_unit_says_nothing() -> None:
    """ "thousand" in a sentence is no unit of a table."""
    assert read_scale("Statement of a thousand islands") is None
