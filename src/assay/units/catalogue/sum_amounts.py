"""What the losses of a judgment add up to, in Decimal, from amounts quoted in it."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any

from pydantic import BaseModel

from assay.units.chain import CHEAPEST_FIRST
from assay.units.derived import Derived, DerivedLeaf
from assay.units.fallbacks.total_amount import TotalAmountFallback
from assay.units.fields import Money
from assay.units.unit import Question, Unit


class Total(Derived):
    """`amount` is the sum of `parts`; None if one of them reads in several ways."""

    amount: Annotated[str | None, DerivedLeaf()] = None
    parts: list[Money]

    @classmethod
    def derive(cls, value: Mapping[str, Any]) -> Mapping[str, Any]:
        amounts = [part["amount"] for part in value["parts"]]
        if None in amounts:
            return {"amount": None}
        return {"amount": format(sum(map(Decimal, amounts), Decimal()), "f")}


class Totals(BaseModel):
    total: Annotated[
        Total | None,
        Question(
            "Which amounts make up the loss?",
            text_zh="涉案总金额由哪些金额组成？",
            keywords={
                "loss": 1.0,
                "stolen": 1.0,
                "价值": 2.0,
                "共计": 2.0,
                "现金": 1.0,
                "人民币": 1.0,
                "鉴定": 1.0,
            },
            max_items=24,
            fallbacks=(TotalAmountFallback(),),
        ),
    ] = None


UNIT = Unit(
    name="sum_amounts",
    summary="What the losses of a judgment add up to, with the amounts that make it up.",
    output=Totals,
    chain=CHEAPEST_FIRST,
    languages=("zh",),
    triggers=("total loss", "sum of amounts", "涉案金额", "总金额", "犯罪金额"),
)
