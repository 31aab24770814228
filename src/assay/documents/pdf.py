"""PDF through PDFium: the text layer of its pages, and pictures of those that have none.

Text is in the order of PDFium, which is that of the content stream. Lines end in `\\n`; a vertical
gap wider than the page's usual one becomes a blank line, and so does the end of a page; a gap in a
line that is wider than any word space becomes a tab. Values of filled form fields are text too. A
word that was hyphenated at the end of a line is made whole again if the whole word stands
elsewhere in the document, and keeps its hyphen otherwise.

PDFium is not thread-safe: one document is read at a time in a process.
"""

from __future__ import annotations

import math
import re
import threading

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from assay.documents.document import Document
from assay.documents.ocr import OcrEngine, OcrMode
from assay.documents.pages import RawPage, join_pages
from assay.documents.pdf_layout import from_top_left, mark_columns, mark_paragraphs
from assay.documents.pictures import Shot
from assay.documents.scan import OnPage, find_engine, read_shots
from assay.documents.text import clean
from assay.errors import (
    BrokenDocumentError,
    EmptyDocumentError,
    EncryptedDocumentError,
)
from assay.patterns import lazy_pattern

MEDIA_TYPE = "application/pdf"

_LOCK = threading.Lock()
# PDFium's sign for a hyphen that it took for the end of a line inside a word.
_LINE_HYPHEN = "\x02"
_HYPHENATED = lazy_pattern(rf"(\w+){_LINE_HYPHEN}(\w+)")
_LONE_SURROGATE = lazy_pattern(r"[\ud800-\udfff]")
_WORD = lazy_pattern(r"\w+(?:-\w+)*")
# A page with fewer characters than this under a picture has a stamp or a number, but no text.
_MIN_CHARS_BESIDE_PICTURE = 24
_PICTURE_SHARE = 0.3
# How pages are drawn for OCR.
_RENDER_DPI, _MAX_RENDER_SIDE = 200, 4_000
_AGAIN = "get it again from where it came from"


def read(
    data: bytes, name: str, ocr: OcrMode | OcrEngine = "rapidocr", on_page: OnPage | None = None
) -> Document:
    """Reads a PDF; pages that are pictures through `ocr`.

    Where other pages have text and there is no engine, those pages stay unread.

    Raises:
        EncryptedDocumentError: it opens with a password only.
        BrokenDocumentError: damaged or cut short.
        ScannedDocumentError: its pages are pictures without a text layer, and there is no engine.
        EmptyDocumentError: neither its pages nor the pictures on them hold text.
    """
    _refuse_cut_short(data, name)
    with _LOCK:
        raw_pages = _read_pages(data, name)
    has_text = any(page.text.strip() and not page.is_picture for page in raw_pages)
    drawn = {
        number: page
        for number, page in enumerate(raw_pages)
        if page.is_picture or (page.has_drawing and not page.text.strip())
    }
    failure = None
    if drawn and (engine := find_engine(ocr, name, is_needed=not has_text)):
        pictures = (_render(data, number) for number in drawn)
        failure = read_shots(pictures, drawn.values(), engine, on_page)
    if not any(page.text.strip() for page in raw_pages):
        raise failure or EmptyDocumentError(
            f"{name} holds no text: {_count(len(raw_pages))}, blank or without a word on them",
            remedy="check where it came from",
        )
    _mend_hyphens(raw_pages)
    return join_pages(raw_pages, name, MEDIA_TYPE)


def _render(data: bytes, index: int) -> Shot:
    """A picture of the page as shown."""
    with _LOCK, pdfium.PdfDocument(data) as pdf:
        page = pdf[index]
        longest = max(page.get_size())
        scale = min(_RENDER_DPI / 72, _MAX_RENDER_SIDE / longest)
        picture = page.render(scale=scale, rev_byteorder=True).to_numpy()
        return Shot(picture[:, :, :3].copy(), 1 / scale)


def _count(num_pages: int) -> str:
    return f"{num_pages} page" + ("s" if num_pages != 1 else "")


def _refuse_cut_short(data: bytes, name: str) -> None:
    """PDFium rebuilds what it can of a file that was cut; what is lost is lost in silence."""
    end = data.rfind(b"%%EOF")
    if end < 0 or re.search(rb"\s\d+ \d+ obj\b", data[end:]):
        raise BrokenDocumentError(f"{name} is a PDF that was cut short", remedy=_AGAIN)


def _read_pages(data: bytes, name: str) -> list[RawPage]:
    try:
        pdf = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if error.err_code == pdfium_c.FPDF_ERR_PASSWORD:
            raise EncryptedDocumentError(
                f"{name} is protected by a password", remedy="remove the password and try again"
            ) from error
        if error.err_code == pdfium_c.FPDF_ERR_SECURITY:
            raise EncryptedDocumentError(
                f"{name} is protected by a scheme that cannot be opened",
                remedy="print it to a new PDF and try again",
            ) from error
        raise BrokenDocumentError(f"{name} is not a readable PDF", remedy=_AGAIN) from error
    try:
        has_form = pdf.get_formtype() != pdfium_c.FORMTYPE_NONE
        if has_form:
            pdf.init_forms()
        pages = []
        for index in range(len(pdf)):
            try:
                pages.append(_read_page(pdf, index, has_form))
            except pdfium.PdfiumError as error:
                raise BrokenDocumentError(
                    f"page {index + 1} of {name} is damaged", remedy=_AGAIN
                ) from error
        return pages
    finally:
        pdf.close()


def _read_page(pdf: pdfium.PdfDocument, index: int, has_form: bool) -> RawPage:
    page = pdf[index]
    if has_form and page.flatten() == pdfium_c.FLATTEN_SUCCESS:
        page.close()
        page = pdf[index]
    text_page = page.get_textpage()
    text, boxes = _characters(text_page)
    width, height = page.get_size()
    boxes = from_top_left(boxes, page.get_bbox(), page.get_rotation())
    text, boxes = mark_paragraphs(mark_columns(text, boxes), boxes)
    raw = RawPage(text, boxes, width, height)
    num_chars = len("".join(text.split()))
    if num_chars < _MIN_CHARS_BESIDE_PICTURE:
        raw.is_picture = _picture_share(page) >= _PICTURE_SHARE
        raw.has_drawing = next(page.get_objects(max_depth=1), None) is not None
    text_page.close()
    page.close()
    return raw


def _characters(text_page: pdfium.PdfTextPage) -> tuple[str, npt.NDArray[np.float32]]:
    """The page's characters, and left, bottom, right, top of each in page space."""
    raw, num_chars = text_page.raw, text_page.count_chars()
    if num_chars < 0:
        raise pdfium.PdfiumError("the characters of a page cannot be counted")
    get_unicode, get_box = pdfium_c.FPDFText_GetUnicode, pdfium_c.FPDFText_GetLooseCharBox
    rects = (pdfium_c.FS_RECTF * num_chars)()
    chars: list[str] = []
    kept: list[int] = []
    for index in range(num_chars):
        code = get_unicode(raw, index)
        if 0x20 <= code < 0x7F or 0xA0 <= code < 0xDC00:
            char = chr(code)
        elif code in (0x0D, 0xFEFF):
            continue
        elif code in (0x02, 0xFFFE):
            char = _LINE_HYPHEN
        elif 0xDC00 <= code < 0xE000 and chars and "\ud800" <= chars[-1] <= "\udbff":
            chars[-1] = chr(0x10000 + ((ord(chars[-1]) - 0xD800) << 10) + code - 0xDC00)
            continue
        else:
            char = clean(chr(code)) if code else "\ufffd"
        get_box(raw, index, rects[index])
        chars.append(char)
        kept.append(index)
    # PDFium's rectangle is left, top, right, bottom; what has no area was put in by PDFium.
    boxes = np.frombuffer(rects, dtype=np.float32).reshape(-1, 4)[kept][:, [0, 3, 2, 1]]
    boxes[(boxes[:, 2] <= boxes[:, 0]) | (boxes[:, 3] <= boxes[:, 1])] = math.nan
    return _LONE_SURROGATE.sub("\ufffd", "".join(chars)), boxes


def _picture_share(page: pdfium.PdfPage) -> float:
    """The part of the page's area under pictures, at most 1."""
    width, height = page.get_size()
    area = 0.0
    for item in page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_IMAGE], max_depth=4):
        left, bottom, right, top = item.get_bounds()
        area += (right - left) * (top - bottom)
    return min(1.0, area / (width * height)) if width * height else 0.0


def _mend_hyphens(pages: list[RawPage]) -> None:
    """Joins or hyphenates the words at `_LINE_HYPHEN`, by which form the document has elsewhere.

    Where it has neither, as it does with most of the others; in doubt the hyphen, which is printed.
    """
    if not any(_LINE_HYPHEN in page.text for page in pages):
        return
    words = {word for page in pages for word in _WORD.findall(page.text.lower())}
    cases = {match.groups() for page in pages for match in _HYPHENATED.finditer(page.text.lower())}
    num_joined = sum(first + rest in words for first, rest in cases)
    num_hyphened = sum(f"{first}-{rest}" in words for first, rest in cases)
    for page in pages:
        dropped = []
        for match in _HYPHENATED.finditer(page.text):
            first, rest = match.group(1).lower(), match.group(2).lower()
            joined, hyphened = first + rest in words, f"{first}-{rest}" in words
            if (joined and not hyphened) or (joined == hyphened and num_joined > num_hyphened):
                dropped.append(match.end(1))
        for at in reversed(dropped):
            page.text = page.text[:at] + page.text[at + 1 :]
        page.boxes = np.delete(page.boxes, dropped, axis=0)
        page.text = page.text.replace(_LINE_HYPHEN, "-")
