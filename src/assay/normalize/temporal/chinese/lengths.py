"""Units, and lengths of time."""

# ruff: noqa: ARG001 - a rule is given all that its parts matched
from __future__ import annotations

from assay.normalize.temporal.chinese.grammar import UNITS, Match, rule
from assay.normalize.temporal.grain import Grain
from assay.normalize.temporal.tokens import (
    Context,
    Length,
)

for _grain, _name in UNITS.items():

    @rule(rf"个?(?:{_name})", kind="unit", cost=0.5)
    def _(context: Context, match: Match, grain: Grain = _grain) -> Grain:
        return grain


@rule("<number>", "<unit>", kind="length")
def _(context: Context, count: int, grain: Grain) -> Length:
    return Length(grain, count)


@rule("<number>", r"个?半", "<unit>", kind="length")
def _(context: Context, count: int, match: Match, grain: Grain) -> Length | None:
    half = {Grain.HOUR: (Grain.MINUTE, 30), Grain.YEAR: (Grain.MONTH, 6)}.get(grain)
    return Length(grain, count, (half,)) if half else None


@rule(r"半", "<unit>", kind="length")
def _(context: Context, match: Match, grain: Grain) -> Length | None:
    halves = {Grain.HOUR: (Grain.MINUTE, 30), Grain.YEAR: (Grain.MONTH, 6)}
    return Length(*halves[grain]) if grain in halves else None


@rule("<length>", r"零|又|加|,|、", "<length>", kind="length")
def _(context: Context, first: Length, match: Match, second: Length) -> Length | None:
    return _join(first, second)


@rule("<length>", "<length>", kind="length")
def _(context: Context, first: Length, second: Length) -> Length | None:
    return _join(first, second)


def _join(first: Length, second: Length) -> Length | None:
    if second.grain >= first.finest:
        return None
    return Length(first.grain, first.count, (*first.rest, (second.grain, second.count)))
