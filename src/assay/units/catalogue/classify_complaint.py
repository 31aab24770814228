"""Which product of a bank or an agency a consumer complains of."""

from typing import Annotated, Literal

from pydantic import BaseModel

from assay.units.chain import CHEAPEST_FIRST
from assay.units.fallbacks.labels import LabelFallback
from assay.units.shown import ShownBy
from assay.units.unit import Question, Unit

Product = Literal[
    "credit_card", "credit_reporting", "debt_collection", "mortgages_and_loans", "retail_banking"
]

#: A label is given however unsure it is: its confidence says so.
_FLOOR = 0.02
_CLASSIFIER = LabelFallback("complaint")


class Complaint(BaseModel):
    product: Annotated[
        Annotated[Product, ShownBy(_CLASSIFIER.show)] | None,
        Question(
            "Which product is this complaint of a consumer about?",
            text_zh="消费者投诉的是哪种产品？",
            keywords={"credit": 1.0, "card": 1.0, "report": 1.0, "debt": 1.0, "loan": 1.0},
            head=1.0,
            fallbacks=(_CLASSIFIER,),
            floor=_FLOOR,
        ),
    ] = None


UNIT = Unit(
    name="classify_complaint",
    summary="The product that a consumer's complaint is about, one of five.",
    output=Complaint,
    chain=CHEAPEST_FIRST,
    languages=("en",),
    triggers=("product of the complaint", "complaint category", "投诉产品"),
)
