"""Who issued a receipt, an invoice or a bill: the name at its head.

The specialist weighs the first rows: names of firms (a corporate form or the word of a trade),
their place, and what stands below (a registration number, an address). A name that goes on over
two or three rows is one span. Words such as "TAX INVOICE" are no names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.address_words import address_weight, is_address_row, is_contact_row
from assay.units.fallbacks.base import Candidate, Region, rank
from assay.units.fallbacks.rows import Row, bill_rows, head_of

# Measured on receipts: how often the best name was right, by what speaks for it.
_FORMED, _TRADED, _BARE = 0.9, 0.85, 0.6
# Set by hand: surer than any name that stands at the head.
_LABELLED = 0.98

_FORM = lazy_pattern(
    r"\b(?:s[do]n\.?\s*b[hn]d|bhd|s\s?/\s?b|sb|ltd|limited|llc|llp|l\.l\.c|inc|corp(?:oration)?"
    r"|plc|pte|gmbh|ag|s\.?a\.?s|s\.?r\.?l|b\.?v|n\.?v|oy|ab|a/s|co\.|company|kg|pty)\b\.?"
    r"|(?:有限责任公司|股份有限公司|有限公司|公司|集團|集团)",
    re.IGNORECASE,
)
_TRADE = lazy_pattern(
    r"\b(?:enterprises?|trading|restaurant|restoran|restaurante?|cafe|café|kopitiam|bistro|bakery"
    r"|bakeries|pizza|kitchen|seafood|grocer|groceries|market|supermarket|hypermarket|mart|minimart"
    r"|store|stores|shop|boutique|pharmacy|farmasi|clinic|klinik|hardware|stationery|motors?"
    r"|machinery|electrical|supplies|supply|services?|hotel|inn|station|petrol|book(?:s|store)?"
    r"|kedai|pasaraya|perniagaan|syarikat|handicraft|tailoring|foods?|house|center|centre|group"
    r"|brothers|sons|studio|salon|garage|laundry|bank)\b"
    r"|(?:超市|商场|商店|便利店|饭店|餐厅|酒店|药房|药店|书店|银行|事务所|店)",
    re.IGNORECASE,
)
_NO_NAME = lazy_pattern(
    r"(?:simplified\s*|full\s*)?(?:tax\s*)?(?:invoice|receipt|cash\s*(?:sales?|receipt|bill|memo)"
    r"|bill|statement|quotation|order|duplicate|copy|reprint|original|welcome|thank\s*you|posted"
    r"|table|guest|page|cash|date)\b|发票|收据|欢迎|购物小票",
    re.IGNORECASE,
)
_NOTE = lazy_pattern(
    r"\b(?:licensee\s+of|branch|formerly|f\.?k\.?a|customer|copy|tq\s+for"
    r"|thank|welcome|account'?s?|goods?\s+sold|(?:non-?)?(?:return|refund|exchange)(?:able|ed|s)?)\b",
    re.IGNORECASE,
)
# Who sells and who buys, where a form says so.
_SELLER = lazy_pattern(
    r"(?:销售方|销方|销货方|卖方|開票方|开票方)(?:名称)?\s*[:：]\s*(?P<name>[^\s,，;；:：]{2,60})"
    r"|(?:\A|\t)\s*(?:seller|vendor|supplier|(?:sold|issued)\s+by)\s*:\s*(?P<latin>[^\t\n]{3,80})",
    re.IGNORECASE,
)
_BUYER = lazy_pattern(
    r"\W*(?:购[买货]?方|购方|买方|客户|(?:bill(?:ed)?|ship(?:ped)?|sold|deliver(?:ed)?|invoice)\s*to\b"
    r"|(?:buyer|customer|client|attn|attention)\b)",
    re.IGNORECASE,
)
# What may follow the name in its row: a registration number, in brackets or not.
_REGISTRATION = lazy_pattern(
    r"\s*(?:[(（]\s*(?=[^()（）]*\d{3})[^()（）]*[)\]）]?|\b\d{5,}\s*-?\s*[A-Z]\b.*|\bF\.?K\.?A\b.*"
    r"|\b(?:co|reg|gst|tax|company)\b[.\s]*(?:reg|no|id)\b.*)\s*$",
    re.IGNORECASE,
)
_REGISTRATION_ROW = lazy_pattern(
    r"[(\[（]?\s*(?:(?:co|company|business|gst|tax|roc|reg|br|vat|uen)\b.*\d{3}|[A-Z]{0,3}\d{5,}"
    r"\s*-?\s*[A-Z]?\b)|统一社会信用代码|税号",
    re.IGNORECASE,
)
_LEADING_NOISE = lazy_pattern(r"\s*(?:#\d+\s+|own(?:ed)?\s+by\s*:?\s*)", re.IGNORECASE)
# A row that only ends a name begun above: "CO. (M) SDN BHD", "ENTERPRISE (SETIA".
_GOES_ON = lazy_pattern(
    r"(?:(?:co|sdn|s\.?d\.?n|bhd|enterprises?|trading|ltd|limited|inc|corp|pte|&|and|of)\b"
    r"|[(（&]|[A-Z]+\)|有限公司)",
    re.IGNORECASE,
)
_MOST_ROWS = 3


@dataclass(frozen=True, slots=True)
class IssuerFallback:
    """The issuer's name as printed, without its registration number.

    Right means: the span is the name, but for case, spaces and punctuation.
    """

    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        printed = bill_rows(document_text, regions)
        found = list(_sellers(printed))
        rows = head_of(printed)
        for index, row in enumerate(rows):
            start, end = _name_in(row)
            name = document_text[start:end]
            if not _may_be_name(name):
                continue
            first = _first_row(rows, index)
            score = _score(rows, first, index, name)
            found.append(Candidate(rows[first].start if first < index else start, end, score))
        return rank(found)[:_MOST_ROWS]


def _sellers(rows: Sequence[Row]) -> Iterator[Candidate]:
    """Names behind a label that says who sells."""
    for row in rows:
        for match in _SELLER.finditer(row.text):
            start, end = match.span(match.lastgroup or 0)
            yield Candidate(row.start + start, row.start + end, _LABELLED)


def _name_in(row: Row) -> Region:
    """The row's first cell without a number before and a registration after the name."""
    end, cell = row.first_cell
    start = row.start
    if noise := _LEADING_NOISE.match(cell):
        start, cell = start + noise.end(), cell[noise.end() :]
    if (registration := _REGISTRATION.search(cell)) and registration.start():
        end = start + registration.start()
    return start, end


def _may_be_name(name: str) -> bool:
    letters = sum(char.isalpha() for char in name)
    digits = sum(char.isdigit() for char in name)
    return (
        (letters >= 4 or (letters >= 2 and name[0] > "\u3000"))
        and letters > 2 * digits
        and not _BUYER.match(name)
        and not _NO_NAME.match(name.strip(" *-.<>=:"))
        and not _REGISTRATION_ROW.match(name)
        and not is_contact_row(name)
        and not is_address_row(name)
    )


def _first_row(rows: Sequence[Row], index: int) -> int:
    """Where a name begins that ends in row `index`."""
    first = index
    while first and _GOES_ON.match(rows[first].text) and index - first < _MOST_ROWS - 1:
        above = rows[first - 1].first_cell[1]
        if not _may_be_name(above) or above.islower():
            break
        first -= 1
    return first


def _score(rows: Sequence[Row], first: int, index: int, name: str) -> float:
    """How sure a name is, by its words, its place and the row below."""
    score = _FORMED if _FORM.search(name) else _TRADED if _TRADE.search(name) else _BARE
    if _NOTE.search(name):
        score -= 0.4
    if name.islower():
        score -= 0.3  # a note by hand; print is in capitals or capitalised
    elif score == _BARE:
        score -= 0.05 * (not name.isupper()) + 0.2 * (address_weight(name) >= 1.0)
    below = rows[index + 1].text if index + 1 < len(rows) else ""
    if _REGISTRATION_ROW.match(below) or is_address_row(below):
        score += 0.05
    if _GOES_ON.match(rows[first].text) and first:
        score -= 0.2  # the end of a name whose start was not read
    return max(0.05, min(0.97, score - 0.04 * first))
