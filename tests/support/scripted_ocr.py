"""An OCR engine that reads what a test says, and pictures to give it."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PIL import Image

from assay.documents.ocr.base import OcrPage, Picture, TextLine, TurnDegrees, even_boxes

Placed = tuple[str, float, float, float, float]


def placed(text: str, left: float, top: float, right: float, bottom: float) -> TextLine:
    """A line whose characters are all as wide."""
    return even_boxes(text, left, top, right, bottom)


def unsure(line: TextLine, quality: Sequence[float]) -> TextLine:
    """The same line, with these certainties."""
    return TextLine(line.text, line.boxes, np.array(quality, dtype=np.float32))


@dataclass
class ScriptedOcr:
    """Gives `pages` one after the other, whatever the pictures show, and keeps the pictures."""

    pages: list[OcrPage]
    name: str = "scripted"
    seen: list[Picture] = field(default_factory=list)

    def read(self, picture: Picture) -> OcrPage:
        self.seen.append(picture)
        return self.pages[len(self.seen) - 1]


def scripted(*pages: Sequence[Placed], turned: TurnDegrees = 0) -> ScriptedOcr:
    """An engine for pages given as lines with their places."""
    return ScriptedOcr([OcrPage(tuple(placed(*line) for line in lines), turned) for lines in pages])


def picture_bytes(kind: str, *images: Image.Image, **options: Any) -> bytes:
    """The bytes of a file in a format of Pillow's; several images make a TIFF of pages."""
    buffer = io.BytesIO()
    first, *others = images
    if others:
        options.update(save_all=True, append_images=others)
    first.save(buffer, kind, **options)
    return buffer.getvalue()


def blank(width: int = 60, height: int = 40, mode: str = "L", color: Any = 255) -> Image.Image:
    return Image.new(mode, (width, height), color)
