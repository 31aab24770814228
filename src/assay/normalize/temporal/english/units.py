"""Units and days counted from the reference: "last week", "the next 3 months", "tomorrow"."""

# ruff: noqa: ARG001 - a rule is given all that its parts matched
from __future__ import annotations

from dataclasses import replace

from assay.normalize.temporal.english.grammar import LAST, NEXT, THIS, Match, cycle, rule
from assay.normalize.temporal.grain import Grain, floor, shift
from assay.normalize.temporal.tokens import (
    Context,
    Time,
    at_unit,
    once,
)


@rule(r"(?:" + THIS.replace("|coming|the\\s+coming", "") + ")", "<unit>")
def _(context: Context, match: Match, grain: Grain) -> Time:
    return cycle(context, grain, 0)


@rule(NEXT, "<unit>")
def _(context: Context, match: Match, grain: Grain) -> Time:
    return cycle(context, grain, 1)


@rule(LAST, "<unit>")
def _(context: Context, match: Match, grain: Grain) -> Time:
    return cycle(context, grain, -1)


@rule(r"the", "<unit>", r"after\s+next")
def _(context: Context, match: Match, grain: Grain, after: Match) -> Time:
    return cycle(context, grain, 2)


@rule(r"the", "<unit>", r"before\s+last")
def _(context: Context, match: Match, grain: Grain, after: Match) -> Time:
    return cycle(context, grain, -2)


@rule(NEXT, "<count>", "<unit>")
def _(context: Context, match: Match, count: int, grain: Grain) -> Time | None:
    if "upcoming" in match.group().lower():
        return cycle(context, grain, count)
    return cycle(context, grain, 1, count)


@rule("<count>", r"upcoming|more\s+coming", "<unit>")
def _(context: Context, count: int, match: Match, grain: Grain) -> Time:
    return cycle(context, grain, count)


@rule(LAST, "<count>", "<unit>")
def _(context: Context, match: Match, count: int, grain: Grain) -> Time:
    return cycle(context, grain, -count, count)


@rule(r"the", "<unit>", cost=1.5)
def _(context: Context, match: Match, grain: Grain) -> Time | None:
    if grain is Grain.WEEK:
        start = floor(context.reference, Grain.DAY)
        week = shift(floor(start, Grain.WEEK), Grain.DAY, 6)
        return once(start, max(week, shift(start, Grain.DAY, 1)), Grain.DAY)
    return cycle(context, grain, 0) if grain >= Grain.DAY else None


@rule(r"all\s+(?:this\s+)?week")
def _(context: Context, match: Match) -> Time:
    start = floor(context.reference, Grain.WEEK)
    return once(start, shift(start, Grain.DAY, 6), Grain.DAY)


@rule(r"(?:the\s+)?rest\s+of\s+(?:the|this)\s+week")
def _(context: Context, match: Match) -> Time:
    start = floor(context.reference, Grain.DAY)
    return once(start, shift(floor(start, Grain.WEEK), Grain.DAY, 6), Grain.DAY)


_WORDS = {
    r"(?:just\s+)?today|(?:at\s+)?this\s+time|td": 0,
    r"tomm?orr?ow|tmr|tmrw": 1,
    r"yesterday|ytd": -1,
    r"the\s+day\s+after\s+tomm?orr?ow|day\s+after\s+tomm?orr?ow": 2,
    r"the\s+day\s+before\s+yesterday|day\s+before\s+yesterday": -2,
}
for _words, _offset in _WORDS.items():

    @rule(_words)
    def _(context: Context, match: Match, offset: int = _offset) -> Time:
        return cycle(context, Grain.DAY, offset)


@rule(r"right\s+now|just\s+now|at\s+the\s+moment|at\s+this\s+moment|atm|immediately|as\s+of\s+now")
def _(context: Context, match: Match) -> Time:
    return at_unit(floor(context.reference, Grain.SECOND), Grain.SECOND)


@rule(r"now")
def _(context: Context, match: Match) -> Time:
    return at_unit(floor(context.reference, Grain.SECOND), Grain.SECOND)


@rule(r"asap|as\s+soon\s+as\s+possible")
def _(context: Context, match: Match) -> Time:
    now = at_unit(floor(context.reference, Grain.SECOND), Grain.SECOND)
    return replace(now, bound="after")
