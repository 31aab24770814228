"""How the example documents look: a contract and an invoice as PDF, a letter as DOCX.

The sources are plain text in a small markup: `= title`, `## heading`, `@ centred line`,
`! signature line`, `| cell | cell` rows (the first is the head), `---` page break, `**bold**`;
paragraphs are divided by blank lines.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from xml.sax.saxutils import escape

from docx import Document as Docx
from docx.shared import Pt
from reportlab.lib import colors
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import (
    Flowable,
    KeepTogether,
    PageBreak,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    Table,
    TableStyle,
)

BODY = ParagraphStyle(
    "body", fontName="Times-Roman", fontSize=11, leading=14.5, spaceAfter=7, alignment=TA_JUSTIFY
)
CELL = ParagraphStyle("cell", parent=BODY, fontSize=9, leading=11, spaceAfter=0, alignment=0)
HEADING = ParagraphStyle(
    "heading",
    parent=BODY,
    fontName="Times-Bold",
    fontSize=11.5,
    spaceBefore=10,
    keepWithNext=True,
    alignment=0,
)
CENTRED = ParagraphStyle("centred", parent=BODY, fontSize=13, spaceAfter=18, alignment=TA_CENTER)
TITLE = ParagraphStyle(
    "title",
    parent=CENTRED,
    fontName="Times-Bold",
    fontSize=24,
    leading=30,
    spaceBefore=150,
    spaceAfter=40,
)
GRID = TableStyle(
    [
        ("GRID", (0, 0), (-1, -1), 0.4, colors.grey),
        ("BACKGROUND", (0, 0), (-1, 0), colors.whitesmoke),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ]
)

Block = tuple[str, Any]


def blocks(source: str) -> Iterator[Block]:
    """The blocks of a source: `(kind, text)`, and `("table", rows)`."""
    for part in re.split(r"\n\s*\n", source.strip()):
        if part == "---":
            yield "break", ""
        elif part.startswith("|"):
            yield "table", [[c.strip() for c in row[1:].split("|")] for row in part.splitlines()]
        elif part.startswith("!"):
            yield "signature", [line[1:].strip() for line in part.splitlines()]
        else:
            marks = {"= ": "title", "## ": "heading", "@ ": "centred"}
            mark = next((mark for mark in marks if part.startswith(mark)), "")
            yield marks.get(mark, "paragraph"), part.removeprefix(mark)


def rich(text: str) -> str:
    """The markup of a line as reportlab's: bold, and line breaks kept."""
    bold = re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", escape(text))
    return bold.replace("\n", "<br/>")


class NumberedCanvas(Canvas):
    """Writes the header and `Page n of m`, for which it keeps all pages until the end."""

    heading = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "invariant": 1, "pageCompression": 0})
        self._pages: list[dict[str, Any]] = []

    def showPage(self) -> None:  # noqa: N802 (reportlab's name)
        self._pages.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        for number, page in enumerate(self._pages, 1):
            self.__dict__.update(page)
            self.setFont("Times-Italic", 9)
            self.drawString(25 * mm, A4[1] - 14 * mm, self.heading)
            self.drawCentredString(A4[0] / 2, 12 * mm, f"Page {number} of {len(self._pages)}")
            Canvas.showPage(self)
        Canvas.save(self)


def _render(story: list[Flowable], title: str, author: str, heading: str) -> bytes:
    target = io.BytesIO()
    canvas = type("HeadedCanvas", (NumberedCanvas,), {"heading": heading})
    SimpleDocTemplate(
        target,
        pagesize=A4,
        title=title,
        author=author,
        leftMargin=25 * mm,
        rightMargin=25 * mm,
        topMargin=23 * mm,
        bottomMargin=23 * mm,
    ).build(story, canvasmaker=canvas)
    return target.getvalue()


def _grid(rows: list[list[str]]) -> Table:
    cells = [
        [Paragraph(f"<b>{rich(c)}</b>" if i == 0 else rich(c), CELL) for c in row]
        for i, row in enumerate(rows)
    ]
    return Table(cells, style=GRID, repeatRows=1, spaceBefore=4, spaceAfter=10)


def agreement_pdf(source: str) -> bytes:
    """The contract: cover page, numbered clauses, schedules, signatures."""
    styles = {"title": TITLE, "heading": HEADING, "centred": CENTRED, "paragraph": BODY}
    story: list[Flowable] = []
    for kind, content in blocks(source):
        if kind == "break":
            story.append(PageBreak())
        elif kind == "table":
            story.append(_grid(content))
        elif kind == "signature":
            lines = ["Signature: " + "_" * 36, *content]
            story.append(KeepTogether([Paragraph(rich(line), BODY) for line in lines]))
            story.append(Spacer(0, 16))
        else:
            story.append(Paragraph(rich(content), styles[kind]))
    return _render(
        story,
        "Supply Agreement",
        "Harrowgate Castings Limited",
        "Supply Agreement HC-LRS-2025-017, Harrowgate Castings / Lindqvist Rotor Systems",
    )


def invoice_pdf() -> bytes:
    """An invoice for a first delivery under the contract."""
    head = ParagraphStyle("head", parent=BODY, fontName="Times-Bold", fontSize=18, leading=24)
    lines = [
        ("LR40-1107", "Turbine blade, stage 1", 200, 21460),
        ("LR40-1108", "Turbine blade, stage 2", 160, 19825),
        ("LR65-2290", "Shroud segment", 120, 15675),
    ]
    surcharge = 318640
    net = sum(quantity * price for _, _, quantity, price in lines) + surcharge
    vat = 0  # export
    rows = [["Part no.", "Description", "Pieces", "Price (GBP)", "Amount (GBP)"]]
    rows += [
        [part, what, str(n), _money(price), _money(n * price)] for part, what, n, price in lines
    ]
    rows += [
        ["", "Alloy surcharge, June 2025", "", "", _money(surcharge)],
        ["", "Net amount", "", "", _money(net)],
        ["", "VAT 0% (export, zero-rated)", "", "", _money(vat)],
        ["", "<b>Total due</b>", "", "", _money(net + vat)],
    ]
    cells = [[Paragraph(cell, CELL) for cell in row] for row in rows]
    paragraphs = [
        "Harrowgate Castings Limited\nUnit 7, Foundry Lane, Sheffield S9 2QX, United Kingdom\n"
        "Company number 09417263, VAT number GB 000 9417 26",
        "Invoice number: **HC-INV-25-0442**\nInvoice date: **8 July 2025**\n"
        "Purchase Order: LRS-PO-118833 of 30 April 2025\nDelivery: FCA Sheffield, 7 July 2025",
        "To: Lindqvist Rotor Systems GmbH\nWerftstrasse 114, 24143 Kiel, Germany\n"
        "VAT number DE 000 208 610",
    ]
    terms = [
        "Payment terms: 45 days after the date of the invoice, due on **22 August 2025**. "
        "A discount of 1.5% of the net amount may be deducted if payment is made within 10 days, "
        "by 18 July 2025.",
        "Late payments bear interest at 4% per annum above the base rate of the Bank of England.",
        "Bank: Don Valley Bank, account name Harrowgate Castings Limited, "
        "account 00417263, sort code 00-00-17.",
        "Title to the goods passes on payment in full.",
    ]
    story: list[Flowable] = [Paragraph("INVOICE", head)]
    story += [
        Paragraph(rich(text), ParagraphStyle("left", parent=BODY, alignment=0))
        for text in paragraphs
    ]
    story += [
        Table(
            cells,
            style=GRID,
            spaceBefore=8,
            spaceAfter=14,
            colWidths=[25 * mm, 58 * mm, 18 * mm, 27 * mm, 32 * mm],
        )
    ]
    story += [Paragraph(rich(text), BODY) for text in terms]
    return _render(
        story,
        "Invoice HC-INV-25-0442",
        "Harrowgate Castings Limited",
        "Harrowgate Castings Limited",
    )


def _money(pence: int) -> str:
    return f"{pence // 100:,}.{pence % 100:02}"


def letter_docx(source: str) -> bytes:
    """The letter: paragraphs, one heading, a table."""
    document = Docx()
    document.styles["Normal"].font.name = "Calibri"
    document.styles["Normal"].font.size = Pt(11)
    for kind, content in blocks(source):
        if kind == "heading":
            document.add_heading(content, level=2)
        elif kind == "table":
            table = document.add_table(len(content), len(content[0]), style="Table Grid")
            for row, cells in zip(table.rows, content, strict=True):
                for cell, text in zip(row.cells, cells, strict=True):
                    cell.text = text
        else:
            paragraph = document.add_paragraph()
            for index, run in enumerate(content.split("**")):
                paragraph.add_run(run).bold = index % 2 == 1
    properties = document.core_properties
    properties.author = "Brightwater Mutual Insurance Society"
    properties.title = "Claim BW-2025-884120"
    properties.created = properties.modified = datetime(2025, 9, 18, 9, 0, tzinfo=UTC)
    properties.last_modified_by, properties.comments = "", ""
    target = io.BytesIO()
    document.save(target)
    return target.getvalue()
