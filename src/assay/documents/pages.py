"""Pages as readers find them, and the document that they make together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.documents.document import Document, Page
from assay.documents.ocr import OcrPage
from assay.documents.ocr.reading_order import page_text

_PAGE_BREAK = "\n\n"


@dataclass(slots=True)
class RawPage:
    """A page on its own. `boxes` is `(num_chars, 4)` float32 in points, `quality` `(num_chars,)`
    where OCR read it. `is_picture`: it has no text worth the name, and a picture over much of it.
    `has_drawing`: pictures or shapes stand on it, so that there may be text in them."""

    text: str
    boxes: npt.NDArray[np.float32]
    width: float
    height: float
    is_picture: bool = False
    has_drawing: bool = False
    quality: npt.NDArray[np.float32] | None = None
    turned: int = 0

    def fill(self, read: OcrPage, points_a_pixel: float) -> None:
        """Takes over what OCR read on a picture of the whole page."""
        self.text, boxes, self.quality = page_text(read)
        self.boxes = boxes * np.float32(points_a_pixel)
        self.turned = read.turned
        self.is_picture = False
        if read.turned in (90, 270):
            self.width, self.height = self.height, self.width


def join_pages(pages: Sequence[RawPage], name: str, media_type: str) -> Document:
    """The document of these pages, a blank line between each two."""
    made: list[Page] = []
    parts: list[str] = []
    boxes: list[npt.NDArray[np.float32]] = []
    quality: list[npt.NDArray[np.float32]] = []
    offset = 0
    for number, raw in enumerate(pages, 1):
        if number > 1:
            parts.append(_PAGE_BREAK)
            boxes.append(np.full((len(_PAGE_BREAK), 4), math.nan, dtype=np.float32))
            quality.append(np.full(len(_PAGE_BREAK), math.nan, dtype=np.float32))
            offset += len(_PAGE_BREAK)
        end = offset + len(raw.text)
        made.append(
            Page(number, offset, end, raw.width, raw.height, _mean(raw.quality), raw.turned)
        )
        parts.append(raw.text)
        boxes.append(raw.boxes)
        unknown = np.full(len(raw.text), math.nan, dtype=np.float32)
        quality.append(unknown if raw.quality is None else raw.quality)
        offset = end
    char_boxes = _frozen(boxes)
    is_scan = any(raw.quality is not None for raw in pages)
    return Document(
        name=name,
        text="".join(parts),
        media_type=media_type,
        pages=tuple(made),
        unread_pages=tuple(n for n, raw in enumerate(pages, 1) if raw.is_picture),
        char_boxes=char_boxes,
        char_quality=_frozen(quality) if is_scan else None,
    )


def _frozen(parts: list[npt.NDArray[np.float32]]) -> npt.NDArray[np.float32]:
    joined = np.concatenate(parts).astype(np.float32, copy=False)
    joined.flags.writeable = False
    return joined


def _mean(quality: npt.NDArray[np.float32] | None) -> float | None:
    if quality is None or np.isnan(quality).all():
        return None
    return float(np.nanmean(quality))
