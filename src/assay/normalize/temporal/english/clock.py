"""Times of day."""

# ruff: noqa: ARG001 - a rule is given all that its parts matched
from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from assay.normalize.temporal.english.grammar import Match, rule
from assay.normalize.temporal.grain import Grain, Interval, shift, unit
from assay.normalize.temporal.series import (
    Daily,
    Mapped,
)
from assay.normalize.temporal.tokens import (
    Context,
    Time,
    clock,
)

_AMPM = r"([ap])\.?\s?(?:m\.?)?(?!\w)"


def _hour(text: str, half: str | None) -> int | None:
    hour = int(text)
    if half is None:
        return hour if hour < 24 else None
    if not 1 <= hour <= 12:
        return None
    return hour % 12 + (12 if half.lower() == "p" else 0)


def _clock(hour: int | None, minute: int | None, second: int | None, half: bool) -> Time | None:
    if hour is None:
        return None
    series = clock(hour, minute, second, half_day=half)
    if series is None:
        return None
    return Time(series, "hour" if minute is None else "clock", half_day=half)


@rule(r"(\d{1,2}):(\d\d)(?::(\d\d))?(?![\d:])\s?([ap]\.?(?:\s?m\.?)?(?!\w))?", cost=0.5)
def _(context: Context, match: Match) -> Time | None:
    half = match[4][0] if match[4] else None
    hour = _hour(match[1], half)
    second = int(match[3]) if match[3] else None
    open_half = (
        half is None
        and len(match[1].lstrip("0")) > 0
        and int(match[1]) <= 12
        and match[1][0] != "0"
    )
    return _clock(hour, int(match[2]), second, open_half)


@rule(r"(\d{1,2})h(\d\d)?(?!\w)", cost=0.5)
def _(context: Context, match: Match) -> Time | None:
    return _clock(_hour(match[1], None), int(match[2] or 0), None, False)


@rule(r"(\d{1,2})\s?" + _AMPM, cost=0.5)
def _(context: Context, match: Match) -> Time | None:
    return _clock(_hour(match[1], match[2]), None, None, False)


@rule(r"(\d{1,2})(\d\d)\s?([ap])\.?\s?m\.?(?!\w)", cost=0.5)
def _(context: Context, match: Match) -> Time | None:
    return _clock(_hour(match[1], match[3]), int(match[2]), None, False)


@rule(r"(\d{1,2})(\d\d)(?!\d)(?:\s?(?:hours|hrs))?(?:-?\s?ish)?", cost=1.0)
def _(context: Context, match: Match) -> Time | None:
    hour = int(match[1])
    if hour > 23 or len(match.group()) < 3:
        return None
    time = _clock(hour, int(match[2]), None, 1 <= hour <= 12 and match[1][0] != "0")
    latent = not match.group().lower().endswith("ish")
    return None if time is None else replace(time, latent=latent)


@rule("<number>", cost=2)
def _(context: Context, number: int) -> Time | None:
    time = _clock(number, None, None, 1 <= number <= 12) if 0 <= number < 24 else None
    return None if time is None else replace(time, latent=True)


@rule("<time>", r"o'?\s?clock|oclock")
def _(context: Context, time: Time, match: Match) -> Time | None:
    return replace(time, latent=False) if time.form == "hour" else None


@rule("<time>", _AMPM)
def _(context: Context, time: Time, match: Match) -> Time | None:
    """ "three pm", "ten thirty am"."""
    if time.form not in {"hour", "clock"} or not time.half_day:
        return None
    series = time.series
    if not isinstance(series, Daily):
        return None
    stretch = series.stretches[0 if match[1].lower() == "a" else -1]
    return Time(Daily(series.grain, (stretch,)), time.form)


@rule("<number>", "<number>", cost=1.8)
def _(context: Context, hour: int, minute: int) -> Time | None:
    """ "ten thirty"."""
    if not 1 <= hour <= 23 or not 10 <= minute <= 59:
        return None
    return _clock(hour, minute, None, hour <= 12)


@rule("<number>", r"(?:o|oh|zero)", "<number>", cost=1.5)
def _(context: Context, hour: int, match: Match, minute: int) -> Time | None:
    if not 1 <= hour <= 23 or not 1 <= minute <= 9:
        return None
    return _clock(hour, minute, None, hour <= 12)


@rule("<number>", r"-", "<number>", cost=2.4)
def _(context: Context, hour: int, match: Match, minute: int) -> Time | None:
    if not 1 <= hour <= 12 or not 10 <= minute <= 59:
        return None
    return _clock(hour, minute, None, True)


def _minutes(time: Time, minutes: int) -> Time | None:
    """The minutes before or after an hour."""
    if time.form not in {"hour", "clock", "relative"} or time.grain > Grain.HOUR:
        return None

    if isinstance(time.series, Daily):
        stretches = tuple(
            ((start + 60 * minutes) % 86400, (start + 60 * minutes) % 86400 + 60)
            for start, _ in time.series.stretches
        )
        return Time(Daily(Grain.MINUTE, tuple(sorted(stretches))), "clock", half_day=time.half_day)

    def change(item: Interval) -> Interval:
        return unit(shift(item.start, Grain.MINUTE, minutes), Grain.MINUTE)

    return Time(Mapped(time.series, change, Grain.MINUTE, timedelta(days=1)), "clock")


_FRACTION = r"(?:an?\s+)?quarter|half|(?:a\s+)?half"


@rule(
    r"(?:for\s+)?((?:an?\s+)?quarter|(?:a\s+)?half)\s+(past|after|to|before|till|til|of|from)",
    "<time>",
)
def _(context: Context, match: Match, time: Time) -> Time | None:
    minutes = 15 if "quarter" in match[1].lower() else 30
    after = match[2].lower() in {"past", "after", "from"}
    return _minutes(time, minutes if after else -minutes)


@rule(r"half", "<time>", cost=1.5)
def _(context: Context, match: Match, time: Time) -> Time | None:
    return _minutes(time, 30) if time.form == "hour" and time.latent else None


@rule("<number>", r"(?:minutes?|mins?)?\s*(past|after|to|before|till|til)", "<time>", cost=4)
def _(context: Context, number: int, match: Match, time: Time) -> Time | None:
    if not 1 <= number <= 59 or time.form not in {"hour", "clock"} or time.grain is not Grain.HOUR:
        return None
    return _minutes(time, number if match[1].lower() in {"past", "after"} else -number)


@rule("<number>", r"(?:minutes?|mins?)\s+(past|after|to|before|till|til|from)", "<time>")
def _(context: Context, number: int, match: Match, time: Time) -> Time | None:
    if not 1 <= number <= 59 or time.grain > Grain.HOUR:
        return None
    return _minutes(time, number if match[1].lower() in {"past", "after", "from"} else -number)


@rule(r"(?:the\s+)?(?:mid[\s-]?day|noon)")
def _(context: Context, match: Match) -> Time:
    return Time(Daily(Grain.HOUR, ((43200, 46800),)), "hour")


@rule(r"mid[\s-]?night|eod\s+midnight")
def _(context: Context, match: Match) -> Time:
    return Time(Daily(Grain.HOUR, ((0, 3600),)), "hour", not_now=True)
