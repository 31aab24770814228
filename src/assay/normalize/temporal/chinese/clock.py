"""Times and parts of the day."""

# ruff: noqa: ARG001 - a rule is given all that its parts matched
from __future__ import annotations

from assay.normalize.temporal.chinese.grammar import Match, cycle, rule
from assay.normalize.temporal.grain import Grain
from assay.normalize.temporal.series import (
    Daily,
    Within,
)
from assay.normalize.temporal.tokens import (
    Context,
    Time,
    clock,
    intersect,
    part_of_day,
)

_PARTS = {
    r"凌晨|半夜|午夜": (0, 6), r"清晨|早晨|早上|朝早|今朝|朝头早|早": (4, 12), r"上午": (0, 12),
    r"中午|正午|晏昼|晌午": (12, 14), r"下午|午后|下昼": (12, 19), r"傍晚|黄昏": (17, 19),
    r"晚上|夜晚|夜里|夜间|晚间|今晚夜|晚": (18, 24),
}  # fmt: skip
for _name, _hours in _PARTS.items():

    @rule(rf"(?:{_name})的?", kind="part")
    def _(context: Context, match: Match, hours: tuple[int, int] = _hours) -> tuple[int, int]:
        return hours


@rule("<part>", cost=0.2)
def _(context: Context, hours: tuple[int, int]) -> Time:
    return Time(part_of_day(*hours), "part")


@rule(r"(今|昨|明|当|听|寻|琴)(?:日|天)?(早|晚|夜)(?:上|间)?")
def _(context: Context, match: Match) -> Time | None:
    offset = {"昨": -1, "寻": -1, "琴": -1, "明": 1, "听": 1}.get(match[1], 0)
    hours = (4, 12) if match[2] == "早" else (18, 24)
    return intersect(cycle(context, Grain.DAY, offset), Time(part_of_day(*hours), "part"), context)


@rule("<number>", r"(?:点钟?|时)整?", kind="hour")
def _(context: Context, hour: int, match: Match) -> tuple[int, int | None] | None:
    return (hour, None) if 0 <= hour <= 24 else None


@rule("<number>", r"[点时](?:过)?(半|[一1]刻|[三3]刻|踏半|搭半)", kind="hour", cost=0.8)
def _(context: Context, hour: int, match: Match) -> tuple[int, int | None] | None:
    minute = 30 if "半" in match[1] else 15 if match[1][0] in "一1" else 45
    return (hour, minute) if 0 <= hour <= 24 else None


@rule("<number>", r"[点时]过?", "<number>", r"分", kind="hour", cost=0.8)
def _(
    context: Context, hour: int, match: Match, minute: int, suffix: Match
) -> tuple[int, int | None] | None:
    return (hour, minute) if 0 <= hour <= 24 and 0 <= minute < 60 else None


@rule("<number>", r"[点时]过?", "<number>", kind="hour", cost=1.2)
def _(context: Context, hour: int, match: Match, minute: int) -> tuple[int, int | None] | None:
    if not (0 <= hour <= 24 and 0 <= minute < 60):
        return None
    # In Cantonese a bare figure up to 11 counts fives of minutes.
    exact = minute > 11 or match.string[match.end()] in "零〇0"
    return hour, minute if exact else 5 * minute


@rule("<number>", r"点(?:踏|搭)", "<number>", kind="hour", cost=0.8)
def _(context: Context, hour: int, match: Match, fives: int) -> tuple[int, int | None] | None:
    return (hour, 5 * fives) if 0 <= hour <= 24 and fives < 12 else None


@rule("<number>", r"点", "<number>", r"个字", kind="hour", cost=0.8)
def _(
    context: Context, hour: int, match: Match, fives: int, suffix: Match
) -> tuple[int, int | None] | None:
    return (hour, 5 * fives) if 0 <= hour <= 24 and fives < 12 else None


@rule(r"(\d{1,2}):(\d\d)(?::\d\d)?", kind="hour", cost=0.6)
def _(context: Context, match: Match) -> tuple[int, int | None] | None:
    return (int(match[1]), int(match[2])) if int(match[1]) < 25 and int(match[2]) < 60 else None


@rule("<hour>", cost=0.5)
def _(context: Context, hour: tuple[int, int | None]) -> Time | None:
    return _clock(hour, half_day=1 <= hour[0] <= 12)


@rule(r"(\d{1,2}):(\d\d)\s?([ap])\.?m\.?", cost=0.4)
def _(context: Context, match: Match) -> Time | None:
    hour = int(match[1]) % 12 + (12 if match[3].lower() == "p" else 0)
    return _clock((hour, int(match[2])), half_day=False)


@rule("<part>", "<hour>", cost=0.5)
def _(context: Context, part: tuple[int, int], hour: tuple[int, int | None]) -> Time | None:
    number, minute = hour
    if part[0] >= 12 and number < 12:
        number += 12
    if part[0] < 12 and number == 12 and part[1] <= 6:
        number = 0
    return _clock((number, minute), half_day=False)


@rule("<time>", "<hour>", cost=0.8)
def _(context: Context, time: Time, hour: tuple[int, int | None]) -> Time | None:
    """ "今晚8点"."""
    if not (isinstance(time.series, Within) and isinstance(time.series.inner, Daily)):
        return None
    start = time.series.inner.stretches[0][0]
    number = hour[0] + 12 if start >= 43200 and hour[0] < 12 else hour[0]
    inner = _clock((number, hour[1]), half_day=False)
    return None if inner is None else Time(Within(inner.series, time.series.outer), "clock")


def _clock(hour: tuple[int, int | None], *, half_day: bool) -> Time | None:
    series = clock(hour[0], hour[1], half_day=half_day)
    if series is None:
        return None
    return Time(series, "hour" if hour[1] is None else "clock", half_day=half_day)
