"""Who stole what, from whom, when and where, in Chinese judgments."""

from typing import Annotated

from pydantic import BaseModel

from assay.units.chain import CHEAPEST_FIRST
from assay.units.fallbacks.theft import EntityKind, TheftFallback
from assay.units.fields import Verbatim
from assay.units.unit import Question, Unit


def _ask(kind: EntityKind, text: str, text_zh: str, *words: str) -> Question:
    return Question(
        text,
        text_zh=text_zh,
        keywords=dict.fromkeys(("被告人", "盗窃", *words), 1.0),
        max_items=12,
        fallbacks=(TheftFallback(kind),),
    )


_Names = list[Verbatim] | None


class Theft(BaseModel):
    suspects: Annotated[_Names, _ask("suspects", "Who are the suspects?", "谁是犯罪嫌疑人？")] = (
        None
    )
    victims: Annotated[
        _Names, _ask("victims", "Who are the victims?", "谁是受害人？", "被害人", "受害人")
    ] = None
    stolen_money: Annotated[
        _Names,
        _ask("stolen_money", "Which money was stolen?", "被盗货币是多少？", "现金", "人民币"),
    ] = None
    item_values: Annotated[
        _Names,
        _ask("item_values", "What are the goods worth?", "被盗物品的价值是多少？", "价值", "鉴定"),
    ] = None
    proceeds: Annotated[
        _Names, _ask("proceeds", "What was made of it?", "盗窃获利是多少？", "销赃", "获利", "得款")
    ] = None
    stolen_items: Annotated[
        _Names, _ask("stolen_items", "Which things were stolen?", "哪些物品被盗？", "盗走", "窃得")
    ] = None
    tools: Annotated[
        _Names, _ask("tools", "Which tools were used?", "作案工具是什么？", "使用", "驾驶", "携带")
    ] = None
    times: Annotated[
        _Names, _ask("times", "When did it happen?", "案件发生在什么时间？", "凌晨", "许")
    ] = None
    places: Annotated[
        _Names, _ask("places", "Where did it happen?", "案件发生在什么地点？", "来到", "至")
    ] = None
    organisations: Annotated[
        _Names,
        _ask("organisations", "Which bodies are named?", "提到了哪些组织机构？", "公安局", "中心"),
    ] = None


UNIT = Unit(
    name="extract_theft",
    summary="The persons, goods, values, times and places of a theft in a Chinese judgment.",
    output=Theft,
    chain=CHEAPEST_FIRST,
    languages=("zh",),
    triggers=("theft", "stolen", "burglary", "盗窃", "被盗", "犯罪嫌疑人", "受害人"),
)
