"""Whether an e-mail asks its reader to do something, and in which sentences."""

from typing import Annotated

from pydantic import BaseModel

from assay.units.chain import CHEAPEST_FIRST
from assay.units.fallbacks.labels import AnySentenceFallback, SentenceFallback
from assay.units.fields import Clause
from assay.units.shown import ShownBy
from assay.units.unit import Question, Unit

_KEYWORDS = {"please": 2.0, "could": 1.0, "would": 1.0, "need": 1.0, "let": 1.0, "请": 2.0}

#: A label is given however unsure it is: its confidence says so.
_FLOOR = 0.02
_CLASSIFIER = AnySentenceFallback("request")


class Requests(BaseModel):
    is_request: Annotated[
        Annotated[bool, ShownBy(_CLASSIFIER.show)] | None,
        Question(
            "Does the writer ask the reader to do something?",
            text_zh="写信人是否要求收信人做某事？",
            keywords=_KEYWORDS,
            fallbacks=(_CLASSIFIER,),
            floor=_FLOOR,
        ),
    ] = None
    requests: Annotated[
        list[Clause] | None,
        Question(
            "Which sentences ask the reader to do something?",
            text_zh="哪些句子要求收信人做某事？",
            keywords=_KEYWORDS,
            fallbacks=(SentenceFallback("request"),),
            floor=_FLOOR,
        ),
    ] = None


UNIT = Unit(
    name="detect_request",
    summary="Whether an e-mail asks its reader to do something, with the sentences that do.",
    output=Requests,
    chain=CHEAPEST_FIRST,
    suits=("email", "letter"),
    languages=("en",),
    triggers=("request", "asks for", "action required", "to do", "请求", "要求"),
)
