"""The percentages that a document names."""

from typing import Annotated

from pydantic import BaseModel

from assay.units.fallbacks.percentage import PercentageFallback, PercentageHeuristic
from assay.units.fields import Percentage
from assay.units.unit import Question, Unit
from assay.units.validators import not_blank


class Percentages(BaseModel):
    percentages: Annotated[
        list[Percentage] | None,
        Question(
            "Which percentages does this text name?",
            text_zh="文中提到哪些百分比？",
            keywords={
                "percent": 2.0,
                "per cent": 2.0,
                "rate": 1.0,
                "interest": 1.0,
                "royalty": 1.0,
                "discount": 1.0,
                "百分之": 2.0,
                "利率": 1.5,
            },
            num_segments=4,
            max_items=12,
            max_tokens=160,
            validators=(not_blank,),
            fallbacks=(PercentageFallback(), PercentageHeuristic()),
        ),
    ] = None


UNIT = Unit(
    name="extract_percentage",
    summary="Percentages and basis points, as decimal percent.",
    output=Percentages,
    suits=("contract", "report", "any"),
    triggers=("percentage", "percent", "rate", "interest", "royalty", "百分比", "利率", "比例"),
)
