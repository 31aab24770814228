"""The OCR engines themselves, on a page drawn here."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from assay.analysis import Analyzer
from assay.documents import read_document
from assay.documents.ocr import OcrMode
from assay.evaluation.units import NoModel

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


CHINESE_FONT = Path("/usr/share/fonts/truetype/wqy/wqy-microhei.ttc")
CHINESE_LINES = (
    "设备采购合同",
    "甲方：青桐机械有限公司",
    "乙方：白杨数控设备有限公司",
    "签订日期：2031年5月3日",
    "合同总金额为人民币壹拾贰万元整（¥120,000.00）。",
    "甲方应当在收到发票后三十日内支付货款。",
    "本合同适用中华人民共和国法律。",
)


@pytest.mark.skipif(not CHINESE_FONT.is_file(), reason="needs the font WenQuanYi Micro Hei")
def test_a_chinese_scan_is_read_and_answered_with_its_places() -> None:
    page = Image.new("L", (900, 700), 255)
    pen, font = ImageDraw.Draw(page), ImageFont.truetype(str(CHINESE_FONT), 26)
    for index, line in enumerate(CHINESE_LINES):
        pen.text((60, 50 + 80 * index), line, fill=0, font=font)
    document = read_document(picture_bytes("PNG", page))
    units = ["extract_party", "extract_date", "extract_currency", "extract_payment_terms"]
    with Analyzer(backend=NoModel()) as analyzer:
        results = analyzer.analyze(document, units=units).results
    parties = results["extract_party"].value["parties"]
    assert [party["name"] for party in parties] == ["青桐机械有限公司", "白杨数控设备有限公司"]
    assert results["extract_date"].value["agreement"]["iso"] == "2031-05-03"
    (amount,) = results["extract_currency"].value["amounts"]
    assert (amount["amount"], amount["currency"]) == ("120000", "CNY")
    assert results["extract_payment_terms"].value["due_within"]["duration"] == "P30D"
    (first, *_) = results["extract_party"].evidence
    assert first.quote == "青桐机械有限公司"
    assert first.page == 1
    assert first.boxes[0].top == pytest.approx(135, abs=15)
