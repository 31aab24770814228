"""One text out of the lines of a page: rows from top to bottom, each from left to right.

Boxes that stand beside each other are one row, so that the cells of a table stay together; unless
both sides are running text, line after line: these are columns, read one after the other. Gaps
between cells become tabs and wide gaps between rows blank lines, as in PDF files with text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.documents.ocr.base import OcrPage, TextLine
from assay.documents.pdf_layout import mark_columns, mark_paragraphs

Floats = npt.NDArray[np.float32]

# Two boxes may be in one row if, where one ends and the other starts, their middles are apart by no
# more than this part of the lower one; of several the one that costs least by height and gap.
_SAME_ROW, _GAP_COST = 0.5, 0.1
# Columns have at least so many lines of so many characters side by side.
_COLUMN_LINES, _COLUMN_CHARS = 6, 18


@dataclass(frozen=True, slots=True)
class Placed:
    """A line and its place on the page set straight; `starts_at` and `ends_at` are how far down the
    middles of its first and its last character are."""

    line: TextLine
    left: float
    right: float
    starts_at: float
    ends_at: float
    height: float

    @property
    def middle(self) -> float:
        return (self.starts_at + self.ends_at) / 2

    def is_beside(self, other: Placed) -> bool:
        return abs(self.middle - other.middle) < max(self.height, other.height) / 2


def page_text(page: OcrPage) -> tuple[str, Floats, Floats]:
    """The page's text, with box `(num_chars, 4)` and quality `(num_chars,)` of each character;
    both NaN for what was put between lines."""
    parts: list[TextLine] = []
    for row in _in_order([_place(line, page.skew) for line in page.lines]):
        for index, item in enumerate(row):
            if parts:
                parts.append(_between(" " if index else "\n"))
            parts.append(TextLine(_plain(item.line.text), item.line.boxes, item.line.quality))
    if not parts:
        return "", np.empty((0, 4), np.float32), np.empty(0, np.float32)
    boxes = np.concatenate([part.boxes for part in parts])
    text = mark_columns("".join(part.text for part in parts), boxes)
    spaced, moved = mark_paragraphs(text, boxes)
    return spaced, moved, _follow(text, spaced, np.concatenate([part.quality for part in parts]))


def _between(char: str) -> TextLine:
    return TextLine(char, np.full((1, 4), math.nan, np.float32), np.full(1, math.nan, np.float32))


def _plain(text: str) -> str:
    """Without control characters and odd spaces, each replaced by a space."""
    return "".join(char if char.isprintable() else " " for char in text)


def _place(line: TextLine, skew: float) -> Placed:
    sine, cosine = math.sin(skew), math.cos(skew)
    boxes = line.boxes[~np.isnan(line.boxes[:, 0])].astype(float)
    across, down = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    down = down * cosine - across * sine
    left, right = float(boxes[:, 0].min()), float(boxes[:, 2].max())
    shift = float(boxes[:, 1].min() + boxes[:, 3].max()) / 2 * sine
    height = float((boxes[:, 3] - boxes[:, 1]).mean())
    return Placed(
        line,
        left * cosine + shift,
        right * cosine + shift,
        float(down[int(boxes[:, 0].argmin())]),
        float(down[int(boxes[:, 2].argmax())]),
        height,
    )


def _in_order(lines: Sequence[Placed]) -> list[list[Placed]]:
    """Rows in reading order. Where the page has columns, what runs over both parts it in bands."""
    gutter = _gutter(lines)
    if gutter is None:
        return _rows(lines)
    rows: list[list[Placed]] = []
    band: list[Placed] = []
    for line in sorted(lines, key=_by_middle):
        if _crosses(line, gutter):
            rows.extend(_by_column(band, gutter))
            rows.append([line])
            band = []
        else:
            band.append(line)
    return rows + _by_column(band, gutter)


def _by_column(band: Sequence[Placed], gutter: float) -> list[list[Placed]]:
    """The rows left of the gutter, then those right of it; rows over both where text runs on
    neither."""
    left = [line for line in band if line.right <= gutter]
    right = [line for line in band if line.right > gutter]
    if not (_is_text(left) and _is_text(right)):
        return _rows(band)
    return _in_order(left) + _in_order(right)


def _is_text(lines: Iterable[Placed]) -> bool:
    return any(len(line.line.text) >= _COLUMN_CHARS for line in lines)


def _gutter(lines: Sequence[Placed]) -> float | None:
    """Where most lines of text have another beside them to the right, and few run across."""
    text = [line for line in lines if len(line.line.text) >= _COLUMN_CHARS]
    best, gutter = 0, None
    for edge in sorted({line.right for line in text}):
        left = [line for line in text if line.right <= edge]
        right = [line for line in text if line.left > edge]
        num_pairs = sum(any(one.is_beside(other) for other in right) for one in left)
        num_across = sum(_crosses(line, edge) for line in text)
        if num_pairs >= _COLUMN_LINES and num_pairs > num_across and num_pairs > best:
            best, gutter = num_pairs, edge
    return gutter


def _crosses(line: Placed, gutter: float) -> bool:
    return line.left < gutter < line.right


def _by_middle(line: Placed) -> tuple[float, float]:
    return line.middle, line.left


def _rows(lines: Sequence[Placed]) -> list[list[Placed]]:
    """What stands side by side, from top to bottom.

    Each line is followed by the one that goes on where it ends, so that rows which bend, as on
    paper that is not flat, stay together.
    """
    pairs = sorted(
        (cost, left, right)
        for left, one in enumerate(lines)
        for right, other in enumerate(lines)
        if left != right and (cost := _cost(one, other)) is not None
    )
    following: dict[int, int] = {}
    followed: set[int] = set()
    for _, left, right in pairs:
        if left not in following and right not in followed:
            following[left] = right
            followed.add(right)
    rows = []
    for first in range(len(lines)):
        if first not in followed:
            row = [first]
            while row[-1] in following:
                row.append(following[row[-1]])
            rows.append([lines[index] for index in row])
    return sorted(rows, key=lambda row: sum(line.middle for line in row) / len(row))


def _cost(one: Placed, other: Placed) -> float | None:
    """What speaks against `other` going on to the right of `one`; None if it cannot."""
    height = min(one.height, other.height)
    gap, step = other.left - one.right, abs(other.starts_at - one.ends_at)
    if gap < -height or other.left <= one.left or step > _SAME_ROW * height:
        return None
    return step / height + _GAP_COST * max(0.0, gap) / height


def _follow(text: str, spaced: str, values: Floats) -> Floats:
    """The values of `text`'s characters at their places in `spaced`, which has more line breaks."""
    out = np.full(len(spaced), math.nan, dtype=np.float32)
    at = 0
    for index, char in enumerate(spaced):
        if at < len(text) and char == text[at]:
            out[index] = values[at]
            at += 1
    return out
