"""One text out of the lines of a page: rows from top to bottom, each from left to right.

Boxes that stand beside each other are one row, so that the cells of a table stay together. Gaps
between columns become tabs and wide gaps between rows blank lines, as in PDF files with text.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from assay.documents.ocr.base import OcrPage, TextLine
from assay.documents.pdf_layout import mark_columns, mark_paragraphs

Floats = npt.NDArray[np.float32]

# Two boxes are in one row if their middles are apart by no more than this part of the lower one.
_SAME_ROW = 0.5


@dataclass(slots=True)
class _Row:
    middle: float
    height: float
    placed: list[tuple[float, TextLine]] = field(default_factory=list)


def page_text(page: OcrPage) -> tuple[str, Floats, Floats]:
    """The page's text, with box `(num_chars, 4)` and quality `(num_chars,)` of each character;
    both NaN for what was put between lines."""
    parts: list[TextLine] = []
    for row in _rows(page):
        for index, (_, line) in enumerate(sorted(row.placed, key=lambda item: item[0])):
            if parts:
                parts.append(_between(" " if index else "\n"))
            parts.append(TextLine(_plain(line.text), line.boxes, line.quality))
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


def _rows(page: OcrPage) -> list[_Row]:
    rows: list[_Row] = []
    sine, cosine = math.sin(page.skew), math.cos(page.skew)
    measured = []
    for line in page.lines:
        centre_x = float(np.nanmin(line.boxes[:, 0]) + np.nanmax(line.boxes[:, 2])) / 2
        centre_y = float(np.nanmean(line.boxes[:, 1]) + np.nanmean(line.boxes[:, 3])) / 2
        height = float(np.nanmean(line.boxes[:, 3] - line.boxes[:, 1]))
        x, y = centre_x * cosine + centre_y * sine, centre_y * cosine - centre_x * sine
        measured.append((y, x, height, line))
    for y, x, height, line in sorted(measured, key=lambda item: item[:2]):
        near = min(rows[-4:], key=lambda row: abs(row.middle - y), default=None)
        if near is None or abs(near.middle - y) > _SAME_ROW * min(near.height, height):
            near = _Row(y, height)
            rows.append(near)
        near.placed.append((x, line))
    return sorted(rows, key=lambda row: row.middle)


def _follow(text: str, spaced: str, values: Floats) -> Floats:
    """The values of `text`'s characters at their places in `spaced`, which has more line breaks."""
    out = np.full(len(spaced), math.nan, dtype=np.float32)
    at = 0
    for index, char in enumerate(spaced):
        if at < len(text) and char == text[at]:
            out[index] = values[at]
            at += 1
    return out
