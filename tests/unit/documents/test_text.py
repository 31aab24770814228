"""Text files: what is kept, what is replaced, and encodings that are told or refused."""

from __future__ import annotations

import random

import pytest

from assay.documents import read_document
from assay.errors import BrokenDocumentError, UnsupportedDocumentError

CHINESE = (
    "甲方应于本合同签订之日起三十日内支付货款人民币壹佰万元整。\n第七条 违约责任：乙方应赔偿。"
)
EUROPEAN = "Die Société Générale — “café” à Zürich\nnaïve résumé of the party’s claim"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [CHINESE, EUROPEAN], ids=["chinese", "european"])
def test_unicode_encodings_are_told_with_and_without_a_mark(encoding, text):
    assert read_document(text.encode(encoding), name="a.txt").text == text


@pytest.mark.parametrize("encoding", ["gb18030", "gbk", "gb2312"])
def test_chinese_in_its_own_encodings_is_told(encoding):
    assert read_document(CHINESE.encode(encoding), name="a.txt").text == CHINESE


def test_traditional_chinese_in_gbk_is_told():
    text = "甲方應於本合約簽訂之日起三十日內支付貨款人民幣壹佰萬元整。" * 3
    assert read_document(text.encode("gbk"), name="a.txt").text == text


def test_western_european_text_is_told():
    assert read_document(EUROPEAN.encode("cp1252"), name="a.txt").text == EUROPEAN


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("甲方應於本合約簽訂之日起三十日內支付貨款人民幣壹佰萬元整。" * 3, "big5"),
        ("本契約は甲乙間の売買に関する条件を定める。", "shift-jis"),
        ("본 계약은 갑과 을 사이의 매매에 관한 조건을 정한다.", "euc-kr"),
        ("Настоящий договор заключён между сторонами", "koi8-r"),
        ("Настоящий договор заключён между сторонами", "cp1251"),
    ],
)
def test_an_encoding_that_is_not_told_is_refused_not_garbled(text, encoding):
    with pytest.raises(UnsupportedDocumentError, match="encoding"):
        read_document(text.encode(encoding), name="a.txt")


def test_damaged_utf8_is_not_taken_for_another_encoding():
    data = CHINESE.encode()
    with pytest.raises(BrokenDocumentError, match="byte 30"):
        read_document(data[:30] + b"\xff" + data[30:], name="a.txt")
    with pytest.raises(BrokenDocumentError, match="UTF-8"):
        read_document(data[:-1], name="a.txt")


def test_utf16_cut_in_a_character_is_broken():
    with pytest.raises(BrokenDocumentError, match="UTF-16"):
        read_document("Agreement".encode("utf-16")[:-1], name="a.txt")


@pytest.mark.parametrize("size", [64, 1000, 50_000])
def test_binary_under_the_name_of_a_text_is_refused(size):
    data = random.Random(size).randbytes(size)
    with pytest.raises(UnsupportedDocumentError, match="binary"):
        read_document(data, name="a.txt")


def test_a_nul_among_text_is_refused():
    with pytest.raises(UnsupportedDocumentError, match="binary"):
        read_document(b"Agreement\x00 of the parties", name="a.txt")


def test_line_ends_become_newlines_and_controls_become_spaces():
    data = b"\xef\xbb\xbfone\r\ntwo\rthree\x0cfour\x07five\tsix\xc2\x85seven"
    assert read_document(data).text == "one\ntwo\nthree\nfour five\tsix\nseven"


def test_no_other_character_is_changed():
    """No normalisation: ligatures, full width, combining marks and the em dash stay."""
    text = "ﬁrst １００％ e\u0301 — “x” \u00a0\u200b 㐀 𠀀"
    assert read_document(text.encode()).text == text


def test_markdown_keeps_its_marks():
    document = read_document(b"# Term\n\n**3** years", name="a.md")
    assert (document.text, document.media_type) == ("# Term\n\n**3** years", "text/markdown")


def test_text_has_no_pages_and_no_boxes():
    document = read_document(b"Agreement")
    assert (document.num_pages, document.page_at(3), document.boxes_for(0, 3)) == (None, None, ())
    assert document.num_chars == 9


def test_the_hash_is_that_of_the_text_whatever_the_encoding():
    utf8, gb = (read_document(CHINESE.encode(encoding)) for encoding in ("utf-8", "gb18030"))
    assert utf8.sha256 == gb.sha256 != read_document(b"Agreement").sha256
