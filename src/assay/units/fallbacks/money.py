"""The amounts of money that a document names.

The specialist takes every amount with a currency mark, the ones that are fees, prices and sums
before those that merely occur. The heuristic takes bare figures that stand on a line with words
such as "total", as on an invoice whose currency is in the head of a column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assay.normalize.money import Money, find_money
from assay.normalize.number import find_numbers
from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans

_MATTERS = lazy_pattern(
    r"\b(?:fees?|price|pay|pays|paid|payable|payments?|amounts?|total|sum|cost|salary|rent"
    r"|royalt\w+"
    r"|compensation|consideration|commission|deposit|budget|invoice|balance|due|cap|exceed"
    r"|minimum|maximum)\b"
    r"|金额|价款|费用|总价|合计|支付|报酬|租金|押金|赔偿",
    re.IGNORECASE,
)
_SCORE_MATTERS, _SCORE_MERELY, _SCORE_BARE = 0.9, 0.8, 0.5
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


_SUM_WORDS = (
    (3.0, lazy_pattern(r"\bgrand\s+total\b|合计|总计", re.IGNORECASE)),
    (2.0, lazy_pattern(r"\btotals?\b|金额", re.IGNORECASE)),
    (1.5, lazy_pattern(r"\b(?:amounts?|balance)\b", re.IGNORECASE)),
    (1.0, lazy_pattern(r"\b(?:prices?|fees?|sum)\b", re.IGNORECASE)),
)
_RATES = frozenset("%％‰")
_FIGURE = lazy_pattern(r"\A[-(]?\d[\d,.' ]*[.,]\d{2}\)?\Z|\A\d{1,3}(?:,\d{3})+\Z")


@dataclass(frozen=True, slots=True)
class MoneyHeuristic:
    """Weighs figures written like amounts (grouped, or with two decimals), each distinct one once,
    by the words of sum before them on their line; later ones weigh more, as totals close a
    document."""

    path: AnswerPath = AnswerPath.HEURISTIC

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        best: dict[str, tuple[float, int, int]] = {}
        for start, end in scan_spans(document_text, regions):
            for mention in find_numbers(document_text[start:end]):
                at, until = start + mention.start, start + mention.end
                figure = document_text[at:until]
                if (
                    not _FIGURE.match(figure)
                    or document_text[until : until + 2].strip()[:1] in _RATES
                ):
                    continue
                line = document_text.rfind("\n", max(0, at - 50), at) + 1
                near = document_text[max(line, at - 50) : at]
                weight = max((w for w, word in _SUM_WORDS if word.search(near)), default=0.0)
                if weight:
                    found = (weight + 0.5 * at / len(document_text), at, until)
                    best[figure] = max(found, best.get(figure, found))
        top = max((weight for weight, _, _ in best.values()), default=1.0)
        return rank(
            Candidate(at, until, _SCORE_BARE * weight / top) for weight, at, until in best.values()
        )
