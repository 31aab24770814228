"""The amounts of money that a document names."""

from typing import Annotated

from pydantic import BaseModel

from assay.units.fallbacks.money import MoneyFallback, MoneyHeuristic
from assay.units.fields import Money
from assay.units.unit import Question, Unit
from assay.units.validators import not_blank


class Amounts(BaseModel):
    amounts: Annotated[
        list[Money] | None,
        Question(
            "Which amounts of money does this text name?",
            text_zh="文中提到哪些金额？",
            keywords={
                "amount": 1.0,
                "price": 1.0,
                "fee": 1.0,
                "pay": 0.7,
                "dollars": 1.5,
                "USD": 1.5,
                "EUR": 1.5,
                "total": 0.7,
                "金额": 2.0,
                "人民币": 2.0,
                "元": 1.0,
            },
            num_segments=4,
            # Bare figures of a table are all that some invoices have.
            floor=0.2,
            max_items=12,
            max_tokens=240,
            validators=(not_blank,),
            fallbacks=(MoneyFallback(), MoneyHeuristic()),
        ),
    ] = None


UNIT = Unit(
    name="extract_currency",
    summary="Amounts of money, each with its value and ISO 4217 currency.",
    output=Amounts,
    suits=(
        "contract",
        "invoice",
        "email",
        "letter",
        "report",
        "judgment",
        "insurance_claim",
        "any",
    ),
    triggers=(
        "money",
        "amount",
        "currency",
        "price",
        "fee",
        "cost",
        "金额",
        "价款",
        "货币",
        "价格",
    ),
)
