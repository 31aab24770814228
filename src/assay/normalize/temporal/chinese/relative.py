"""Days and units counted from the reference."""

# ruff: noqa: ARG001 - a rule is given all that its parts matched
from __future__ import annotations

from dataclasses import replace

from assay.normalize.temporal.chinese.grammar import Match, cycle, rule
from assay.normalize.temporal.grain import Grain, finer, floor
from assay.normalize.temporal.series import (
    Every,
    Nth,
    Series,
    resolve,
)
from assay.normalize.temporal.tokens import (
    Context,
    Length,
    Time,
    at_unit,
    once,
    shifted,
)

_RELATIVE = {
    r"今天|今日|当天|当日": 0, r"明天|明日|听日": 1, r"昨天|昨日|寻日|琴日": -1, r"后天|后日": 2,
    r"前天|前日": -2, r"大后天|大后日": 3, r"大前天|大前日": -3,
}  # fmt: skip


for _words, _offset in _RELATIVE.items():

    @rule(_words)
    def _(context: Context, match: Match, offset: int = _offset) -> Time:
        return cycle(context, Grain.DAY, offset)


@rule(r"最近")
def _(context: Context, match: Match) -> Time:
    return cycle(context, Grain.DAY, 0)


@rule(r"现在|此时|此刻|当前|而家|依家|宜家|目前|这一刻|当下")
def _(context: Context, match: Match) -> Time:
    return at_unit(floor(context.reference, Grain.SECOND), Grain.SECOND)


_YEARS = {r"今年|本年|这(?:一)?年": 0, r"明年|下(?:一)?年|来年": 1, r"去年|上(?:一)?年|旧年": -1,
          r"前年": -2, r"后年": 2, r"大前年": -3}  # fmt: skip
for _words, _offset in _YEARS.items():

    @rule(_words)
    def _(context: Context, match: Match, offset: int = _offset) -> Time:
        return cycle(context, Grain.YEAR, offset)


@rule(r"(这|今|本|呢|上|下|前|后|当)(?:一)?", "<unit>")
def _(context: Context, match: Match, grain: Grain) -> Time | None:
    if grain < Grain.WEEK and match[1] not in "上下":
        return None
    offset = {"上": -1, "前": -1, "下": 1, "后": 1}.get(match[1], 0)
    return cycle(context, grain, offset)


@rule(r"(上|下)(?:上|下)", "<unit>")
def _(context: Context, match: Match, grain: Grain) -> Time:
    return cycle(context, grain, -2 if match[1] == "上" else 2)


def _stretch_of(context: Context, length: Length, sign: int) -> Time:
    """The units before or after the one at the reference; or the time that lies so far away."""
    moment = length.from_(context.reference, sign)
    grain = max(finer(length.finest), Grain.DAY) if length.finest >= Grain.DAY else Grain.SECOND
    far: Time = at_unit(floor(moment, grain), grain)
    if length.rest:
        return far
    count = length.count
    near = cycle(context, length.grain, -count if sign < 0 else 1, count)
    others: tuple[Series, ...] = (far.series,)
    if length.grain is Grain.YEAR:  # 两年前: that year, that month or that day
        others += (at_unit(floor(moment, Grain.DAY), Grain.DAY).series,)
    return replace(near, others=others)


@rule(r"(上|前|过去|下|后|未来|接下来|今后|之后|最近)(?:的)?", "<length>")
def _(context: Context, match: Match, length: Length) -> Time | None:
    return _stretch_of(context, length, -1 if match[1] in {"上", "前", "过去", "最近"} else 1)


@rule("<length>", r"(?:之|以)?(前|后|内)")
def _(context: Context, length: Length, match: Match) -> Time | None:
    if match[1] == "内":
        now = floor(context.reference, Grain.SECOND)
        return once(now, length.from_(now), Grain.SECOND, "span")
    return _stretch_of(context, length, -1 if match[1] == "前" else 1)


@rule(r"(?:再)?过", "<length>")
def _(context: Context, match: Match, length: Length) -> Time:
    return _stretch_of(context, length, 1)


@rule("<time>", r"(?:的)?(?:之|以)?(前|后)", "<length>")
def _(context: Context, time: Time, match: Match, length: Length) -> Time | None:
    return shifted(time, length, -1 if match[1] == "前" else 1, context)


@rule("<unit>", kind="repeated", cost=0.5)
def _(context: Context, grain: Grain) -> Time:
    return Time(Every(grain), "unit")


@rule("<time>", kind="repeated", cost=0)
def _(context: Context, time: Time) -> Time | None:
    return time if time.form in {"weekday", "weekend"} else None


@rule("<time>", r"的?第", "<number>", "<repeated>")
def _(context: Context, outer: Time, match: Match, n: int, inner: Time) -> Time | None:
    return _nth(context, n, inner, outer)


@rule("<time>", r"的?第", "<number>", r"个", "<repeated>")
def _(context: Context, outer: Time, match: Match, n: int, each: Match, inner: Time) -> Time | None:
    return _nth(context, n, inner, outer)


@rule("<time>", r"的?最后(?:一)?个?", "<repeated>")
def _(context: Context, outer: Time, match: Match, inner: Time) -> Time | None:
    return _nth(context, -1, inner, outer)


def _nth(context: Context, n: int, inner: Time, outer: Time) -> Time | None:
    if outer.grain <= inner.grain:
        return None
    series = Nth(n, inner.series, outer.series)
    return None if resolve(series, context.reference) is None else Time(series, "date")


@rule(r"(?:第)?([一二三四1-4])季度?")
def _(context: Context, match: Match) -> Time:
    n = "一二三四1234".index(match[1]) % 4 + 1
    return Time(Every(Grain.QUARTER, lambda start: start.month == 3 * n - 2), "season")
