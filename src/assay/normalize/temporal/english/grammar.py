"""The grammar of English, and the names that its rules share."""

from __future__ import annotations

import re

from assay.normalize.temporal.chart import Grammar
from assay.normalize.temporal.grain import Grain, floor, shift
from assay.normalize.temporal.tokens import (
    Context,
    Time,
    once,
)

ENGLISH = Grammar(words=True)
rule = ENGLISH.rule
Match = re.Match[str]
DAYS = ("mon(?:day)?", "tue(?:s(?:day)?)?", "wed(?:nesday|n)?|weds", "thu(?:rs?(?:day)?)?",
         "fri(?:day)?", "sat(?:urday)?", "sun(?:day)?")  # fmt: skip
MONTHS = ("jan(?:uary)?", "feb(?:ruary)?", "mar(?:ch)?", "apr(?:il)?", "may", "june?", "july?",
           "aug(?:ust)?", "sept?(?:ember)?", "oct(?:ober)?", "nov(?:ember)?",
           "dec(?:ember)?")  # fmt: skip
UNITS = {
    Grain.SECOND: r"sec(?:ond)?s?", Grain.MINUTE: r"min(?:ute)?s?", Grain.HOUR: r"h(?:ou)?rs?|h",
    Grain.DAY: r"days?", Grain.WEEK: r"w(?:ee)?ks?", Grain.MONTH: r"mo(?:nth)?s?|mths?",
    Grain.QUARTER: r"q(?:uar)?te?rs?", Grain.YEAR: r"y(?:ea)?rs?",
}  # fmt: skip
THIS = r"(?:this|current|the\s+current|coming|the\s+coming)"
NEXT = r"(?:the\s+)?(?:next|following|coming|upcoming|succeeding)"
LAST = r"(?:the\s+)?(?:last|past|previous|preceding)"
IN = r"(?:of|in|from|for|during|on)"


def cycle(context: Context, grain: Grain, offset: int, count: int = 1) -> Time:
    """`count` units of a grain, `offset` units from the one that the reference lies in."""
    start = shift(floor(context.reference, grain), grain, offset)
    return once(start, shift(start, grain, count), grain)
