"""When a receipt, an invoice or a bill was issued."""

from typing import Annotated

from pydantic import BaseModel

from assay.units.fallbacks.issue_date import IssueDateFallback, IssueDateHeuristic
from assay.units.fields import Date
from assay.units.unit import Question, Unit
from assay.units.validators import not_blank


class IssueDate(BaseModel):
    issued: Annotated[
        Date | None,
        Question(
            "On what date was this receipt or invoice issued?",
            text_zh="这张票据是哪天开具的？",
            keywords={"date": 2.0, "time": 1.0, "invoice": 0.5, "日期": 2.0, "时间": 1.0},
            head=1.0,
            num_segments=2,
            validators=(not_blank,),
            fallbacks=(IssueDateFallback(), IssueDateHeuristic()),
        ),
    ] = None


UNIT = Unit(
    name="extract_issue_date",
    summary="The date on which a receipt, an invoice or a bill was issued.",
    output=IssueDate,
    suits=("invoice", "receipt", "letter"),
    triggers=("invoice date", "date of the receipt", "when was it issued", "开票日期"),
)
