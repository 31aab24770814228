"""The OCR engines themselves, on a page drawn here."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

from assay.documents import read_document
from assay.documents.ocr import OcrMode

pytest.importorskip("rapidocr")

from PIL import Image, ImageDraw, ImageFont
from scripted_ocr import picture_bytes

LINES = ("INVOICE No. 4711", "Date: 12 March 2025", "Two boxes of paper", "Total due 1,234.50")
pytestmark = pytest.mark.slow


def draw_page(degrees: float = 0) -> Image.Image:
    page = Image.new("L", (700, 500), 255)
    pen = ImageDraw.Draw(page)
    for index, line in enumerate(LINES):
        pen.text((60, 60 + 90 * index), line, fill=0, font=ImageFont.load_default(34))
    return page.rotate(degrees, expand=True, fillcolor=255)


HAS_TESSERACT = pytest.mark.skipif(not shutil.which("tesseract"), reason="needs Tesseract")
ENGINES = ["rapidocr", pytest.param("tesseract", marks=HAS_TESSERACT)]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_a_page_is_read_whichever_way_it_lies(degrees: int, engine: OcrMode) -> None:
    """Turned counterclockwise by some degrees it is turned back by as many clockwise."""
    document = read_document(picture_bytes("PNG", draw_page(degrees)), ocr=engine)
    assert [line for line in document.text.split("\n") if line] == list(LINES)
    (page,) = document.pages
    assert (page.turned, page.width, page.height) == (degrees, 700, 500)
    assert page.quality is not None
    assert page.quality > 0.9
    at = document.text.index("1,234.50")
    (box,) = document.boxes_for(at, at + 8)
    assert (box.left, box.top) == pytest.approx((220, 335), abs=30)
    assert box.bottom - box.top < 60


@pytest.mark.parametrize("engine", ENGINES)
def test_a_page_that_lies_askew_is_read_row_by_row(engine: OcrMode) -> None:
    document = read_document(picture_bytes("PNG", draw_page(-4)), ocr=engine)
    rows = [line.split() for line in document.text.split("\n") if line]
    assert [row[-1] for row in rows] == [line.split()[-1] for line in LINES]


def test_pages_of_a_scanned_pdf_are_read(tmp_path: Any) -> None:
    path = tmp_path / "scan.pdf"
    draw_page().save(path, save_all=True, append_images=[draw_page(180)], resolution=100)
    document = read_document(path)
    assert document.unread_pages == ()
    assert [page.turned for page in document.pages] == [0, 180]
    assert document.text.count("1,234.50") == 2
