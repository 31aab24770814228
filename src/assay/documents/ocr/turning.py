"""Which way up a page is, from the boxes of its lines, and turning boxes with the page.

`quads` is `(num_boxes, 4, 2)` float32 throughout: the corners of each box in pixels, as they are
seen, from the top left one clockwise.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from assay.documents.ocr.base import Picture, TurnDegrees

Quads = npt.NDArray[np.float32]

# A box says which way its line runs from this ratio of its sides on.
_LONG = 2.0
# Scans lie askew by a few degrees at most; what is more is no line of the page's text.
_MAX_SKEW = math.radians(20)


def sizes(quads: Quads) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """The widths and heights of boxes, along their sides."""
    width = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    height = np.linalg.norm(quads[:, 3] - quads[:, 0], axis=1)
    return width.astype(np.float32), height.astype(np.float32)


def lies_on_side(quads: Quads) -> bool:
    """Whether most of the length of all long boxes runs up and down."""
    width, height = sizes(quads)
    across = float(width[width >= _LONG * height].sum())
    upright = float(height[height >= _LONG * width].sum())
    return upright > across


def skew_of(quads: Quads) -> float:
    """The angle, in radians, by which lines fall to the right: that of the middle one by length."""
    width, height = sizes(quads)
    run = quads[:, 1] - quads[:, 0]
    angles = np.arctan2(run[:, 1], run[:, 0])
    says = (width >= _LONG * height) & (np.abs(angles) <= _MAX_SKEW)
    if not says.any():
        return 0.0
    order = np.argsort(angles[says])
    reached = np.cumsum(width[says][order])
    middle = int(np.searchsorted(reached, reached[-1] / 2))
    return float(angles[says][order][middle])


def turn(picture: Picture, quads: Quads, degrees: TurnDegrees) -> tuple[Picture, Quads]:
    """Picture and boxes, turned clockwise."""
    for _ in range(degrees // 90):
        height = picture.shape[0]
        picture = np.rot90(picture, -1)
        turned = np.stack((height - quads[..., 1], quads[..., 0]), axis=-1)
        quads = np.roll(turned, 1, axis=1)  # the bottom left corner has become the top left one
    return np.ascontiguousarray(picture), quads
