"""Who must do what, and by when."""

from typing import Annotated

from pydantic import BaseModel

from assay.units.fallbacks.obligation import ObligationFallback, ObligationHeuristic
from assay.units.fields import Verbatim
from assay.units.unit import Question, Unit
from assay.units.validators import between, not_blank


class Obligation(BaseModel):
    """A party, what it must do or leave ("not disclose …"), and by when."""

    party: Verbatim
    duty: Verbatim
    due: Verbatim | None = None


class Obligations(BaseModel):
    obligations: Annotated[
        list[Obligation] | None,
        Question(
            "Which party must do what, and by when?",
            text_zh="哪一方应当做什么？期限是什么？",
            keywords={
                "shall": 1.5,
                "must": 1.0,
                "agrees to": 1.0,
                "within days": 1.0,
                "no later than": 1.5,
                "应当": 1.5,
                "应": 1.0,
                "不得": 1.0,
            },
            num_segments=3,
            max_items=6,
            max_found=60,
            max_tokens=400,
            validators=(between(2, 700), not_blank),
            fallbacks=(ObligationFallback(), ObligationHeuristic()),
        ),
    ] = None


UNIT = Unit(
    name="extract_obligation",
    summary="Who must do, or leave, what, and by when.",
    output=Obligations,
    triggers=("obligation", "obligations", "duty", "duties", "must do", "义务", "责任与义务"),
)
