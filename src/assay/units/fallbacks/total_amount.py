"""What the losses of a Chinese judgment add up to, and from which amounts.

Amounts that are no loss are left out: fines, what was paid back, what the goods were sold for, the
price of one piece. An amount said to be a total ("合计") stands for the amounts that make it up,
wherever they stand; one that is only said again counts once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.base import Draft, Standing

_AMOUNT = lazy_pattern(
    r"(?<![\d.])(?P<figure>\d[\d,，]{0,18}(?:[.．]\d{1,6})?) ?[余多]?(?P<unit>[万千百])?[余多]?"
    r"[元块](?!面[额值])"
)
_UNITS = {"万": 10_000, "千": 1_000, "百": 100}
_NO_LOSS = lazy_pattern(
    r"罚金|罚款|退[赔赃还缴出回]|赔偿|归还|返还|追[回缴]|发还|缴[获纳]|交纳|扣押|查[获扣]"
    r"|卖(?!部)|销[赃售往]|出售|收购|得款|获[利款得]|得[币赃]|[分均][得给了赃]|平分|换取|抵押|典当"
    r"|每(?:[袋公千斤个只条部台辆]|一)|单价|低价|标价|面[额值]|存入|剩余|余额|索要|欠|押金|垫付|悬赏"
    r"|奖励|工资|月薪|报酬|好处费|修(?:理|车|玻璃)|维修|运费|车费|费用|房租|损失费"
    r"|藏匿|挥霍|消费|用于|取得"
)
_SOLD = lazy_pattern(
    r"(?:人民币)?(?:现金)?的?(?:低?价格?)?(?:卖|销|出售|变卖|转卖|贩卖)"
    r"|[^，。；]{0,4}(?:予以)?(?:退赔|退还|发还|返还)|[^，。；]{0,8}(?:扣押|发还)|的?价[格钱]?|/"
    r"|[^，。；]{0,4}(?:分给|平分)"
)
_LOSS = lazy_pattern(r"鉴定|认定|价值|骗[取得走]|[盗窃偷][走得取]")
_NEVER_LOSS = lazy_pattern(r"罚金|退[赔赃还]|赔偿|每|费用")
_TOTAL = lazy_pattern(r"共计|合计|总计|总价|累计|总额|总金额|总共|计价值|以上|综上|共")
_CLAUSE_ENDS = lazy_pattern(r"[，。；！？、（）()\n]")
_REACH = 30


@dataclass(frozen=True, slots=True)
class _Amount:
    value: Decimal
    start: int
    end: int
    line: int
    is_total: bool
    is_valued: bool


@dataclass(frozen=True, slots=True)
class TotalAmountFallback:
    """Adds up the losses. `score` is the share of judgments whose total was right."""

    path: AnswerPath = AnswerPath.SPECIALIST
    score: float = 0.84

    def draft(self, document_text: str, arguments: Mapping[str, Any], /) -> Draft | None:  # noqa: ARG002
        parts = _without_covered(_without_repeated(_losses(document_text)))
        if not parts:
            return None
        standings = [
            Standing(f"/parts/{number}", part.start, part.end) for number, part in enumerate(parts)
        ]
        value = {"parts": [document_text[part.start : part.end] for part in parts]}
        return Draft(value, tuple(standings), self.score)


def _losses(text: str) -> Iterator[_Amount]:
    for match in _AMOUNT.finditer(text):
        start, end = match.span()
        clause = _CLAUSE_ENDS.split(text[max(0, start - _REACH) : start])[-1]
        after = text[end : end + 14]
        is_loss = not _NO_LOSS.search(clause) and not _SOLD.match(after)
        if _LOSS.search(clause[-12:]) and not _SOLD.match(after):
            is_loss = not _NEVER_LOSS.search(clause)
        if is_loss:
            yield _Amount(
                _value(match),
                start,
                end,
                text.rfind("\n", 0, start),
                _TOTAL.search(clause) is not None,
                _LOSS.search(clause[-10:]) is not None,
            )


def _value(match: re.Match[str]) -> Decimal:
    figure = re.sub("[,，]", "", match["figure"]).replace("．", ".")
    return Decimal(figure) * _UNITS.get(match["unit"], 1)


def _without_repeated(amounts: Iterator[_Amount]) -> list[_Amount]:
    """Leaves out what a paragraph only says again, and puts a total in the place of the amounts
    just before it that make it up."""
    kept: list[_Amount] = []
    seen: set[tuple[Decimal, int]] = set()
    for amount in amounts:
        key = (amount.value, amount.line)
        if key in seen and not amount.is_valued:
            continue
        seen.add(key)
        if amount.is_total:
            kept = kept[: _covered_from(kept, amount.value)]
        kept.append(amount)
    return kept


def _covered_from(kept: list[_Amount], total: Decimal) -> int:
    """From which of the amounts on they add up to `total`; their number if from none."""
    for first in range(len(kept) - 1, -1, -1):
        total -= kept[first].value
        if total <= 0:
            return first if total == 0 else len(kept)
    return len(kept)


def _without_covered(amounts: list[_Amount]) -> list[_Amount]:
    """Leaves out the amounts that follow a total and make it up."""
    kept: list[_Amount] = []
    while amounts:
        first, *amounts = amounts
        left = first.value
        for number, amount in enumerate(amounts, 1):
            left -= amount.value
            if left <= 0:
                heads = first.is_total and (not kept or first.line == amount.line)
                if left == 0 and number > 1 and heads:
                    amounts = amounts[number:]
                break
        kept.append(first)
    return kept
