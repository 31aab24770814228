"""Rows of receipts, invoices and bills: short documents whose lines say what they are.

A row is a line with the cells between its tabs. What these documents print at their head (who
issued them, and where) ends where the particulars start: numbers of the bill, dates, tables.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assay.patterns import lazy_pattern
from assay.units.fallbacks.base import Region, scan_spans

#: Longer documents are no receipts, and what a long one states at its head is no issuer's card.
MAX_CHARS = 12_000
_BILL = lazy_pattern(
    r"\b(?:receipts?|invoices?|tax\s?invoice|bill|cash\s?(?:sales?|memo)|statement|order)\b"
    r"|\b(?:sub\W?total|total|cashier|change|qty|quantity|vat|gst|sst|tender(?:ed)?|amount\s+due"
    r"|balance\s+due|unit\s+price)\b"
    r"|发票|收据|小票|账单|合计|总计|金额|数量|单价|收银|找零|應付|發票",
    re.IGNORECASE,
)
_LEAST_WORDS = 2
_AMOUNT = lazy_pattern(r"\d[.,]\s?\d{2}(?!\d)")
# The rows of bills are short; those of letters and agreements are as long as the page is wide.
_MEAN_WIDTH = 50
_PARTICULARS = lazy_pattern(
    r"\b(?:(?:invoice|receipt|rcpt|bill|chk|check|order)\s*(?:no|number|#|:|\d)|cashier|terminal"
    r"|description|qty|item|date|time|doc(?:ument)?\s*no|slip|salesperson|pos\s*no)\b"
    r"|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|日期|收银|单号|流水|品名|数量",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Row:
    """A line that is not blank: `document_text[start:end]`, without the white space around it."""

    start: int
    end: int
    text: str

    @property
    def first_cell(self) -> tuple[int, str]:
        """Where the first cell ends, and its text."""
        cell = self.text.split("\t", 1)[0].rstrip()
        return self.start + len(cell), cell


def rows_of(document_text: str, regions: Sequence[Region] | None = None) -> list[Row]:
    """The rows wholly inside one of `regions`, in order."""
    rows = []
    for start, end in scan_spans(document_text, regions):
        at = start
        for line in document_text[start:end].split("\n"):
            text = line.strip()
            if text:
                first = at + line.index(text[0])
                rows.append(Row(first, first + len(text), text))
            at += len(line) + 1
    return rows


def bill_rows(document_text: str, regions: Sequence[Region] | None = None) -> list[Row]:
    """The rows of a receipt, an invoice or a bill; none of any other document."""
    return rows_of(document_text, regions) if is_bill(document_text) else []


def is_bill(document_text: str) -> bool:
    """Whether a document is short, in short rows, and has the words of a receipt, an invoice or a
    bill, and an amount with decimal places."""
    if len(document_text) > MAX_CHARS or not _AMOUNT.search(document_text):
        return False
    widths = [_width(line) for line in document_text.split("\n") if line.strip()]
    if sum(widths) > _MEAN_WIDTH * len(widths):
        return False
    found = {match.group().lower() for match in _BILL.finditer(document_text)}
    return len(found) >= _LEAST_WORDS


def _width(line: str) -> int:
    """In columns: a Chinese character is as wide as two letters."""
    return len(line) + sum(char > "\u3000" for char in line)


def head_of(rows: Sequence[Row], most: int = 16) -> Sequence[Row]:
    """The rows before the particulars start, at most `most`; a few where they start at once."""
    for index, row in enumerate(rows[:most]):
        if index >= 3 and _PARTICULARS.search(row.text):
            return rows[:index]
    return rows[:most]
