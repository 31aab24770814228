"""When and how payment is due."""

from typing import Annotated

from pydantic import BaseModel

from assay.units.fallbacks.payment_terms import (
    PaymentPeriodFallback,
    PaymentTermsFallback,
    PaymentTermsHeuristic,
)
from assay.units.fields import Clause, Period
from assay.units.unit import Question, Unit
from assay.units.validators import between, mentions

_KEYWORDS = {
    "payment": 1.5,
    "pay": 1.0,
    "invoice": 2.0,
    "due": 1.0,
    "days": 0.7,
    "days of receipt": 1.5,
    "net 30": 2.0,
    "payable": 1.0,
    "付款": 2.0,
    "支付": 1.5,
    "发票": 1.5,
}
_CUES = (r"\bpa(?:y|id)", "invoice", "付款", "支付")


class PaymentTerms(BaseModel):
    terms: Annotated[
        Clause | None,
        Question(
            "Which sentence says when payment is due?",
            text_zh="哪一句规定了付款期限？",
            keywords=_KEYWORDS,
            num_segments=2,
            max_tokens=320,
            cues=_CUES,
            validators=(between(12, 2500), mentions(*_CUES)),
            fallbacks=(PaymentTermsFallback(), PaymentTermsHeuristic()),
        ),
    ] = None
    due_within: Annotated[
        Period | None,
        Question(
            "Within what time is payment due?",
            text_zh="应在多长时间内付款？",
            keywords=_KEYWORDS,
            num_segments=2,
            max_tokens=48,
            fallbacks=(PaymentPeriodFallback(),),
        ),
    ] = None


UNIT = Unit(
    name="extract_payment_terms",
    summary="The sentence that says when payment is due, and the time allowed.",
    output=PaymentTerms,
    suits=("contract", "invoice"),
    triggers=("payment", "pay", "invoice due", "net days", "付款", "支付", "账期"),
)
