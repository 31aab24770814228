"""Whether a text praises or blames."""

from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import BaseModel

from assay.units.chain import RULES_ONLY
from assay.units.fallbacks.label_cues import CueFallback
from assay.units.fallbacks.sentiment_cues import NEGATIVE, POSITIVE
from assay.units.shown import ShownBy
from assay.units.unit import Question, Unit

#: A label is given however unsure it is: its confidence says so.
_FLOOR = 0.02
_CUES = CueFallback(
    MappingProxyType({"positive": POSITIVE, "negative": NEGATIVE}), otherwise="neutral"
)
Tone = Literal["positive", "negative", "neutral"]


class Sentiment(BaseModel):
    sentiment: Annotated[
        Annotated[Tone, ShownBy(_CUES.show)] | None,
        Question(
            "Is the tone of this text positive, negative or neutral?",
            text_zh="这段文字的情绪是正面、负面还是中性？",
            keywords={"satisfied": 1.0, "disappointed": 1.0, "满意": 1.0, "失望": 1.0},
            head=1.0,
            fallbacks=(_CUES,),
            floor=_FLOOR,
        ),
    ] = None


UNIT = Unit(
    name="classify_sentiment",
    summary="Whether a text is positive, negative or neutral, with the sentence that shows it.",
    output=Sentiment,
    chain=RULES_ONLY,
    suits=("email", "letter"),
    triggers=("sentiment", "tone", "mood", "情绪", "情感", "语气"),
)
