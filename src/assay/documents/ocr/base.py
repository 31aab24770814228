"""What an OCR engine takes and gives.

Coordinates are pixels from the top left corner of the picture after it was turned upright.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
import numpy.typing as npt

OcrMode = Literal["rapidocr", "tesseract", "off"]
#: By how much a picture was turned clockwise so that its text stands upright.
TurnDegrees = Literal[0, 90, 180, 270]

Picture = npt.NDArray[np.uint8]
"""`(height, width, 3)`, red, green, blue."""


@dataclass(frozen=True, slots=True)
class TextLine:
    """Characters read in one run, left to right.

    `boxes` is `(num_chars, 4)` float32: left, top, right, bottom; NaN for a space. `quality` is
    `(num_chars,)` float32: the engine's certainty of each character, from 0 to 1.
    """

    text: str
    boxes: npt.NDArray[np.float32]
    quality: npt.NDArray[np.float32]

    def __post_init__(self) -> None:
        assert self.boxes.shape == (len(self.text), 4)
        assert self.quality.shape == (len(self.text),)


@dataclass(frozen=True, slots=True)
class OcrPage:
    """What stands on one picture: its lines, in no order, after turning it by `turned` degrees;
    `skew` is the angle, in radians, by which its lines still fall to the right."""

    lines: tuple[TextLine, ...]
    turned: TurnDegrees = 0
    skew: float = 0.0


class OcrEngine(Protocol):
    """Reads pictures. May be called from several threads."""

    @property
    def name(self) -> str: ...

    def read(self, picture: Picture) -> OcrPage:
        """The text on a picture; no lines where there is none.

        Raises:
            ScannedDocumentError: the engine failed on this picture.
        """
        ...


def even_boxes(text: str, left: float, top: float, right: float, bottom: float) -> TextLine:
    """A line whose characters are all as wide, and quite certain: for engines that give words."""
    num_chars = len(text)
    edges = np.linspace(left, right, num_chars + 1, dtype=np.float32)
    boxes = np.empty((num_chars, 4), dtype=np.float32)
    boxes[:, 0], boxes[:, 2] = edges[:-1], edges[1:]
    boxes[:, 1], boxes[:, 3] = top, bottom
    return TextLine(text, boxes, np.ones(num_chars, dtype=np.float32))
