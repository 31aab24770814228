"""Pictures and scanned pages as documents: text, boxes, quality, and what cannot be read."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image
from scripted_ocr import ScriptedOcr, blank, picture_bytes, placed, scripted, unsure

from assay.documents import pictures, read_document
from assay.documents.ocr import OcrPage
from assay.errors import (
    BrokenDocumentError,
    ConfigError,
    EmptyDocumentError,
    ScannedDocumentError,
    UnsupportedDocumentError,
)


@pytest.mark.parametrize(
    ("kind", "media_type"),
    [
        ("PNG", "image/png"),
        ("JPEG", "image/jpeg"),
        ("TIFF", "image/tiff"),
        ("WEBP", "image/webp"),
        ("GIF", "image/gif"),
        ("BMP", "image/bmp"),
    ],
)
def test_each_kind_of_picture_is_read_whatever_its_name(kind, media_type):
    data = picture_bytes(kind, blank())
    document = read_document(data, name="a.txt", ocr=scripted([("Total", 5, 5, 55, 15)]))
    assert (document.text, document.media_type) == ("Total", media_type)


def test_evidence_has_boxes_in_pixels_where_no_resolution_is_stated():
    document = read_document(
        picture_bytes("PNG", blank(60, 40)), ocr=scripted([("Total", 5, 6, 55, 16)])
    )
    (page,) = document.pages
    assert (page.width, page.height) == (60, 40)
    (box,) = document.boxes_for(0, 2)
    assert (box.page, box.left, box.top, box.right, box.bottom) == (1, 5, 6, 25, 16)


def test_boxes_are_points_where_the_resolution_is_stated():
    data = picture_bytes("PNG", blank(600, 400), dpi=(144, 144))
    document = read_document(data, ocr=scripted([("Total", 50, 60, 550, 160)]))
    assert document.pages[0].width == pytest.approx(300, abs=0.1)
    (box,) = document.boxes_for(0, 5)
    assert (box.left, box.bottom) == pytest.approx((25, 80), abs=0.1)


def test_every_page_of_a_tiff_is_a_page_and_told_before_it_is_read():
    told = []
    data = picture_bytes("TIFF", blank(), blank(80, 40))
    document = read_document(
        data,
        ocr=scripted([("One", 5, 5, 35, 15)], [("Two", 5, 5, 35, 15)]),
        on_page=lambda number, count: told.append((number, count)),
    )
    assert document.text == "One\n\nTwo"
    assert [page.width for page in document.pages] == [60, 80]
    assert told == [(1, 2), (2, 2)]


def test_quality_is_that_of_the_least_sure_character_and_of_a_page_the_mean():
    line = unsure(placed("3.90", 0, 0, 40, 10), [1.0, 0.9, 0.5, 0.8])
    document = read_document(picture_bytes("PNG", blank()), ocr=ScriptedOcr([OcrPage((line,))]))
    assert document.quality_of(0, 2) == pytest.approx(0.9)
    assert document.quality_of(0, 4) == pytest.approx(0.5)
    assert document.pages[0].quality == pytest.approx(0.8)


def test_text_that_was_not_read_off_a_picture_is_certain():
    document = read_document(b"Plain text")
    assert document.quality_of(0, 5) == 1.0
    assert document.char_quality is None


def test_a_turned_page_has_the_size_and_boxes_of_the_page_turned():
    document = read_document(
        picture_bytes("PNG", blank(60, 40)), ocr=scripted([("Total", 2, 6, 38, 16)], turned=90)
    )
    (page,) = document.pages
    assert (page.width, page.height, page.turned) == (40, 60, 90)


def test_a_photograph_is_turned_as_its_camera_says():
    exif = Image.Exif()
    exif[0x0112] = 6  # to be shown turned clockwise by 90 degrees
    engine = scripted([("Total", 2, 6, 38, 16)])
    read_document(picture_bytes("JPEG", blank(60, 40), exif=exif), ocr=engine)
    assert engine.seen[0].shape == (60, 40, 3)


@pytest.mark.parametrize(
    ("image", "shade"),
    [
        (blank(mode="RGBA", color=(0, 0, 0, 0)), 255),
        (blank(mode="I;16", color=0x8000), 128),
        (blank(mode="1", color=1), 255),
    ],
)
def test_the_engine_sees_what_is_transparent_as_white_and_eight_bits(image, shade):
    engine = scripted([("Total", 5, 5, 55, 15)])
    read_document(picture_bytes("PNG", image), ocr=engine)
    assert (engine.seen[0].dtype, engine.seen[0].shape) == (np.uint8, (40, 60, 3))
    assert np.abs(engine.seen[0].astype(int) - shade).max() <= 1


def test_a_large_picture_is_shrunk_before_it_is_read_and_keeps_its_size(monkeypatch):
    monkeypatch.setattr(pictures, "_MAX_SIDE", 100)
    engine = scripted([("Total", 10, 10, 60, 20)])
    document = read_document(picture_bytes("PNG", blank(400, 200)), ocr=engine)
    assert engine.seen[0].shape == (50, 100, 3)
    assert (document.pages[0].width, document.boxes_for(0, 5)[0].right) == (400, 240)


def test_a_picture_with_too_many_pixels_is_refused_before_it_is_decoded(monkeypatch):
    monkeypatch.setattr(pictures, "MAX_PIXELS", 1_000)
    with pytest.raises(BrokenDocumentError, match="pixels") as caught:
        read_document(picture_bytes("PNG", blank(60, 40)), ocr=scripted())
    assert caught.value.remedy


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "WEBP"])
def test_a_picture_cut_short_is_broken(kind):
    noise = Image.fromarray(np.random.default_rng(0).integers(0, 255, (64, 64), dtype=np.uint8))
    data = picture_bytes(kind, noise)
    with pytest.raises(BrokenDocumentError, match="damaged picture"):
        read_document(data[: len(data) // 2], ocr=scripted([]))


def test_a_picture_without_a_word_is_empty():
    with pytest.raises(EmptyDocumentError, match="scripted found no text"):
        read_document(picture_bytes("PNG", blank()), ocr=scripted([]))


def test_a_format_of_pictures_that_is_not_read_is_named():
    with pytest.raises(UnsupportedDocumentError, match="HEIF"):
        read_document(b"\x00\x00\x00\x18ftypheic" + bytes(32))


def test_with_ocr_off_a_picture_is_refused_with_the_way_out():
    with pytest.raises(ScannedDocumentError, match="OCR is off"):
        read_document(picture_bytes("PNG", blank()), ocr="off")


def test_an_unknown_engine_is_a_wrong_setting():
    with pytest.raises(ConfigError, match="no OCR engine 'magic'"):
        read_document(picture_bytes("PNG", blank()), ocr="magic")  # type: ignore[arg-type]


def test_pages_of_a_pdf_without_a_text_layer_are_read_off_a_picture_of_them(make_pdf, pdf_page):
    """Boxes are in points of the page, whatever the picture's resolution was."""
    told = []
    engine = scripted([("Scanned words", 100, 50, 1000, 100)])
    document = read_document(
        make_pdf([(72, 700, "Typed")], pdf_page(picture=True)),
        ocr=engine,
        on_page=lambda *page: told.append(page),
    )
    assert document.text == "Typed\n\nScanned words"
    assert document.unread_pages == ()
    assert told == [(1, 1)]
    assert [page.quality for page in document.pages] == [None, 1.0]
    scale = engine.seen[0].shape[1] / 595
    (box,) = document.boxes_for(7, document.num_chars)
    assert (box.page, box.left) == (2, pytest.approx(100 / scale, rel=0.01))
    assert document.quality_of(0, 5) == 1.0


def test_a_pdf_whose_pictures_hold_no_word_is_empty(make_pdf, pdf_page):
    with pytest.raises(EmptyDocumentError, match="without a word"):
        read_document(make_pdf(pdf_page(picture=True)), ocr=scripted([]))


class Failing(ScriptedOcr):
    """Fails on a page for which nothing is scripted."""

    def read(self, picture):
        page = super().read(picture)
        if not page.lines:
            raise ScannedDocumentError("the engine broke")
        return page


def test_a_page_on_which_the_engine_fails_stays_unread_and_the_others_are_read():
    engine = Failing([OcrPage(()), OcrPage((placed("Two", 5, 5, 35, 15),))])
    document = read_document(picture_bytes("TIFF", blank(), blank()), ocr=engine)
    assert document.text.strip() == "Two"
    assert document.unread_pages == (1,)


def test_where_the_engine_fails_on_every_page_its_failure_is_told(make_pdf, pdf_page):
    with pytest.raises(ScannedDocumentError, match="the engine broke"):
        read_document(make_pdf(pdf_page(picture=True)), ocr=Failing([OcrPage(())]))
