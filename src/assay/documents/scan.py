"""Documents that are pictures, through an OCR engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from assay.documents.document import Document
from assay.documents.ocr import OcrEngine, OcrMode, engine_for
from assay.documents.pages import RawPage, join_pages
from assay.documents.pictures import Shot, num_pictures, shots
from assay.errors import EmptyDocumentError, ScannedDocumentError

#: Told before a page is read: its number among the pages that OCR reads, and how many these are.
OnPage = Callable[[int, int], None]


def read(
    data: bytes,
    name: str,
    media_type: str,
    ocr: OcrMode | OcrEngine = "rapidocr",
    on_page: OnPage | None = None,
) -> Document:
    """Reads a picture, or a TIFF file of several.

    Raises:
        ScannedDocumentError: OCR is off, not installed, or failed.
        BrokenDocumentError: damaged or too large.
        EmptyDocumentError: no text on it.
    """
    engine = find_engine(ocr, name, is_needed=True)
    assert engine is not None, "an engine that is needed is there, or an error was raised"
    pages = [_blank() for _ in range(num_pictures(data, name))]
    failure = read_shots(shots(data, name), pages, engine, on_page)
    if not any(page.text.strip() for page in pages):
        raise failure or EmptyDocumentError(
            f"{engine.name} found no text on {name}", remedy="scan it again, sharper or larger"
        )
    return join_pages(pages, name, media_type)


def find_engine(ocr: OcrMode | OcrEngine, name: str, *, is_needed: bool) -> OcrEngine | None:
    """The engine to use. None if there is none and the document can do without.

    Raises:
        ScannedDocumentError: there is none, and it `is_needed`.
        ConfigError: no engine has this name.
    """
    if not isinstance(ocr, str):
        return ocr
    try:
        return engine_for(ocr, name)
    except ScannedDocumentError:
        if is_needed:
            raise
        return None


def read_shots(
    pictures: Iterable[Shot],
    pages: Iterable[RawPage],
    engine: OcrEngine,
    on_page: OnPage | None,
) -> ScannedDocumentError | None:
    """Fills each page with what stands on its picture; only one picture is in memory at a time.

    A page on which the engine fails stays a picture; the last such failure is returned.
    """
    kept = list(pages)
    failure = None
    for number, (shot, page) in enumerate(zip(pictures, kept, strict=True), 1):
        if on_page is not None:
            on_page(number, len(kept))
        height, width = shot.picture.shape[:2]
        page.width, page.height = width * shot.points_a_pixel, height * shot.points_a_pixel
        try:
            page.fill(engine.read(shot.picture), shot.points_a_pixel)
        except ScannedDocumentError as error:
            page.is_picture = True
            failure = error
    return failure


def _blank() -> RawPage:
    return RawPage("", np.empty((0, 4), dtype=np.float32), 0.0, 0.0)
