"""What the places of a page's characters say about its text: columns and paragraphs.

`boxes` is `(num_chars, 4)` float32 throughout, NaN where a character has no place on the page.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

# In lines' usual distance, and in the height of the characters.
_PARAGRAPH_GAP = 1.35
_COLUMN_GAP = 1.5


def from_top_left(
    boxes: npt.NDArray[np.float32], page_box: tuple[float, float, float, float], rotation: int
) -> npt.NDArray[np.float32]:
    """From page space (y upwards, not rotated) to the page as shown, y downwards."""
    x0, y0, x1, y1 = page_box
    left, right = boxes[:, 0] - x0, boxes[:, 2] - x0
    low, high = boxes[:, 1] - y0, boxes[:, 3] - y0
    width, height = x1 - x0, y1 - y0
    match rotation:
        case 90:
            columns = (low, left, high, right)
        case 180:
            columns = (width - right, low, width - left, high)
        case 270:
            columns = (height - high, width - right, height - low, width - left)
        case _:
            columns = (left, height - high, right, height - low)
    return np.stack(columns, axis=1)


def mark_columns(text: str, boxes: npt.NDArray[np.float32]) -> str:
    """Turns a space into a tab where the gap is that between columns of a table."""
    has_place = (~np.isnan(boxes[:, 0])).tolist()
    placed = [i for i, char in enumerate(text) if has_place[i] and not char.isspace()]
    if len(placed) < 2:
        return text
    at = np.array(placed)
    gaps = boxes[at[1:], 0] - boxes[at[:-1], 2]
    heights = boxes[at, 3] - boxes[at, 1]
    wide = np.flatnonzero(gaps > _COLUMN_GAP * np.maximum(heights[1:], heights[:-1]))
    chars = list(text)
    for index in wide.tolist():
        first, last = placed[index] + 1, placed[index + 1]
        if last > first and text[first:last].strip(" \u00a0") == "":
            chars[first] = "\t"
    return "".join(chars)


def mark_paragraphs(
    text: str, boxes: npt.NDArray[np.float32]
) -> tuple[str, npt.NDArray[np.float32]]:
    """Doubles the line breaks where the gap below a line is wider than is usual on the page."""
    breaks = [index for index, char in enumerate(text) if char == "\n"]
    starts = [0, *(index + 1 for index in breaks)]
    bottoms = []
    rows = boxes[:, 3].tolist()
    for start, end in zip(starts, [*breaks, len(text)], strict=True):
        placed = sorted(bottom for bottom in rows[start:end] if bottom == bottom)
        bottoms.append(placed[len(placed) // 2] if placed else math.nan)
    steps = np.diff(np.array(bottoms, dtype=np.float64))
    downwards = steps[steps > 1]
    if len(downwards) < 3:
        return text, boxes
    limit = _PARAGRAPH_GAP * float(np.percentile(downwards, 40))
    wide = [at for at, step in zip(breaks, steps, strict=True) if step > limit]
    for at in reversed(wide):
        text = f"{text[:at]}\n{text[at:]}"
    return text, np.insert(boxes, wide, np.float32(math.nan), axis=0) if wide else boxes
