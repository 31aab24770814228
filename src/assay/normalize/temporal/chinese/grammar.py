"""The grammar of Chinese: what its rules share, and the stretches of text that it reads.

The text is parsed in simplified characters (see `simplified`), Cantonese words among them."""

from __future__ import annotations

import re

from assay.normalize.hanzi import DIGIT_CHARS, parse_hanzi
from assay.normalize.temporal.chart import Grammar, Node
from assay.normalize.temporal.grain import Grain, floor, shift
from assay.normalize.temporal.tokens import (
    Context,
    Time,
    once,
)
from assay.patterns import lazy_pattern

CHINESE = Grammar(words=False)
rule = CHINESE.rule
Match = re.Match[str]


_NUMERAL = rf"(?:[{DIGIT_CHARS}十拾廿卅百千]+|\d+)"
UNITS = {
    Grain.SECOND: r"秒钟?|秒鐘", Grain.MINUTE: r"分钟|分鐘", Grain.HOUR: r"小时|钟头|个钟",
    Grain.DAY: r"天|日", Grain.WEEK: r"星期|礼拜|周", Grain.MONTH: r"月", Grain.QUARTER: r"季度?",
    Grain.YEAR: r"年",
}  # fmt: skip
WEEK = r"(?:星期|礼拜|周|拜)"
DAYS = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
THIS, LAST, NEXT = (
    r"(?:这|今|本|呢)(?:一)?(?:个)?",
    r"(?:上|前)(?:一)?(?:个)?",
    r"(?:下|后)(?:一)?(?:个)?",
)
CHINESE_RUN = lazy_pattern(
    rf"(?:[{DIGIT_CHARS}十拾廿卅百千半\d年月日号天周期秒钟季度]|星期|礼拜|小时|分|点|时|刻|整|字|踏|搭"
    r"|上午|下午|早上|早晨|凌晨|清晨|中午|正午|傍晚|晚上|夜晚|夜里|半夜|午夜|晏昼|朝早|今早|今晚|明早|明晚|昨晚|昨夜|晚|朝"
    r"|今|明|昨|前|后|大|去|上|下|这|本|个|第|初|末|底|的|之|间|从|自|到|至|和|与|以|内|周末|未来|接下来|今后|最后|现在|此时|此刻|当前"
    r"|目前|而家|依家|宜家|最近|农历|阴历|正月|腊月|闰|当|再|过|起|止|春|夏|秋|冬|呢|嘅|廿|拜|a|p|m|AM|PM|am|pm"
    r"|[-/.:、,~～ ()]|中旬|上旬|下旬|双|初一)+"
)


def chinese_seeds(text: str, low: int, high: int) -> list[Node]:
    """The numbers of a stretch, whole and, for a run of single figures, each."""
    seeds = []
    for match in re.finditer(_NUMERAL, text[low:high]):
        numeral = match.group()
        value = int(numeral) if numeral.isascii() else parse_hanzi(numeral)
        if value is not None and value < 10_000 and value == int(value):
            start, end = low + match.start(), low + match.end()
            seeds.append(Node(start, end, "number", int(value)))
            if not numeral.isascii() and re.fullmatch(r"[一二三四五六七八九零〇○]{2,}", numeral):
                seeds.append(Node(start, end, "figures", int(value)))
    return seeds


def cycle(context: Context, grain: Grain, offset: int, count: int = 1) -> Time:
    start = shift(floor(context.reference, grain), grain, offset)
    return once(start, shift(start, grain, count), grain)
