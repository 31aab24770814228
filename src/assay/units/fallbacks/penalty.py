"""Penalties: under which number a clause stands, what it costs, in which currency, and what for.

The specialist reads the sentences that set liquidated damages or a penalty, the heuristic those
with most words of the kind; both take the amount, the currency and the triggers from the sentence
alone, but for a currency that the whole document has in common.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from assay.normalize.money import Money, find_money
from assay.normalize.percentage import find_percentages
from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Draft, Region, Standing
from assay.units.fallbacks.clause import ClauseHeuristic, precision_by_cues
from assay.units.fallbacks.clause_cues import CUES, ClauseKind
from assay.units.fallbacks.clause_features import HAN
from assay.units.fallbacks.cues import weigh_sentences
from assay.units.fallbacks.penalty_triggers import find_triggers

Currency = Literal[
    "AUD", "BRL", "CAD", "CHF", "CNY", "DKK", "EUR", "GBP", "HKD", "INR", "JPY", "KRW", "MXN",
    "NOK", "NZD", "RUB", "SEK", "SGD", "TWD", "USD", "ZAR",
]  # fmt: skip
#: What a leaf says, and where that stands.
Said = tuple[str, Region]
_KIND: ClauseKind = "liquidated_damages"
_CURRENCIES = frozenset(get_args(Currency))
_PENALTY = lazy_pattern(
    r"liquidated\s+damages|penalt(?:y|ies)|late\s+(?:fees?|charges?)|违约金|滞纳金|罚款",
    re.IGNORECASE,
)
_NUMBER = lazy_pattern(
    r"(?:^|(?<=[\s;:。]))(?:(?:Section|Clause|Article|SECTION|ARTICLE)\s+)?"
    r"(?:(?P<number>\d{1,2}(?:\.\d{1,2}){1,3}|\d{1,2}(?=[.、)]))[.、)]?[ \t]*"
    r"(?=[A-Z\u4e00-\u9fff\"“(])"
    r"|(?P<han>第[一二三四五六七八九十百\d]{1,4}条))",
    re.MULTILINE,
)
_NUMBER_REACH = 3_000


@dataclass(frozen=True, slots=True)
class PenaltyFallback:
    """Writes a list of penalties from the sentences that set one, by their cues."""

    path: AnswerPath = AnswerPath.SPECIALIST

    def draft(self, document_text: str, _arguments: Mapping[str, Any], /) -> Draft | None:
        """`[{id, amount, currency, trigger: […]}]`, in document order."""
        weighed = weigh_sentences(document_text, CUES[_KIND], None)
        found = (Candidate(*span, precision_by_cues(_KIND, weight)) for weight, span in weighed)
        return _draft(document_text, [item for item in found if item.score >= _LEAST])


@dataclass(frozen=True, slots=True)
class PenaltyHeuristic:
    """The same of the sentences with most words of the kind."""

    path: AnswerPath = AnswerPath.HEURISTIC

    def draft(self, document_text: str, _arguments: Mapping[str, Any], /) -> Draft | None:
        """`[{id, amount, currency, trigger: […]}]`, in document order."""
        return _draft(document_text, ClauseHeuristic(_KIND).find(document_text))


# Below this a sentence only speaks of penalties.
_LEAST = 0.45
# A penalty without an amount is as often a reference to another.
_WITHOUT_AMOUNT = 0.6


def _draft(text: str, sentences: Sequence[Candidate]) -> Draft | None:
    common = _common_currency(text) if sentences else None
    read = [
        (sentence.score, dict(_read(text, sentence.start, sentence.end, common)))
        for sentence in sorted(sentences, key=lambda item: item.start)
    ]
    # Beside penalties with an amount, one without only refers to them.
    has_amounts = any("amount" in leaves for _, leaves in read)
    read = [item for item in read if ("amount" if has_amounts else "trigger/0") in item[1]]
    if not read:
        return None
    standings = [
        Standing(f"/{index}/{name}", *span)
        for index, (_, leaves) in enumerate(read)
        for name, (_, span) in leaves.items()
    ]
    weight = 1.0 if has_amounts else _WITHOUT_AMOUNT
    score = weight * sum(score for score, _ in read) / len(read)
    return Draft([_as_value(leaves) for _, leaves in read], tuple(standings), score)


def _as_value(leaves: Mapping[str, Said]) -> dict[str, Any]:
    value: dict[str, Any] = {
        name: leaves[name][0] if name in leaves else None for name in ("id", "amount", "currency")
    }
    triggers = [said for name, (said, _) in leaves.items() if name.startswith("trigger")]
    return {**value, "trigger": triggers}


def _read(text: str, start: int, end: int, common: Said | None) -> Iterator[tuple[str, Said]]:
    """The leaves of one penalty: a name, what it says, and where that stands."""
    if number := _number_of(text, start, end):
        yield "id", (text[number[0] : number[1]], number)
    if amount := _amount_in(text, start, end):
        yield "amount", (text[amount[0] : amount[1]], amount)
    if currency := _currency_in(text, start, end) or common:
        yield "currency", currency
    for index, (kind, span) in enumerate(find_triggers(text, start, end)):
        yield f"trigger/{index}", (kind, span)


def _number_of(text: str, start: int, end: int) -> Region | None:
    """The number of the clause in which a sentence stands: its own, or the nearest above."""
    found: Region | None = None
    for match in _NUMBER.finditer(text, max(0, start - _NUMBER_REACH), min(end, start + 12)):
        found = match.span("number") if match["number"] else match.span("han")
    return found


def _amount_in(text: str, start: int, end: int) -> Region | None:
    """The first share or sum behind a word for a penalty; else, and in Chinese, where the word
    comes last, the first of the sentence."""
    sentence = text[start:end]
    shares = [(item.start, item.end) for item in find_percentages(sentence)]
    spans = sorted(shares + [(item.start, item.end) for item in find_money(sentence)])
    word = None if HAN.search(sentence) else _PENALTY.search(sentence)
    behind = [span for span in spans if word and span[0] >= word.end()]
    for first, last in behind or spans:
        return start + first, start + last
    return None


def _currency_in(text: str, start: int, end: int) -> Said | None:
    """The code of the first sum whose currency is certain, and the mark that says so."""
    for item in find_money(text[start:end]):
        for money in item.values:
            if money.currency and money.currency in _CURRENCIES:
                mark = _mark_of(money, text, start + item.start, start + item.end)
                return money.currency, mark
    return None


def show_currency(code: Currency, text: str, start: int, end: int) -> Region | None:
    """The mark in a part of a text that says, or may say, that a sum is in this currency; where it
    says nothing of any, the first of the document if all its sums are in this one."""
    is_silent = True
    for item in find_money(text[start:end]):
        for money in item.values:
            is_silent = is_silent and not money.mark
            if code in (money.currency_candidates or (money.currency,)):
                return _mark_of(money, text, start + item.start, start + item.end)
    common = _common_currency(text) if is_silent else None
    return common[1] if common and common[0] == code else None


def _mark_of(money: Money, text: str, start: int, end: int) -> Region:
    """Where a sum says its currency."""
    at = text.find(money.mark, start, end) if money.mark else -1
    return (at, at + len(money.mark)) if at >= 0 else (start, end)


def _common_currency(text: str) -> Said | None:
    """The currency of all sums of a document, if it is one; its first sum says so."""
    codes = {money.currency for item in find_money(text) for money in item.values if money.currency}
    return _currency_in(text, 0, len(text)) if len(codes) == 1 else None
