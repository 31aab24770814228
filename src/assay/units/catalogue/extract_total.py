"""What was to be paid in the end, on a receipt, an invoice or a bill."""

from collections.abc import Iterable
from typing import Annotated, Self

from pydantic import BaseModel

from assay.normalize.price import read_price
from assay.units.fallbacks.total import AMOUNT, TotalFallback, TotalHeuristic
from assay.units.fields import Grounded
from assay.units.unit import Question, Unit
from assay.units.validators import not_blank


class Amount(Grounded):
    """An amount whose currency may not be printed beside it; `amount` is a decimal string,
    `currency` an ISO 4217 code or None."""

    kind = "amount"
    amount: str | None = None
    currency: str | None = None

    @classmethod
    def readings(cls, text: str) -> tuple[Self, ...]:
        price = read_price(text)
        if price.amount is None:
            return ()
        amount = format(price.amount, "f")
        return tuple(
            cls(text=text, amount=amount, currency=code) for code in price.currencies or (None,)
        )

    @classmethod
    def find(cls, text: str) -> Iterable[tuple[int, int]]:
        return [match.span() for match in AMOUNT.finditer(text)]


class Total(BaseModel):
    total: Annotated[
        Amount | None,
        Question(
            "What is the total amount to pay, with tax and after rounding?",
            text_zh="应付总金额是多少（含税、抹零后）？",
            keywords={
                "total": 2.0,
                "grand total": 2.0,
                "rounded": 1.0,
                "amount due": 1.5,
                "payable": 1.0,
                "cash": 0.5,
                "合计": 2.0,
                "总计": 2.0,
                "应付": 2.0,
            },
            tail=1.0,
            num_segments=2,
            cues=(r"total", r"amount", r"due", r"payable", r"合计", r"总计", r"应付"),
            validators=(not_blank,),
            fallbacks=(TotalFallback(), TotalHeuristic()),
        ),
    ] = None


UNIT = Unit(
    name="extract_total",
    summary="The total of a receipt, an invoice or a bill, as it was to be paid.",
    output=Total,
    suits=("invoice", "receipt"),
    triggers=("total", "how much", "receipt", "bill", "合计", "总额", "总计"),
)
