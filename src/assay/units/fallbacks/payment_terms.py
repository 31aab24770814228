"""When payment is due: the sentence that says so, and the time it allows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.normalize.period import find_periods
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank
from assay.units.fallbacks.cues import make_cues, sentences_with, weigh_sentences

_CUES = make_cues(
    r"\bpa(?:y|id|yable|yments?)\b|\binvoice|\bnet\s+(?:\d|thirty|sixty|ninety|forty)|付款|支付"
    r"|付清|货款",
    r"payment|invoic|fees?\b|price|compensation|付款|支付|价款|结算",
    (
        3.0,
        r"\b(?:pay|paid|payable|payments?|remit|due)\b[^;]{0,220}"
        r"(?:\bwithin\b[^;]{0,60}\b(?:days?|months?|weeks?)\b|\bdays?\s+(?:after|following|from"
        r"|of)\b)",
    ),
    (2.5, r"\bwithin\b[^;]{0,60}\bdays?\b[^;]{0,160}\b(?:invoice|receipt|pay|paid|payment)"),
    (3.0, r"\bnet\s+(?:\(?\d{1,3}|thirty|sixty|ninety|forty-?five)"),
    (1.5, r"\binvoices?\b|\bstatement\b"),
    (
        1.0,
        r"\bdue\s+and\s+payable\b|\b(?:shall|will)\s+be\s+(?:due|paid|payable|made)\b"
        r"|\b(?:shall|will|agrees?\s+to)\s+(?:\w+\s+)?pay\b",
    ),
    (
        1.5,
        r"\b(?:on|by|before)\s+(?:or\s+before\s+)?the\s+(?:\w+\s+|\w+\s*\(\d+\w*\)\s+){0,2}"
        r"(?:business\s+)?day\b[^;]{0,60}\b(?:month|quarter|week|year)",
    ),
    (
        1.0,
        r"\bin\s+(?:advance|arrears)\b|\b(?:quarterly|monthly|annually|installments?)\b"
        r"|\bupon\s+(?:receipt|execution|signing|delivery|completion)",
    ),
    (2.5, r"\A\W*(?:\d[\d.]*\W+)?payment\s+terms?\s*:|\A\W*terms\s+of\s+payment\s*:"),
    (-3.0, r"\bdiscount\b"),
    (-1.0, r"\brebate\b|\bcredit(?:ed)?\b"),
    (-2.0, r"\binterest\b|\blate\s+(?:fee|charge|payment)|\boverdue|\bpast\s+due"),
    (-2.0, r"\bterminat|\bbreach|\bcured?\b|\bdefault"),
    (-2.0, r"\binsur|\bindemn|\baudit|\bdamages\b|\bwarrant"),
    (-1.5, r"\bdispute|\brefund|\bclaims?\b|\bloss\b"),
    (-1.0, r"\btaxes\b|\bnotice\b"),
    (4.0, r"(?:收到|开具|提供)[^。；]{0,20}发票[^。；]{0,40}(?:付款|支付|付清)"),
    (
        3.0,
        r"(?:付款|支付|付清)[^。；]{0,60}(?:日|天|月)内|(?:日|天|月)内[^。；]{0,60}(?:付款|支付"
        r"|付清)",
    ),
    (1.0, r"(?:应|须|需)[^。；]{0,40}(?:付款|支付)"),
    (-2.0, r"违约金|滞纳金|赔偿"),
)
# From a sentence's weight to the share of right answers, read by hand.
_STEPS = (2.5, 4.0, 5.5, 7.0)
_SCORES = (0.4, 0.55, 0.8, 0.85)
_NOT_TO_PAY = frozenset({"advance", "notice", "prior"})


@dataclass(frozen=True, slots=True)
class PaymentTermsFallback:
    """Finds the sentence that says when payment is due; its part "period" is the time allowed."""

    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        return rank(_find_terms(document_text, regions))


@dataclass(frozen=True, slots=True)
class PaymentPeriodFallback:
    """Finds the time allowed for payment: the span is the period ("thirty (30) days")."""

    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        return rank(
            Candidate(*item.parts["period"], item.score)
            for item in _find_terms(document_text, regions)
            if "period" in item.parts
        )


def _find_terms(text: str, regions: Sequence[Region] | None) -> Iterator[Candidate]:
    for weight, (start, end) in weigh_sentences(text, _CUES, regions):
        step = bisect_right(_STEPS, weight)
        if not step:
            continue
        period = _period_allowed(text, start, end)
        score = _SCORES[step - 1] + min(weight, 12.0) / 1_000
        yield Candidate(start, end, score, {"period": period} if period else {})


def _period_allowed(text: str, start: int, end: int) -> Region | None:
    """The period in a sentence on payment that stands nearest behind "within" or "net"; else the
    first in days."""
    spans = []
    for mention in find_periods(text[start:end]):
        if mention.values[0].perpetual:
            continue
        at, until = start + mention.start, start + mention.end
        before = text[max(start, at - 24) : at].lower()
        after = text[until : min(end, until + 24)].lower().split()
        allowed = any(
            word in before for word in ("within", "net", "not later than", "no later than")
        )
        allowed = allowed or (text[until : until + 2].startswith(("内", "之内")))
        if not (after and after[0].strip(",.'’") in _NOT_TO_PAY):
            spans.append((not allowed, at, until))
    return min(spans)[1:] if spans else None


_PLAIN_WORDS = (
    "payment",
    "pay ",
    "paid",
    "invoice",
    "due",
    "days",
    "payable",
    "付款",
    "支付",
    "发票",
    "日内",
)
_HEURISTIC = 0.4


@dataclass(frozen=True, slots=True)
class PaymentTermsHeuristic:
    """Counts words of payment in each sentence, against its length; earlier ones weigh more."""

    path: AnswerPath = AnswerPath.HEURISTIC

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        weighed: list[tuple[float, Region]] = []
        for span in sentences_with(document_text, _CUES.trigger, regions):
            sentence = document_text[span[0] : span[1]].lower()
            hits = sum(1 for word in _PLAIN_WORDS if word in sentence)
            if hits >= 3:
                brevity = 1.0 / (1.0 + len(sentence) / 1_000)
                earliness = 1.0 - span[0] / len(document_text)
                weighed.append((hits + 0.5 * brevity + 0.5 * earliness, span))
        best = max((weight for weight, _ in weighed), default=1.0)
        return rank(Candidate(*span, _HEURISTIC * weight / best) for weight, span in weighed)
