"""Which words of a Chinese legal text tell of events of given kinds."""

from typing import Annotated

from pydantic import BaseModel

from assay.units.chain import CHEAPEST_FIRST
from assay.units.fallbacks.event import EventFallback
from assay.units.fields import Verbatim
from assay.units.unit import Question, Unit


class Arguments(BaseModel):
    """`events` are kinds of event in Chinese, such as 卖出 or 逃匿."""

    events: list[str]


class Events(BaseModel):
    triggers: Annotated[
        list[Verbatim] | None,
        Question(
            "Which words tell of these events: $events?",
            text_zh="哪些词触发了下列事件：$events？",
            keywords={"被告人": 1.0, "后": 0.2},
            fallbacks=(EventFallback(),),
        ),
    ] = None


UNIT = Unit(
    name="extract_event",
    summary="The words of a Chinese legal text that tell of events of given kinds.",
    output=Events,
    chain=CHEAPEST_FIRST,
    arguments=Arguments,
    languages=("zh",),
    triggers=("event", "事件", "触发词"),
)
