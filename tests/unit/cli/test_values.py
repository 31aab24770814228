"""How values read in a cell."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from assay.cli.messages import one_line
from assay.cli.values import format_value, shorten_middle


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "—"),
        (True, "yes"),
        ("a  b\nc", "a b c"),
        ({"text": "x", "amount": "1500000", "currency": "GBP"}, "1,500,000 GBP"),
        ({"text": "x", "amount": "0.50", "currency": None}, "0.50"),
        ({"text": "0.5 %", "percent": "0.5"}, "0.5%"),
        ({"text": "14 March 2025", "iso": "2025-03-14"}, "2025-03-14"),
        ({"text": "soon", "iso": None}, "soon"),
        ({"text": "x", "duration": "P1Y6M"}, "1 year 6 months"),
        ({"text": "x", "duration": "P45D"}, "45 days"),
        ({"text": "x", "duration": "P1D", "business_days": True}, "1 business day"),
        ({"text": "x", "duration": None, "perpetual": True}, "perpetual"),
        ({"name": "Harrowgate", "role": "Supplier", "note": None}, "Harrowgate, Supplier"),
        (["a", {"text": "b"}], "a; b"),
    ],
)
def test_a_value_reads_as_people_write_it(value, shown) -> None:
    assert format_value(value) == shown


@pytest.mark.parametrize("text", ["a short one", "a rather long sentence " * 9, "本合同" * 40, ""])
@pytest.mark.parametrize("width", [0, 1, 4, 5, 9, 24, 80])
def test_a_shortened_text_fits_and_keeps_both_ends(text, width) -> None:
    shown = shorten_middle(text, width)
    assert cell_len(shown) <= width
    if width >= 24 and shown != text:
        head, tail = shown.split(" … ")
        assert text.startswith(head)
        assert text.endswith(tail)


def test_control_characters_do_not_reach_the_terminal() -> None:
    assert one_line("a\x1b[31mred\x07\u202e\tb\x00") == "a[31mred b"
