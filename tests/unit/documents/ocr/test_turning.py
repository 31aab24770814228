"""Which way up a page is, and turning it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from assay.documents.ocr.turning import lies_on_side, sizes, skew_of, turn


def quad(left: float, top: float, width: float, height: float, angle: float = 0.0) -> np.ndarray:
    """The corners of a box, turned by `angle` about its top left one."""
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], dtype=np.float32)
    sine, cosine = math.sin(angle), math.cos(angle)
    return corners @ np.array([[cosine, sine], [-sine, cosine]], dtype=np.float32) + [left, top]


def test_a_page_lies_on_its_side_if_most_of_its_lines_run_upwards():
    upright = [quad(10, y, 200, 20) for y in (10, 40)]
    assert not lies_on_side(np.array([*upright, quad(300, 0, 20, 200)]))
    assert lies_on_side(np.array([quad(x, 10, 20, 200) for x in (10, 40)]))


def test_single_characters_do_not_say_how_a_page_lies():
    assert not lies_on_side(np.array([quad(10, 10, 12, 20), quad(40, 10, 12, 20)]))


def test_skew_is_the_angle_of_the_middle_line():
    angle = math.radians(3)
    quads = np.array(
        [quad(10, y, 300, 20, angle) for y in (10, 60, 110)] + [quad(0, 0, 50, 20, -0.2)]
    )
    assert skew_of(quads) == pytest.approx(angle, abs=1e-4)


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_boxes_turn_with_the_picture(degrees):
    """A black box in the picture stays under its quad, whose first corner is the top left one."""
    picture = np.full((60, 100, 3), 255, dtype=np.uint8)
    picture[10:20, 30:70] = 0
    turned, quads = turn(picture, quad(30, 10, 40, 10)[None], degrees)
    left, top = quads[0].min(axis=0).astype(int)
    right, bottom = quads[0].max(axis=0).astype(int)
    assert (turned[top:bottom, left:right] == 0).all()
    assert (turned == 0).sum() == 3 * 400
    assert quads[0][0].tolist() == [left, top]
    assert quads[0][2].tolist() == [right, bottom]


def test_sizes_are_along_the_sides():
    width, height = sizes(quad(10, 10, 40, 20, 0.3)[None])
    assert (width[0], height[0]) == (pytest.approx(40, rel=1e-4), pytest.approx(20, rel=1e-4))
