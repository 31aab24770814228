"""Postal addresses: at the head of letters, bills and receipts, and behind words that announce one.

The specialist joins rows that follow each other at the head of a short document, from the first
that has the words of an address to the last; it ends before telephone numbers, registrations and
titles. In running text it takes what "located at", "Address:" or 地址 announces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.address_words import (
    address_weight,
    has_postcode,
    is_address_row,
    is_contact_row,
    is_numbered,
    is_region,
    is_street_over_town,
    names_region,
)
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans
from assay.units.fallbacks.rows import Row, rows_of

# Measured on receipts: complete addresses (they end with a postcode or a region), and others.
_COMPLETE, _OPEN, _ANNOUNCED = 0.85, 0.7, 0.7
_HEAD_ROWS, _MOST_ROWS, _LEAST = 30, 7, 1.5
_TITLE = lazy_pattern(
    r"^\W*(?:(?:simplified\s+)?(?:tax\s+)?invoice|receipt|cash|bill|date|doc|terminal|table|cashier"
    r"|description|qty|item|welcome|order|invno|counter)\b|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d\d"
    r"|\(\s*\w{0,3}\d{4,}|^\W*(?:ship(?:ped)?|sold|deliver(?:ed)?)\s*to\b|^\W*(?:购[买货]?方|购方|买方)|\b(?:incorporated|agreement|between|whose|hereinafter|dated|party)\b",
    re.IGNORECASE,
)
_LABEL = lazy_pattern(
    r"[\w .]{0,16}\badd(?:r|ress)?\.?\s*:\s*|(?:[\u4e00-\u9fff]{0,4}地址|住所地?)\s*[:：]\s*",
    re.IGNORECASE,
)
_INTRODUCED = lazy_pattern(
    r"(?:\b(?:located|situated|residing)\s+at|\b(?:place\s+of\s+business|registered\s+office|office"
    r"s?|address)\s+(?:is\s+)?(?:located\s+)?at|\bregistered\s+address\s+(?:of|at)"
    r"|\baddress\s*:|(?<!购买方)(?<!购方)(?<!买方)地址\s*[:：为]|住所地?\s*[:：]|位于)\s*",
    re.IGNORECASE,
)
_ADDRESS_END = lazy_pattern(
    r"[;(（\"“。；]|\n(?=[\u4e00-\u9fff]{2,8}[:： ])|\.\s+(?=[A-Z])"
    r"|\n\s*\n|,?\s+(?:and|by|which|who|hereinafter|represented|as|where"
    r"|or\s+(?:at\s+)?(?:such|any)\s+other|attention|attn|telephone|tel|fax|email|e-mail)\b|电话|联系",
    re.IGNORECASE,
)
_LONGEST = 240


@dataclass(frozen=True, slots=True)
class AddressFallback:
    """Finds addresses. A span runs over all rows of one; those at the head come first.

    Right means: the span is the address, but for case, spaces and punctuation.
    """

    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        rows = rows_of(document_text, regions)[:_HEAD_ROWS]
        found = list(_blocks(rows))
        for start, end in scan_spans(document_text, regions):
            found.extend(_announced(document_text, start, end))
        return rank(found)


def _blocks(rows: Sequence[Row]) -> Iterator[Candidate]:
    """Runs of rows, each from the first that looks like an address; the first counts most."""
    at, num_found = 0, 0
    while at < len(rows):
        if not _starts(rows, at):
            at += 1
            continue
        last = _last_row(rows, at)
        weight = sum(address_weight(row.text) for row in rows[at : last + 1])
        if weight >= _LEAST:
            is_complete = any(map(_is_end, rows[at : last + 1]))
            score = _COMPLETE if is_complete else _OPEN
            yield Candidate(
                _after_label(rows[at]), rows[last].first_cell[0], score - 0.15 * num_found
            )
            num_found += 1
            if num_found == 3:
                return
        at = last + 1


def _is_end(row: Row) -> bool:
    return has_postcode(row.text) or names_region(row.text)


def _after_label(row: Row) -> int:
    label = _LABEL.match(row.text)
    return row.start + (label.end() if label else 0)


def _starts(rows: Sequence[Row], at: int) -> bool:
    text = rows[at].text
    if _ends(text) or not any(char.isalpha() for char in text):
        return False
    weight = address_weight(text)
    if is_numbered(text) and weight >= 1.5:
        return True
    below = rows[at + 1].text if at + 1 < len(rows) else ""
    if is_street_over_town(text, below):
        return True
    has_number = any(char.isdigit() for char in text)
    if not has_number and is_numbered(below) and address_weight(below) >= 1.5:
        return False  # the number of the house comes first; this row names who lives there
    # A row that might be one, above one that surely is.
    return weight >= 2.0 or (weight >= 1.0 and is_address_row(below) and not _ends(below))


def _ends(text: str) -> bool:
    """A row that is of no address."""
    return len(text) > 90 or is_contact_row(text) or _TITLE.search(text) is not None


def _last_row(rows: Sequence[Row], first: int) -> int:
    last = first
    for index in range(first + 1, min(len(rows), first + _MOST_ROWS)):
        text = rows[index].text
        if _ends(text):
            break
        weight = address_weight(text)
        is_more = weight >= 1.0
        if names_region(rows[last].text):
            # Behind a state or a country: but for its own number, the name of a branch.
            is_more = has_postcode(text) or (is_numbered(text) and weight >= 1.5)
        if is_more or is_region(text):
            last = index
        elif index > last + 1 or names_region(rows[last].text):
            break
    return last


def _announced(text: str, start: int, end: int) -> Iterator[Candidate]:
    for match in _INTRODUCED.finditer(text, start, end):
        until = min(end, match.end() + _LONGEST)
        stop = _ADDRESS_END.search(text, match.end(), until)
        last = stop.start() if stop else until
        while last > match.end() and (text[last - 1].isspace() or text[last - 1] in ",.，"):
            last -= 1
        if last - match.end() >= 8 and address_weight(text[match.end() : last]) >= 2.0:
            yield Candidate(match.end(), last, _ANNOUNCED)
