"""Beginnings, middles and ends of units, and seasons."""

# ruff: noqa: ARG001 - a rule is given all that its parts matched
from __future__ import annotations

from datetime import datetime

from assay.normalize.temporal.english.grammar import Match, cycle, rule
from assay.normalize.temporal.grain import Grain, Interval, floor, shift
from assay.normalize.temporal.series import (
    Series,
)
from assay.normalize.temporal.tokens import (
    Context,
    Time,
    meant,
    once,
    yearly,
)


def _edge(context: Context, which: str, time: Time) -> Time | None:
    found = meant(time, context.reference)
    if found is None or time.bound:
        return None
    start, end = found.start, found.end
    if found.grain is Grain.YEAR:
        cuts = {"b": (0, 3), "m": (4, 8), "e": (8, 12)}[which]
        return once(shift(start, Grain.MONTH, cuts[0]), shift(start, Grain.MONTH, cuts[1]),
                    Grain.MONTH, "span")  # fmt: skip
    if found.grain is Grain.MONTH:
        if which == "e":
            return once(shift(start, Grain.DAY, 20), end, Grain.DAY, "span")
        cuts = {"b": (0, 10), "m": (10, 20)}[which]
        return once(shift(start, Grain.DAY, cuts[0]), shift(start, Grain.DAY, cuts[1]),
                    Grain.DAY, "span")  # fmt: skip
    if found.grain is Grain.WEEK:
        cuts = {"b": (0, 3), "m": (2, 5), "e": (4, 7)}[which]
        return once(shift(start, Grain.DAY, cuts[0]), shift(start, Grain.DAY, cuts[1]),
                    Grain.DAY, "span")  # fmt: skip
    if found.grain is Grain.DAY and which == "e":
        return once(start.replace(hour=17), end, Grain.HOUR, "span")
    return None


@rule(
    r"(?:at\s+)?(?:the\s+)?(beginning|start|early|middle|mid|end|late)[\s-]*(?:of|in)?\s*"
    r"(?:around\s+|the\s+)?",
    "<time>",
)
def _(context: Context, match: Match, time: Time) -> Time | None:
    word = match[1].lower()
    which = "b" if word in {"beginning", "start", "early"} else "m" if word[0] == "m" else "e"
    if time.grain is Grain.DAY and time.form in {"span", "part"}:
        return None
    return _edge(context, which, time)


@rule(r"(?:at\s+)?(?:the\s+)?(beginning|start|middle|end)\s+of\s+(?:the\s+)?(year|month|week|day)")
def _(context: Context, match: Match) -> Time | None:
    grain = {"year": Grain.YEAR, "month": Grain.MONTH, "week": Grain.WEEK, "day": Grain.DAY}[
        match[2].lower()
    ]
    return _edge(context, match[1][0].lower().replace("s", "b"), cycle(context, grain, 0))


@rule(r"(?:the\s+)?([BE])O([YMD])")
def _(context: Context, match: Match) -> Time | None:
    grain = {"Y": Grain.YEAR, "M": Grain.MONTH, "D": Grain.DAY}[match[2].upper()]
    return _edge(context, match[1].lower(), cycle(context, grain, 0))


def _season(month: int, day: int, to_month: int, to_day: int) -> Series:
    def of(year: int) -> Interval:
        end_year = year + 1 if to_month < month else year
        end = shift(datetime(end_year, to_month, to_day), Grain.DAY, 1)
        return Interval(datetime(year, month, day), end, Grain.DAY)

    return yearly(of, Grain.DAY, 100)


_SEASONS = {
    "spring": (3, 20, 6, 20), "summer": (6, 21, 9, 22), "fall|autumn": (9, 23, 12, 20),
    "winter": (12, 21, 3, 20),
}  # fmt: skip
for _name, _bounds in _SEASONS.items():

    @rule(rf"(?:the\s+)?(?:{_name})s?", cost=1.2)
    def _(context: Context, match: Match, bounds: tuple[int, int, int, int] = _bounds) -> Time:
        return Time(_season(*bounds), "season")


@rule(r"(this|current|next|last|past|previous|following|upcoming|coming)\s+seasons?")
def _(context: Context, match: Match) -> Time:
    """The season at the reference, and those around it; each ends where the next one begins."""
    day = floor(context.reference, Grain.DAY)
    starts = sorted(
        datetime(year, bounds[0], bounds[1])
        for year in range(day.year - 2, day.year + 3)
        for bounds in _SEASONS.values()
    )
    index = max(i for i, start in enumerate(starts) if start <= day)
    word = match[1].lower()
    index += 1 if word in {"next", "following", "upcoming", "coming"} else 0
    index -= 1 if word in {"last", "past", "previous"} else 0
    end = starts[index + 1]
    return once(starts[index], shift(end, Grain.DAY, 0 if end.month == 6 else -1), Grain.DAY)
