"""One text out of the lines of a page."""

from __future__ import annotations

import math

import numpy as np
from scripted_ocr import placed, unsure

from assay.documents.ocr import OcrPage
from assay.documents.ocr.reading_order import page_text


def text_of(*lines: tuple[str, float, float, float, float], skew: float = 0.0) -> str:
    return page_text(OcrPage(tuple(placed(*line) for line in lines), skew=skew))[0]


def test_what_stands_side_by_side_is_one_row_with_a_tab_where_the_gap_is_wide():
    found = text_of(
        ("TOTAL", 10, 102, 60, 118),
        ("9.90", 300, 100, 340, 116),
        ("Nasi", 10, 50, 50, 66),
        ("Lemak", 54, 51, 104, 67),
    )
    assert found == "Nasi Lemak\nTOTAL\t9.90"


def test_rows_of_a_page_that_lies_askew_stay_together():
    """Over 600 pixels a line falls by 31 at 3 degrees: more than the step to the next row."""
    skew = math.radians(3)

    def askew(text: str, left: float, top: float) -> tuple[str, float, float, float, float]:
        top += left * math.tan(skew)
        return text, left, top, left + 60, top + 16

    rows = [askew(word, left, top) for word, left, top in (
        ("one", 10, 100), ("1.00", 600, 100), ("two", 10, 122), ("2.00", 600, 122),
    )]  # fmt: skip
    found = text_of(*rows, skew=skew)
    assert found == "one\t1.00\ntwo\t2.00"


def test_rows_that_bend_stay_together() -> None:
    """On paper that is not flat the end of a row may be as low as the start of the next."""
    rows = [
        (text, left, 36.0 * index + drop, left + width, 36.0 * index + drop + 34)
        for index in range(3)
        for text, left, width, drop in (
            (f"Item {index}", 10.0, 90.0, 0.0),
            ("RM", 300.0, 40.0, 12.0),
            (f"{index}.50", 400.0, 60.0, 25.0),
        )
    ]
    assert text_of(*rows).split("\n") == [
        "Item 0\tRM\t0.50",
        "Item 1\tRM\t1.50",
        "Item 2\tRM\t2.50",
    ]


def test_a_wide_gap_between_rows_is_a_blank_line():
    rows = [("Line", 10.0, y, 50.0, y + 16) for y in (10.0, 32.0, 54.0, 76.0, 150.0)]
    assert text_of(*rows) == "Line\nLine\nLine\nLine\n\nLine"


def test_boxes_and_quality_go_with_their_characters():
    lines = (
        unsure(placed("ab", 10, 150, 30, 166), [0.7, 0.6]),
        *(placed("Line", 10, y, 50, y + 16) for y in (10, 32, 54, 76)),
        unsure(placed("cd", 100, 150, 120, 166), [0.5, 0.4]),
    )
    text, boxes, quality = page_text(OcrPage(lines))
    assert text.endswith("Line\n\nab\tcd")
    assert np.isnan(quality[[-7, -6, -3]]).all()
    assert quality[[-5, -4, -2, -1]].tolist() == np.float32([0.7, 0.6, 0.5, 0.4]).tolist()
    assert boxes[-2].tolist() == [100, 150, 110, 166]
    assert len(text) == len(boxes) == len(quality)


def test_control_characters_become_spaces():
    assert text_of(("a\x00b\u3000c", 0, 0, 50, 10)) == "a b c"


def test_columns_of_running_text_are_read_one_after_the_other() -> None:
    """A heading over both and a line below both stay where they are."""
    left = [
        (f"left column line {i} of text", 10.0, 40.0 + 20 * i, 290.0, 56.0 + 20 * i)
        for i in range(7)
    ]
    right = [
        (f"right column line {i} of text", 320.0, 44.0 + 20 * i, 600.0, 60.0 + 20 * i)
        for i in range(7)
    ]
    heading = ("A heading that runs over both columns", 100.0, 5.0, 500.0, 21.0)
    foot = ("A line that runs over both columns below", 10.0, 200.0, 600.0, 216.0)
    lines = [line for line in text_of(foot, *right, *left, heading).split("\n") if line]
    assert lines == [item[0] for item in (heading, *left, *right, foot)]


def test_a_table_with_long_cells_keeps_its_rows() -> None:
    """Its right-hand cells are figures, however long the left-hand ones are."""
    cells = [
        cell
        for i in range(8)
        for cell in (
            (f"A long description of item {i}", 10.0, 20.0 * i, 290.0, 16.0 + 20 * i),
            (f"{i}.00", 500.0, 20.0 * i, 540.0, 16.0 + 20 * i),
        )
    ]
    assert text_of(*cells).split("\n")[3] == "A long description of item 3\t3.00"
