"""The numbers that a document names."""

from typing import Annotated

from pydantic import BaseModel

from assay.units.fallbacks.number import NumberFallback
from assay.units.fields import Number
from assay.units.unit import Question, Unit
from assay.units.validators import not_blank


class Numbers(BaseModel):
    numbers: Annotated[
        list[Number] | None,
        Question(
            "Which numbers and quantities does this text name?",
            text_zh="文中提到哪些数字和数量？",
            keywords={
                "number": 1.5,
                "quantity": 1.5,
                "units": 1.0,
                "shares": 1.0,
                "at least": 0.7,
                "not more than": 0.7,
                "数量": 2.0,
                "共计": 1.5,
                "股": 1.0,
            },
            num_segments=4,
            max_items=12,
            max_tokens=160,
            validators=(not_blank,),
            fallbacks=(NumberFallback(),),
        ),
    ] = None


UNIT = Unit(
    name="extract_number",
    summary="Numbers and quantities that are no date, amount, percentage or period.",
    output=Numbers,
    triggers=("number", "numbers", "quantity", "quantities", "count", "数字", "数量", "多少"),
)
