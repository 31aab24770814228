"""PDF: words stay apart, characters know their page and place, and what cannot be read is said."""

from __future__ import annotations

import pytest

from assay.documents import pdf, read_document
from assay.errors import (
    BrokenDocumentError,
    EmptyDocumentError,
    EncryptedDocumentError,
    ScannedDocumentError,
)


def test_words_do_not_fuse_at_page_and_line_breaks(make_pdf):
    """The last word of a page and the first of the next stay two words."""
    document = read_document(
        make_pdf(
            [(72, 760, "The Seller shall deliver the"), (72, 746, "goods to the named")],
            [(72, 760, "place of destination.")],
        )
    )
    assert " ".join(document.text.split()) == (
        "The Seller shall deliver the goods to the named place of destination."
    )
    assert "named\n\nplace" in document.text


def test_pages_hold_exactly_their_text(make_pdf):
    document = read_document(make_pdf([(72, 700, "First page")], [(72, 700, "Second page")]))
    texts = [document.text[page.start : page.end] for page in document.pages]
    assert texts == ["First page", "Second page"]
    assert [page.number for page in document.pages] == [1, 2]
    assert document.media_type == pdf.MEDIA_TYPE
    assert (document.pages[0].width, document.pages[0].height) == (595, 842)
    assert document.num_pages == 2
    second = document.text.index("Second")
    assert document.page_at(second) == 2
    assert document.page_at(second - 1) == 1
    assert document.page_at(0) == 1
    assert document.page_at(document.num_chars) == 2


def test_offsets_outside_the_text_are_refused(make_pdf):
    document = read_document(make_pdf([(72, 700, "Text")]))
    with pytest.raises(IndexError):
        document.page_at(5)
    with pytest.raises(IndexError):
        document.boxes_for(0, 5)
    with pytest.raises(IndexError):
        document.boxes_for(-1, 2)


def test_boxes_are_one_a_line_from_the_top_left(make_pdf):
    document = read_document(make_pdf([(72, 742, "Force majeure"), (72, 728, "means this")]))
    start, end = document.text.index("majeure"), document.text.index(" this")
    first, second = document.boxes_for(start, end)
    assert first.page == second.page == 1
    assert 100 < first.left < 115
    assert first.top < 100 < first.bottom < 106
    assert first.bottom - first.top == pytest.approx(second.bottom - second.top)
    assert second.left == pytest.approx(72, abs=1)
    assert second.top - first.top == pytest.approx(14, abs=0.1)
    assert document.boxes_for(start, start) == ()


def test_boxes_of_a_span_over_two_pages_are_on_both(make_pdf):
    document = read_document(make_pdf([(72, 60, "the named")], [(72, 760, "place")]))
    assert [box.page for box in document.boxes_for(4, document.num_chars)] == [1, 2]


def test_boxes_of_a_turned_page_are_where_it_is_shown(make_pdf, pdf_page):
    """A page turned clockwise: what stood at the left foot is shown at the left top."""
    turned = read_document(make_pdf(pdf_page([(72, 100, "Turned")], rotation=90)))
    assert (turned.pages[0].width, turned.pages[0].height) == (842, 595)
    (box,) = turned.boxes_for(0, 1)
    assert 95 < box.left < 100 < box.right < 115
    assert box.top == pytest.approx(72, abs=1)

    upside_down = read_document(make_pdf(pdf_page([(72, 100, "Turned")], rotation=180)))
    (box,) = upside_down.boxes_for(0, 1)
    assert box.right == pytest.approx(595 - 72, abs=1)
    assert 95 < box.top < 100 < box.bottom < 115


def test_typographic_characters_stay_as_they_are(make_pdf):
    """An em dash stays an em dash, curly quotes stay curly."""
    document = read_document(make_pdf([(72, 700, "“Term” — the party’s €5 fee…")]))
    assert document.text == "“Term” — the party’s €5 fee…"


def test_a_wide_gap_between_lines_is_a_blank_line(make_pdf):
    lines = [(72, 700 - 14 * i, f"Line {i} goes on") for i in range(4)]
    document = read_document(make_pdf([*lines, (72, 620, "Another paragraph")]))
    assert "Line 2 goes on\nLine 3 goes on\n\nAnother" in document.text
    assert document.boxes_for(document.text.index("Another"), document.num_chars)[0].page == 1


def test_a_wide_gap_in_a_line_is_a_tab(make_pdf):
    document = read_document(make_pdf([(72, 700, "Net amount"), (400, 700, "96,636.40")]))
    assert document.text == "Net amount\t96,636.40"


def test_a_word_hyphenated_at_a_line_end_is_mended_as_the_document_writes_it(make_pdf):
    """Joined if the whole word stands elsewhere; with its hyphen if that form does."""
    document = read_document(
        make_pdf(
            [
                (72, 700, "This termination of a non-exclusive licence and a termi-"),
                (72, 686, "nation right under the non-"),
                (72, 672, "exclusive licence"),
            ]
        )
    )
    assert " ".join(document.text.split()).endswith(
        "and a termination right under the non-exclusive licence"
    )
    assert document.char_boxes is not None
    assert len(document.char_boxes) == document.num_chars
    at = document.text.index("right")
    assert document.boxes_for(at, at + 5)[0].top > document.boxes_for(0, 4)[0].top


def test_a_word_of_which_nothing_is_known_keeps_its_hyphen(make_pdf):
    document = read_document(make_pdf([(72, 700, "a third-"), (72, 686, "party claim")]))
    assert "third-party" in document.text


def test_values_of_form_fields_are_text(make_pdf, pdf_page):
    document = read_document(
        make_pdf(pdf_page([(72, 700, "Policy holder:")], field_value="Ann Example"))
    )
    at = document.text.index("Ann Example")
    (box,) = document.boxes_for(at, at + 11)
    assert 770 < box.top < box.bottom < 795


def test_a_scan_is_called_a_scan(make_pdf, pdf_page):
    stamped = pdf_page([(500, 20, "0001")], picture=True)
    with pytest.raises(ScannedDocumentError, match=r"scan.pdf is .* without a text layer.*OCR"):
        read_document(make_pdf(stamped, pdf_page(picture=True)), name="scan.pdf", ocr="off")


def test_pages_that_are_pictures_are_named_when_others_have_text(make_pdf, pdf_page):
    document = read_document(make_pdf([(72, 700, "Typed")], pdf_page(picture=True)), ocr="off")
    assert document.unread_pages == (2,)


def test_a_picture_under_enough_text_is_no_scan(make_pdf, pdf_page):
    page = pdf_page([(72, 700, "The text layer of a page that was scanned")], picture=True)
    assert read_document(make_pdf(page)).unread_pages == ()


def test_blank_pages_are_empty_not_scanned(make_pdf):
    with pytest.raises(EmptyDocumentError, match="1 page, blank"):
        read_document(make_pdf([]))


def test_a_password_is_asked_for_by_name(make_pdf):
    with pytest.raises(EncryptedDocumentError, match="password"):
        read_document(make_pdf([(72, 700, "Secret")], encrypted=True))


def test_a_file_cut_short_is_broken(make_pdf):
    data = make_pdf([(72, 700, "First page")], [(72, 700, "Second page")])
    for length in (len(data) // 4, len(data) // 2, len(data) - 10):
        with pytest.raises(BrokenDocumentError, match="cut short"):
            read_document(data[:length])


def test_an_update_cut_short_is_not_read_as_the_version_before(make_pdf):
    data = make_pdf([(72, 700, "Old")])
    with pytest.raises(BrokenDocumentError, match="cut short"):
        read_document(data + b"\n30 0 obj\n<< /Type /Page >>\nendo")


def test_rubbish_after_the_mark_of_a_pdf_is_broken():
    with pytest.raises(BrokenDocumentError, match="not a readable PDF"):
        read_document(b"%PDF-1.7\nrubbish\n%%EOF")
