"""Pictures as documents: PNG, JPEG, TIFF (each of its pages), WebP, GIF and BMP, through Pillow.

Other animated formats count as their first picture. A page is as large as its resolution says; a
picture that states none has 72 dots an inch, so that boxes in points are boxes in pixels.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.documents.ocr.base import Picture
from assay.errors import BrokenDocumentError, ScannedDocumentError

MAX_PIXELS = 80_000_000
"""Of one picture: A1 at 300 dots an inch is 70 million. Pillow itself warns from 89 million on."""

# Engines read no finer than this; larger pictures are halved while they are decoded.
_MAX_SIDE = 4_000
_MIN_DPI, _MAX_DPI = 50.0, 2_400.0
_POINTS_AN_INCH = 72.0
_DAMAGE = (OSError, SyntaxError, ValueError, KeyError, EOFError, struct.error, OverflowError)


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture to read: its pixels, upright as its file says, and points a pixel."""

    picture: Picture
    points_a_pixel: float


def num_pictures(data: bytes, name: str) -> int:
    """How many pages the file has.

    Raises:
        ScannedDocumentError: Pillow is not installed.
        BrokenDocumentError: no picture can be made of it.
    """
    with _open(data, name) as image:
        return int(getattr(image, "n_frames", 1)) if image.format == "TIFF" else 1


def shots(data: bytes, name: str) -> Iterator[Shot]:
    """The pages, decoded one after the other.

    Raises:
        ScannedDocumentError: Pillow is not installed.
        BrokenDocumentError: damaged, or more than `MAX_PIXELS` large.
    """
    for index in range(num_pictures(data, name)):
        with _open(data, name) as image:
            try:
                if index:
                    image.seek(index)
                _refuse_large(image, name)
                yield _shot(image)
            except _DAMAGE as error:
                raise _broken(name) from error


def _open(data: bytes, name: str) -> Any:
    try:
        from PIL import Image
    except ImportError as error:
        raise ScannedDocumentError(
            f"{name} is a picture", remedy="pip install 'assay[ocr]' and try again"
        ) from error
    try:
        return Image.open(io.BytesIO(data))
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_large(name) from error
    except _DAMAGE as error:
        raise _broken(name) from error


def _refuse_large(image: Any, name: str) -> None:
    width, height = image.size
    if width * height > MAX_PIXELS:
        raise _too_large(name)


def _shot(image: Any) -> Shot:
    from PIL import ImageOps

    width, height = image.size
    dpi = image.info.get("dpi", (0, 0))[0]
    if max(width, height) > _MAX_SIDE:
        image.thumbnail((_MAX_SIDE, _MAX_SIDE))
    shrunk = max(width, height) / max(image.size)
    image = ImageOps.exif_transpose(image)
    points = _POINTS_AN_INCH / float(dpi) if _MIN_DPI <= dpi <= _MAX_DPI else 1.0
    return Shot(np.asarray(_on_white(image)), points * shrunk)


def _on_white(image: Any) -> Any:
    """In red, green and blue; what is transparent is white, and 16 bits a dot become 8."""
    from PIL import Image

    if image.mode.startswith("I;16"):
        image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        image = image.convert("RGBA")
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
    return image.convert("RGB")


def _too_large(name: str) -> BrokenDocumentError:
    return BrokenDocumentError(
        f"{name} has more than {MAX_PIXELS // 1_000_000} million pixels",
        remedy="scan it at 300 dots an inch or fewer",
    )


def _broken(name: str) -> BrokenDocumentError:
    return BrokenDocumentError(
        f"{name} is a damaged picture", remedy="get it again from where it came from"
    )
