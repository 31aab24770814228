"""Whether a text praises or blames."""

from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import BaseModel

from assay.units.chain import RULES_ONLY
from assay.units.fallbacks.label_cues import CueFallback
from assay.units.fallbacks.sentiment_cues import NEGATIVE, POSITIVE
from assay.units.unit import Question, Unit

#: A label is given however unsure it is: its confidence says so.
_FLOOR = 0.02


class Sentiment(BaseModel):
    sentiment: Annotated[
        Literal["positive", "negative", "neutral"] | None,
        Question(
            "Is the tone of this text positive, negative or neutral?",
            text_zh="这段文字的情绪是正面、负面还是中性？",
            keywords={"satisfied": 1.0, "disappointed": 1.0, "满意": 1.0, "失望": 1.0},
            head=1.0,
            fallbacks=(
                CueFallback(
                    MappingProxyType({"positive": POSITIVE, "negative": NEGATIVE}),
                    otherwise="neutral",
                ),
            ),
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
