"""What the insured bears of each loss: deductibles, excesses, retentions."""

from typing import Annotated

from pydantic import BaseModel

from assay.units.fallbacks.deductible import (
    Basis,
    DeductibleFallback,
    DeductibleHeuristic,
    show_basis,
)
from assay.units.fields import Clause, Money, Percentage
from assay.units.shown import ShownBy
from assay.units.unit import Question, Unit
from assay.units.validators import mentions

_CUES = (r"deductible", r"retention", r"\bexcess\b", "免赔", "自负额")


class Deductible(BaseModel):
    """The sentence that sets it, the sum or the share of the loss, and what it counts on."""

    clause: Clause
    amount: Money | None = None
    percent: Percentage | None = None
    basis: Annotated[Basis, ShownBy(show_basis)] | None = None


class Deductibles(BaseModel):
    deductibles: Annotated[
        list[Deductible] | None,
        Question(
            "Which deductibles (excesses) does the insured bear, on what does each count?",
            text_zh="约定了哪些免赔额或免赔率？按什么计算？",
            keywords={
                "deductible": 3.0,
                "self-insured retention": 2.5,
                "excess": 1.0,
                "insurance": 1.0,
                "each occurrence": 1.0,
                "免赔额": 3.0,
                "免赔率": 3.0,
                "保险": 1.0,
            },
            num_segments=2,
            max_items=4,
            max_tokens=320,
            cues=_CUES,
            validators=(mentions(*_CUES),),
            fallbacks=(DeductibleFallback(), DeductibleHeuristic()),
        ),
    ] = None


UNIT = Unit(
    name="extract_deductible",
    summary="The deductibles of an insurance: sum or share, on what it counts, and the sentence.",
    output=Deductibles,
    suits=("insurance_claim",),
    triggers=("deductible", "excess", "retention", "免赔额", "免赔率", "免赔"),
)
