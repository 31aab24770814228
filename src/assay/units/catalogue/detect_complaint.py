"""Whether a text complains of something."""

from types import MappingProxyType
from typing import Annotated

from pydantic import BaseModel

from assay.units.chain import RULES_ONLY
from assay.units.fallbacks.label_cues import CueFallback
from assay.units.fallbacks.sentiment_cues import COMPLAINT
from assay.units.shown import ShownBy
from assay.units.unit import Question, Unit

#: A label is given however unsure it is: its confidence says so.
_FLOOR = 0.02
_CUES = CueFallback(MappingProxyType({True: COMPLAINT}), least=2.0, otherwise=False)


class Complaints(BaseModel):
    is_complaint: Annotated[
        Annotated[bool, ShownBy(_CUES.show)] | None,
        Question(
            "Does the writer complain of something?",
            text_zh="作者是否在投诉？",
            keywords={
                "complaint": 2.0,
                "refund": 1.0,
                "unacceptable": 1.0,
                "投诉": 2.0,
                "不满": 1.0,
            },
            head=1.0,
            fallbacks=(_CUES,),
            floor=_FLOOR,
        ),
    ] = None


UNIT = Unit(
    name="detect_complaint",
    summary="Whether a text is a complaint, with the sentence that shows it most.",
    output=Complaints,
    chain=RULES_ONLY,
    suits=("email", "letter"),
    triggers=("complaint", "complains", "dissatisfied", "投诉", "抱怨"),
)
