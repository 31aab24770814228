"""The total of a receipt, an invoice or a bill: what was to be paid in the end.

The specialist looks at each amount with two decimal places and at the words of its row: "grand
total" and "after rounding" before "total", that before "subtotal", none for change and tax. What
was handed over less the change is the total too: where the figures agree, a candidate is sure, and
where no word was read right they find it. The heuristic takes the amount printed most often.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank
from assay.units.fallbacks.rows import Row, bill_rows

#: An amount with its decimal places, and a currency's sign or letters before it.
AMOUNT = lazy_pattern(
    r"(?:(?:\b(?:RM|MYR|USD|EUR|GBP|SGD|HKD|CNY|RMB|S\$|HK\$|US\$)|[$€£¥￥])[ ]?)?"
    r"(?<![\d.,/-])\d{1,3}(?:[,. ]\d{3})*[.,]\s?\d{2}(?![\d%]|[.,]\d)"
    r"|(?<![\d.,/-])\d{4,7}\.\d{2}(?![\d%])|(?<![\w.,])\.\d{2}(?![\d%])"
    r"|(?:[¥￥]\s?)?(?<![\d.,])\d+(?:\.\d{1,2})?(?=\s?元)"
)
_DIGITS = lazy_pattern(r"\d")

# Measured on receipts: how often an amount in a row with such words was the total.
_FINAL, _TOTAL, _BEFORE_TAX = 0.9, 0.85, 0.35
_AGREES, _PAID_ONLY, _HEURISTIC = 0.95, 0.6, 0.5

_NOT = lazy_pattern(
    r"\b(?:change|discount|saving|savings|rounding\s*adj\w*|round\s*adj|qty|quantity|items?"
    r"|tax\s*total|total\s*(?:gst|tax|discount|savings?|qty|item)|points?|balance\s+(?:before|after)"
    r"|average|deposit|gst\s*(?:amount|payable)|(?:gst|sst|vat|tax)\s*\(?\s*(?:\d|@)|srv|service"
    r"|before\s+rounding|expiry)\b|找零|折扣|优惠|税额|数量",
    re.IGNORECASE,
)
_FINAL_WORDS = lazy_pattern(
    r"\b(?:grand\s*total|net\s*(?:total|amt|amount)|final\s*total|total\s*(?:after|rounded|due"
    r"|payable|pay\w*|to\s*pay|am[tr]\w*\s*(?:payable|due|rounded))|(?:after|incl\w*)\s*rounding"
    r"|amount\s*(?:to\s*be\s*paid|due|payable)|am[tr]\w*\s*rounded|balance\s*due|to\s*pay|ttl\s*aft"
    r"|bil+\s*total|(?:amount|total)\s*rounded)\b|应付|應付|实付|實付",
    re.IGNORECASE,
)
# The sum received is the total, unless change was given out of it.
_RECEIVED = lazy_pattern(r"实收|實收")
_TOTAL_WORDS = lazy_pattern(
    r"(?<![a-z])(?:total|tota[il1]?|totel|fotal|ttl|jumlah|(?:a[mn]oun[tl]|am[tr])\s*incl\w*)(?![a-z])"
    r"|合计|合計|总计|總計|总额|總額|共计",
    re.IGNORECASE,
)
_INCLUSIVE = lazy_pattern(r"\b[il1]nc[il]?\w*\b|\bwith\s+(?:gst|tax|vat)", re.IGNORECASE)
_BEFORE_TAX_WORDS = lazy_pattern(
    r"\bsub\W?-?\s?total|\bexc[il1]\w*|\bbefore\s+(?:tax|gst)|\bnet\s+of\s+tax|小计", re.IGNORECASE
)
_PAID = lazy_pattern(
    r"\b(?:cash|visa|master\w*|card|paid|tender\w*|received|accept\w*|payment|amex|debit|credit)\b"
    r"|现金|微信|支付宝|刷卡|收款|实收|實收",
    re.IGNORECASE,
)
_CHANGE = lazy_pattern(r"\bch[ae]n[gq]e|\bbaki\b|找零", re.IGNORECASE)
_SUMMARY = lazy_pattern(
    r"\b(?:gst|tax|sst|vat)\s*(?:summary|sumnary|summery|sumkary|analysis|rate|code)|税率",
    re.IGNORECASE,
)
_MOST = 8


@dataclass(frozen=True, slots=True)
class Printed:
    """An amount and the row that it stands in; `words` are the row's up to it."""

    start: int
    end: int
    value: Decimal
    words: str
    in_summary: bool


@dataclass(frozen=True, slots=True)
class TotalFallback:
    """Amounts that may be the total. Right means: the amount is the one that was to be paid."""

    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        amounts = printed_amounts(bill_rows(document_text, regions))
        kept = _paid_less_change(amounts) & {item.value for item in amounts}
        counted = Counter(item.value for item in amounts if not item.in_summary)
        gives_change = any(item.value and _CHANGE.search(item.words) for item in amounts)
        found = []
        for place, item in enumerate(amounts):
            score = _score(item, item.value in kept, gives_change)
            if score is None or not item.value:
                continue
            if kept:
                score += (_AGREES - score) * 0.7 if item.value in kept else -0.2
            # Of totals alike the last one printed counts, and what is printed more often.
            score += 0.005 * min(counted[item.value], 3) + 0.05 * place / len(amounts)
            found.append(Candidate(item.start, item.end, min(score, 0.999)))
        return rank(found)[:_MOST]


@dataclass(frozen=True, slots=True)
class TotalHeuristic:
    """The amount printed most often, the largest of these: a total is repeated where it is paid."""

    path: AnswerPath = AnswerPath.HEURISTIC

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        amounts = [
            item for item in printed_amounts(bill_rows(document_text, regions)) if item.value
        ]
        counted = Counter(item.value for item in amounts)
        best = max(counted, key=lambda value: (counted[value], value), default=None)
        total = sum(counted.values())
        return rank(
            Candidate(item.start, item.end, _HEURISTIC * counted[item.value] / total)
            for item in amounts
            if item.value == best
        )


def printed_amounts(rows: Sequence[Row]) -> list[Printed]:
    """All amounts of the rows, in order. A row of nothing but words lends them to the row below
    if that has nothing but amounts."""
    found: list[Printed] = []
    in_summary = False
    above = ""
    for row in rows:
        in_summary = in_summary or _SUMMARY.search(row.text) is not None
        matches = list(AMOUNT.finditer(row.text))
        lead = row.text[: matches[0].start()] if matches else row.text
        has_words = any(char.isalpha() for char in lead)
        words = lead if has_words else f"{above} {lead}"
        for match in matches:
            value = amount_of(match.group())
            found.append(
                Printed(
                    row.start + match.start(), row.start + match.end(), value, words, in_summary
                )
            )
        above = "" if matches else row.text
    return found


def amount_of(text: str) -> Decimal:
    """The value of an amount as `AMOUNT` finds it: the last mark before two digits is decimal."""
    body = "".join(char for char in text if char.isdigit() or char in ".,")
    head, mark, tail = body.rpartition("." if body.rfind(".") > body.rfind(",") else ",")
    digits = "".join(_DIGITS.findall(head))
    return Decimal(f"{digits or 0}.{tail}") if mark and len(tail) <= 2 else Decimal(digits + tail)


def _score(item: Printed, agrees: bool, gives_change: bool) -> float | None:
    """How sure an amount is by its row's words; None where they do not speak for it."""
    words = item.words
    is_total = _TOTAL_WORDS.search(words)
    if _FINAL_WORDS.search(words) or (_RECEIVED.search(words) and not gives_change):
        score = _FINAL
    elif is_total and _BEFORE_TAX_WORDS.search(words):
        score = _BEFORE_TAX
    elif is_total and (_INCLUSIVE.search(words) or not _NOT.search(words)):
        score = _TOTAL
    elif (agrees or _PAID.search(words)) and not _NOT.search(words):
        score = _PAID_ONLY
    else:
        return None
    return score - 0.5 * item.in_summary


def _paid_less_change(amounts: Sequence[Printed]) -> set[Decimal]:
    """What each sum handed over leaves after each change given."""
    paid = [item.value for item in amounts if _PAID.search(item.words)]
    change = [item.value for item in amounts if _CHANGE.search(item.words)]
    return {first - second for first in paid for second in change if first > second}
