"""Days of the week, months, and units of time."""

# ruff: noqa: ARG001 - a rule is given all that its parts matched
from __future__ import annotations

import re

from assay.normalize.temporal.english.grammar import DAYS, MONTHS, UNITS, Match, rule
from assay.normalize.temporal.grain import Grain
from assay.normalize.temporal.tokens import (
    Context,
    MonthOfYear,
    Time,
    weekday,
)


def _add_names() -> None:
    for index, name in enumerate(DAYS):

        @rule(rf"(?:{name})\.?")
        def _(context: Context, match: Match, index: int = index) -> Time | None:
            if match.group() in {"sat", "sun", "wed"} and not _is_month(match):
                return None  # verbs, and a star
            return Time(weekday(index), "weekday", not_now=True)

    for number, name in enumerate(MONTHS, 1):

        @rule(rf"(?:{name})\.?")
        def _(context: Context, match: Match, number: int = number) -> Time | None:
            if match.group() in {"may", "mar"} and not _is_month(match):
                return None
            return Time(MonthOfYear(number), "month")

    for grain, name in UNITS.items():

        @rule(rf"(?:{name})\.?", kind="unit", cost=0.5)
        def _(context: Context, match: Match, grain: Grain = grain) -> Grain:
            return grain


def _is_month(match: Match) -> bool:
    """Whether a word such as "may" stands where a month can: beside a figure, or behind a
    preposition."""
    before = match.string[max(0, match.start() - 12) : match.start()]
    after = match.string[match.end() : match.end() + 6]
    return bool(
        re.search(r"(?:\d(?:st|nd|rd|th)?|\bof|\bin|\bsince|\bthis|\bnext|\blast|\buntil|\bday"
                  r"|\bby|\bon|first|second|third)[\s,/-]*\Z", before, re.I)
        or re.match(r"[\s,/-]*(?:\d|the\b|first|second|third|[a-z]+th\b|twent|thirt)", after, re.I)
        or not match.string.strip()[3:]
    )  # fmt: skip


_add_names()
