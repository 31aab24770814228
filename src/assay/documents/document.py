"""A document that has been read: its text, and where on which page each character stands."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.types import Box

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Page:
    """A page, numbered from 1: `document.text[start:end]`, and its size as shown, in points.

    `quality` is how sure OCR was of the page's characters, on average, from 0 to 1; None where the
    text was not read off a picture. `turned` is by how many degrees OCR turned the page clockwise;
    size and boxes are those of the turned page.
    """

    number: int
    start: int
    end: int
    width: float
    height: float
    quality: float | None = None
    turned: int = 0


@dataclass(frozen=True, slots=True)
class Document:
    """What was read. Offsets are code points into `text`, ends are exclusive.

    `pages` is empty for formats that have none. Between two pages stands a blank line that belongs
    to neither. `unread_pages` are the numbers of pages that are pictures and were not read.
    `char_boxes` is `(num_chars, 4)` float32: left, top, right, bottom in points from the page's top
    left corner as the page is shown; NaN where a character has no place on the page. None for
    formats without pages. `char_quality` is `(num_chars,)` float32: how sure OCR was of each
    character; NaN where it did not read it, None where it read none.
    """

    name: str
    text: str
    media_type: str
    pages: tuple[Page, ...] = ()
    unread_pages: tuple[int, ...] = ()
    char_boxes: npt.NDArray[np.float32] | None = field(default=None, repr=False, compare=False)
    char_quality: npt.NDArray[np.float32] | None = field(default=None, repr=False, compare=False)

    @property
    def num_chars(self) -> int:
        return len(self.text)

    @property
    def num_pages(self) -> int | None:
        """How many pages, or None for a format that has none."""
        return len(self.pages) or None

    @property
    def sha256(self) -> str:
        """Of the text in UTF-8, in hexadecimal."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()

    def page_at(self, offset: int) -> int | None:
        """The number of the page that holds the character, or None for a format without pages.

        The blank line after a page counts as that page's.

        Raises:
            IndexError: the offset is outside the text.
        """
        if not 0 <= offset <= len(self.text):
            raise IndexError(f"offset {offset} is outside the text of {len(self.text)} characters")
        if not self.pages:
            return None
        index = bisect_right(self.pages, offset, key=lambda page: page.start) - 1
        return self.pages[max(index, 0)].number

    def boxes_for(self, start: int, end: int) -> tuple[Box, ...]:
        """The rectangles that cover `text[start:end]`, one for each run on one line.

        Raises:
            IndexError: the span is not inside the text.
        """
        self._check_span(start, end)
        if self.char_boxes is None:
            return ()
        boxes: list[Box] = []
        run: Box | None = None
        rows = self.char_boxes[start:end].tolist()
        for offset, (left, top, right, bottom) in enumerate(rows, start):
            if left != left:  # NaN: a line break, or a space that the reader put in
                if run is not None and self.text[offset] == "\n":
                    boxes.append(run)
                    run = None
                continue
            number = self.page_at(offset)
            assert number is not None, "characters with boxes stand on pages"
            if run is not None and _same_line(run, number, left, top, bottom):
                run = Box(
                    number,
                    min(run.left, left),
                    min(run.top, top),
                    max(run.right, right),
                    max(run.bottom, bottom),
                )
                continue
            if run is not None:
                boxes.append(run)
            run = Box(number, left, top, right, bottom)
        if run is not None:
            boxes.append(run)
        return tuple(boxes)

    def quality_of(self, start: int, end: int) -> float:
        """How sure OCR was of the least sure character in `text[start:end]`, from 0 to 1; 1 where
        nothing was read off a picture.

        Raises:
            IndexError: the span is not inside the text.
        """
        self._check_span(start, end)
        if self.char_quality is None:
            return 1.0
        known = [value for value in self.char_quality[start:end].tolist() if value == value]
        return min(known, default=1.0)

    def _check_span(self, start: int, end: int) -> None:
        if not 0 <= start <= end <= len(self.text):
            raise IndexError(f"{start}:{end} is outside the text of {len(self.text)} characters")


def _same_line(run: Box, page: int, left: float, top: float, bottom: float) -> bool:
    """Whether a character goes on in the run: same page, same height, no jump to the left.

    A jump of up to twice the height is allowed either way, for right-to-left text and kerning.
    """
    middle = (top + bottom) / 2
    slack = 2 * (run.bottom - run.top)
    return run.page == page and run.top <= middle <= run.bottom and left >= run.left - slack
