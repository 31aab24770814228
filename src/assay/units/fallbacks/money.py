"""The amounts of money that a document names.

The specialist takes every amount with a currency mark, the ones that are fees, prices and sums
before those that merely occur. The heuristic takes bare figures beside words such as "total".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assay.normalize.money import Money, find_money
from assay.normalize.number import find_numbers
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans

_MATTERS = re.compile(
    r"\b(?:fees?|price|pay|pays|paid|payable|payments?|amounts?|total|sum|cost|salary|rent"
    r"|royalt\w+"
    r"|compensation|consideration|commission|deposit|budget|invoice|balance|due|cap|exceed"
    r"|minimum|maximum)\b"
    r"|金额|价款|费用|总价|合计|支付|报酬|租金|押金|赔偿",
    re.IGNORECASE,
)
_SCORE_MATTERS, _SCORE_MERELY, _SCORE_BARE = 0.9, 0.8, 0.25
_NEAR = 90


@dataclass(frozen=True, slots=True)
class MoneyFallback:
    """Finds amounts with a currency mark, each distinct amount once. Those near words of payment
    come first, then in document order."""

    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        seen: set[tuple[Money, ...]] = set()
        found: list[Candidate] = []
        for start, end in scan_spans(document_text, regions):
            for mention in find_money(document_text[start:end]):
                if mention.values in seen:
                    continue
                seen.add(mention.values)
                at, until = start + mention.start, start + mention.end
                near = document_text[max(0, at - _NEAR) : until + _NEAR // 2]
                score = _SCORE_MATTERS if _MATTERS.search(near) else _SCORE_MERELY
                found.append(Candidate(at, until, score))
        return rank(found)


_SUM_WORDS = {
    "grand total": 3.0,
    "total": 2.0,
    "amount": 1.5,
    "balance": 1.5,
    "price": 1.0,
    "fee": 1.0,
    "sum": 1.0,
    "合计": 3.0,
    "总计": 3.0,
    "金额": 2.0,
}
_FIGURE = re.compile(r"\A[-(]?\d[\d,.' ]*[.,]\d{2}\)?\Z|\A\d{1,3}(?:,\d{3})+\Z")


@dataclass(frozen=True, slots=True)
class MoneyHeuristic:
    """Weighs figures written like amounts (grouped, or with two decimals) by the nearest word of
    sum before them; later ones weigh more, as totals close a document."""

    path: AnswerPath = AnswerPath.HEURISTIC

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        weighed: list[tuple[float, int, int]] = []
        for start, end in scan_spans(document_text, regions):
            for mention in find_numbers(document_text[start:end]):
                at, until = start + mention.start, start + mention.end
                if not _FIGURE.match(document_text[at:until]):
                    continue
                near = document_text[max(0, at - 50) : at].lower()
                weight = max((w for word, w in _SUM_WORDS.items() if word in near), default=0.0)
                if weight:
                    weighed.append((weight + 0.5 * at / len(document_text), at, until))
        best = max((weight for weight, _, _ in weighed), default=1.0)
        return rank(
            Candidate(at, until, _SCORE_BARE * weight / best) for weight, at, until in weighed
        )
