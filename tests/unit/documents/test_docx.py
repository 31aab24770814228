"""DOCX as it reads on paper: numbers, tables, changes, furniture; and archives that are refused."""

from __future__ import annotations

import io
import zipfile

import pytest

from assay.documents import docx, read_document
from assay.errors import BrokenDocumentError


def run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def paragraph(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{run(text)}</w:p>"


def level(index: int, kind: str, text: str, extra: str = "", start: int = 1) -> str:
    return (
        f'<w:lvl w:ilvl="{index}"><w:start w:val="{start}"/><w:numFmt w:val="{kind}"/>{extra}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def numbering(*levels: str, overrides: str = "") -> str:
    return (
        f'<w:abstractNum w:abstractNumId="0">{"".join(levels)}</w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
        f'<w:num w:numId="2"><w:abstractNumId w:val="0"/>{overrides}</w:num>'
    )


def at(index: int, number: int = 1) -> str:
    return f'<w:numPr><w:ilvl w:val="{index}"/><w:numId w:val="{number}"/></w:numPr>'


def lines_of(data: bytes) -> list[str]:
    return read_document(data, name="a.docx").text.split("\n\n")


def test_paragraphs_tabs_and_breaks(make_docx):
    body = (
        f"<w:p>{run('One ')}<w:r><w:t>two</w:t><w:tab/><w:t>x</w:t><w:br/><w:t>y</w:t></w:r></w:p>"
    )
    assert lines_of(make_docx(body + "<w:p/>" + paragraph("— end"))) == ["One two\tx\ny", "— end"]


def test_automatic_numbers_are_text(make_docx):
    """Clauses are found by "2.1", which Word keeps out of the paragraphs."""
    levels = numbering(
        level(0, "decimal", "%1."), level(1, "decimal", "%1.%2"), level(2, "lowerLetter", "(%3)")
    )
    body = "".join(
        paragraph(text, at(index))
        for text, index in [("A", 0), ("B", 0), ("C", 1), ("D", 1), ("E", 2), ("F", 2), ("G", 1),
                            ("H", 2), ("I", 0), ("J", 1)]
    )  # fmt: skip
    assert " | ".join(lines_of(make_docx(body, numbering=levels))) == (
        "1. A | 2. B | 2.1 C | 2.2 D | (a) E | (b) F | 2.3 G | (a) H | 3. I | 3.1 J"
    )


def test_numbers_are_printed_in_their_format(make_docx):
    levels = numbering(
        level(0, "chineseCounting", "第%1条", '<w:suff w:val="space"/>', start=12),
        level(1, "upperRoman", "ARTICLE %2"),
        level(2, "decimal", "%2.%3", "<w:isLgl/>"),
        level(3, "bullet", "\uf0b7"),
    )
    body = "".join(paragraph("x", at(index)) for index in (0, 1, 1, 2, 3))
    assert lines_of(make_docx(body, numbering=levels)) == [
        "第十二条 x", "ARTICLE I x", "ARTICLE II x", "2.1 x", "• x",
    ]  # fmt: skip


def test_a_second_instance_can_start_anew(make_docx):
    restart = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride>'
    levels = numbering(level(0, "decimal", "%1)"), overrides=restart)
    body = "".join(paragraph("x", at(0, number)) for number in (1, 1, 2, 2))
    assert lines_of(make_docx(body, numbering=levels)) == ["1) x", "2) x", "5) x", "6) x"]


def test_numbers_come_through_styles(make_docx):
    """A style that is based on a numbered one inherits it; its level is the one linked to it."""
    levels = numbering(
        level(0, "decimal", "%1"), level(1, "decimal", "%1.%2", '<w:pStyle w:val="H2"/>')
    )
    styles = (
        '<w:style w:type="paragraph" w:styleId="H1"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr>'
        '</w:pPr></w:style><w:style w:type="paragraph" w:styleId="H2"><w:pPr><w:numPr>'
        '<w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="H1b"><w:basedOn w:val="H1"/></w:style>'
    )
    none = '<w:numPr><w:numId w:val="0"/></w:numPr>'
    body = "".join(
        paragraph(text, f'<w:pStyle w:val="{style}"/>{extra}')
        for text, style, extra in [
            ("A", "H1", ""),
            ("B", "H2", ""),
            ("C", "H1b", ""),
            ("D", "H1", none),
        ]
    )
    assert lines_of(make_docx(body, numbering=levels, styles=styles)) == [
        "1 A", "1.1 B", "2 C", "D",
    ]  # fmt: skip


def test_a_row_is_a_line_with_tabs_between_its_cells(make_docx):
    def row(*cells: str) -> str:
        return "<w:tr>" + "".join(f"<w:tc>{cell}</w:tc>" for cell in cells) + "</w:tr>"

    table = row(paragraph("Item"), paragraph("Price")) + row(
        paragraph("Steel") + paragraph("bolt"), "<w:p/>", paragraph("5")
    )
    body = paragraph("Before") + f"<w:tbl>{table}</w:tbl>" + paragraph("After")
    assert lines_of(make_docx(body)) == ["Before", "Item\tPrice\nSteel bolt\t\t5", "After"]


def test_insertions_are_text_and_deletions_and_hidden_runs_are_not(make_docx):
    body = (
        f"<w:p>{run('pay ')}<w:ins>{run('60 ')}</w:ins><w:del><w:r><w:delText>30 </w:delText></w:r>"
        f"</w:del><w:moveFrom>{run('moved ')}</w:moveFrom>{run('days')}"
        "<w:r><w:rPr><w:vanish/></w:rPr><w:t> hidden</w:t></w:r></w:p>"
    )
    assert lines_of(make_docx(body)) == ["pay 60 days"]


def test_content_controls_links_and_text_boxes_are_read(make_docx):
    box = f"<w:r><w:pict><w:txbxContent>{paragraph('boxed')}</w:txbxContent></w:pict></w:r>"
    body = (
        f"<w:sdt><w:sdtContent>{paragraph('block')}</w:sdtContent></w:sdt>"
        f"<w:p><w:sdt><w:sdtContent>{run('field')}</w:sdtContent></w:sdt>"
        f"<w:hyperlink>{run(' link')}</w:hyperlink>{box}</w:p>"
    )
    assert lines_of(make_docx(body)) == ["block", "field link", "boxed"]


def test_headers_come_first_then_body_notes_and_footers(make_docx):
    notes = f'<w:footnote w:type="separator">{paragraph("-")}</w:footnote>' + (
        f"<w:footnote>{paragraph('a note')}</w:footnote>"
    )
    data = make_docx(
        paragraph("body"), footer=paragraph("foot"), header=paragraph("No. 7"), footnotes=notes
    )
    assert lines_of(data) == ["No. 7", "body", "a note", "foot"]


def test_a_damaged_file_is_broken(make_docx):
    data = make_docx(paragraph("text " * 200))
    with pytest.raises(BrokenDocumentError, match="damaged"):
        read_document(data[: len(data) // 2], name="a.docx")
    with pytest.raises(BrokenDocumentError, match="damaged"):
        read_document(make_docx("<w:p>"), name="a.docx")


def test_an_archive_that_unpacks_to_too_much_is_refused(make_docx, monkeypatch):
    monkeypatch.setattr(docx, "MAX_UNPACKED_BYTES", 100_000)
    data = make_docx(paragraph("a" * 150_000))
    assert len(data) < 5_000
    with pytest.raises(BrokenDocumentError, match="unpacks to more than"):
        read_document(data, name="a.docx")


def test_entities_of_the_markup_are_not_expanded(make_docx):
    """Neither files of the machine nor a billion laughs come in through the XML."""
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(make_docx(paragraph("safe")))) as old,
        zipfile.ZipFile(buffer, "w") as new,
    ):
        for entry in old.infolist():
            content = old.read(entry)
            if entry.filename == "word/document.xml":
                content = b'<!DOCTYPE d [<!ENTITY e SYSTEM "file:///etc/hostname">]>' + (
                    content.replace(b"safe", b"safe&e;")
                )
            new.writestr(entry.filename, content)
    assert read_document(buffer.getvalue(), name="a.docx").text == "safe"
