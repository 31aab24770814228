"""Dates in figures, in the order of a country or in both."""

# ruff: noqa: ARG001 - a rule is given all that its parts matched
from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from assay.normalize.temporal.english.grammar import Match, rule
from assay.normalize.temporal.grain import Grain
from assay.normalize.temporal.tokens import (
    Context,
    MonthOfYear,
    Time,
    at_unit,
)


@rule(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?![\d/-])", cost=0.5)
def _(context: Context, match: Match) -> Time | None:
    return _date(int(match[1]), int(match[3]), int(match[4]))


@rule(r"(\d{1,2})\s?([-/.\s])\s?(\d{1,2})\s?\2\s?(\d{4}|\d\d)(?![\d/-]|[.,]\d)", cost=0.6)
def _(context: Context, match: Match) -> Time | None:
    first, second, last = int(match[1]), int(match[3]), int(match[4])
    year = last if len(match[4]) == 4 else (1900 + last if last > 50 else 2000 + last)
    return _ordered(context, first, second, year, match[2])


@rule(r"(\d{1,2})\s?([-/])\s?(\d{1,2})(?![\d/:-]|[.,]\d|\s?[-/]\s?\d)", cost=1.6)
def _(context: Context, match: Match) -> Time | None:
    return _ordered(context, int(match[1]), int(match[3]), None, match[2])


@rule(r"(\d{1,2})/(\d{4})(?![\d/])", cost=0.6)
def _(context: Context, match: Match) -> Time | None:
    if not 1 <= int(match[1]) <= 12:
        return None
    return at_unit(datetime(int(match[2]), int(match[1]), 1), Grain.MONTH, "month")


@rule(r"(\d{4})[-/](\d{1,2})(?![\d/-])", cost=0.8)
def _(context: Context, match: Match) -> Time | None:
    if not 1 <= int(match[2]) <= 12 or not 1000 < int(match[1]) < 2300:
        return None
    return at_unit(datetime(int(match[1]), int(match[2]), 1), Grain.MONTH, "month")


def _date(year: int, month: int, day: int) -> Time | None:
    try:
        return at_unit(datetime(year, month, day), Grain.DAY, "date")
    except ValueError:
        return None


def _ordered(context: Context, first: int, second: int, year: int | None, mark: str) -> Time | None:
    """The readings of two figures as month and day, the order of the region first."""
    orders = [(first, second), (second, first)]
    day_first = context.day_first if context.day_first is not None else mark == "."
    if day_first:
        orders.reverse()
    times = []
    for month, day in orders:
        try:
            datetime(year or 2000, month, day)
        except ValueError:
            continue
        times.append(
            Time(MonthOfYear(month, day), "date") if year is None else _date(year, month, day)
        )
    found = [time for time in times if time is not None]
    if not found:
        return None
    if context.day_first is not None:
        return found[0]
    return replace(found[0], others=tuple(time.series for time in found[1:]))
