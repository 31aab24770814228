"""Counts, and lengths of time."""

# ruff: noqa: ARG001 - a rule is given all that its parts matched
from __future__ import annotations

from assay.normalize.temporal.english.grammar import Match, rule
from assay.normalize.temporal.grain import Grain
from assay.normalize.temporal.tokens import (
    Context,
    Length,
)


@rule(r"(?:a\s+)?couple(?:\s+of)?|(?:a\s+)?pair(?:\s+of)?", kind="number")
def _(context: Context, match: Match) -> int:
    return 2


@rule(r"(?:a\s+)?few", kind="number")
def _(context: Context, match: Match) -> int:
    return 3


@rule(r"(?:an?|one)(?=\s+(?!few|couple|pair))", kind="count")
def _(context: Context, match: Match) -> int:
    return 1


@rule("<number>", kind="count", cost=0)
def _(context: Context, number: int) -> int:
    return number


@rule("<count>", "<unit>", kind="length")
def _(context: Context, count: int, grain: Grain) -> Length | None:
    return Length(grain, count)


@rule("<count>", r"(?:more|extra|additional|fewer|full|whole|calendar)", "<unit>", kind="length")
def _(context: Context, count: int, match: Match, grain: Grain) -> Length:
    return Length(grain, count)


@rule("<count>", r"business|working", "<unit>", kind="workdays")
def _(context: Context, count: int, match: Match, grain: Grain) -> int | None:
    return count if grain is Grain.DAY else None


@rule(r"an?\s+fortnight|fortnight", kind="length")
def _(context: Context, match: Match) -> Length:
    return Length(Grain.DAY, 14)


@rule(r"(\d{1,3})\s?h", kind="length")
def _(context: Context, match: Match) -> Length:
    return Length(Grain.HOUR, int(match[1]))


@rule(r"half\s+an?\s+hour|1/2\s?h(?:ou)?r?|half\s+hour|an?\s+half\s+(?:an\s+)?hour", kind="length")
def _(context: Context, match: Match) -> Length:
    return Length(Grain.MINUTE, 30)


@rule(
    r"(?:(?:a\s+)?quarter\s+of\s+an\s+hour|(?:a\s+)?quarter\s+hour|1/4\s?h(?:ou)?r?)", kind="length"
)
def _(context: Context, match: Match) -> Length:
    return Length(Grain.MINUTE, 15)


@rule(r"(?:three[\s-]+quarters?\s+of\s+an\s+hour|3/4\s?h(?:ou)?r?)", kind="length")
def _(context: Context, match: Match) -> Length:
    return Length(Grain.MINUTE, 45)


@rule(r"(\d+)[.](\d+)\s*(?:h(?:ou)?rs?|h)", kind="length")
def _(context: Context, match: Match) -> Length:
    return Length(Grain.MINUTE, round(float(f"{match[1]}.{match[2]}") * 60))


@rule("<count>", r"and\s+an?\s+half", "<unit>", kind="length")
def _(context: Context, count: int, match: Match, grain: Grain) -> Length | None:
    return _with_half(count, grain)


def _with_half(count: int, grain: Grain) -> Length | None:
    halves = {Grain.HOUR: (Grain.MINUTE, 30), Grain.YEAR: (Grain.MONTH, 6),
              Grain.DAY: (Grain.HOUR, 12), Grain.MINUTE: (Grain.SECOND, 30)}  # fmt: skip
    return Length(grain, count, (halves[grain],)) if grain in halves else None


@rule("<count>", "<unit>", r"and\s+an?\s+half", kind="length")
def _(context: Context, count: int, grain: Grain, match: Match) -> Length | None:
    return _with_half(count, grain)


def _join(first: Length, second: Length) -> Length | None:
    if second.grain >= first.finest:
        return None
    rest = (*first.rest, (second.grain, second.count), *second.rest)
    return Length(first.grain, first.count, rest)


@rule("<length>", "<length>", kind="length")
def _(context: Context, first: Length, second: Length) -> Length | None:
    return _join(first, second)


@rule("<length>", r",|and|,\s*and", "<length>", kind="length")
def _(context: Context, first: Length, match: Match, second: Length) -> Length | None:
    return _join(first, second)


@rule(r"(\d+)\s?('|\")(?!\w)", kind="length")
def _(context: Context, match: Match) -> Length:
    return Length(Grain.MINUTE if match[2] == "'" else Grain.SECOND, int(match[1]))
