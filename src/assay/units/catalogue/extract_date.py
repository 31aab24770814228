"""When an agreement was made, when it takes effect, and when it ends."""

import re
from calendar import monthrange
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Annotated, Any, Self

from pydantic import BaseModel

from assay.patterns import lazy_pattern
from assay.units.fallbacks.date import DateFallback, DateHeuristic
from assay.units.fallbacks.term import is_open_ended, years_to_anniversary
from assay.units.fields import Date, Grounded, Period
from assay.units.unit import Computed, Question, Unit
from assay.units.validators import not_blank

# Any date of a text can be chosen for any of these; an answer that no rule bears out must be surer
# than elsewhere to count. A term is told in more ways than the rules are sure of.
_FLOOR, _FLOOR_EXPIRY = 0.5, 0.4
_NOTICE = lazy_pattern(r"\b(?:days?|weeks?|months?)\W{0,3}(?:\w+\s+){0,3}notice\b", re.IGNORECASE)


def _has_a_year(value: Any, _quotes: tuple[str, ...]) -> str | None:
    """A day without its year dates no agreement."""
    if isinstance(value, dict) and str(value.get("iso") or "").startswith("--"):
        return "a day without its year"
    return None


class Expiry(Grounded):
    """The end of a term: a date (`iso`), the length of the term (`duration`), or words alone
    ("until the last order is filled"). `perpetual`: it runs until somebody ends it."""

    kind = "date or period"
    iso: str | None = None
    duration: str | None = None
    perpetual: bool = False

    @classmethod
    def readings(cls, text: str) -> tuple[Self, ...]:
        dates = [cls(text=text, iso=item.iso) for item in Date.readings(text)]
        periods = [
            cls(text=text, duration=item.duration, perpetual=item.perpetual)
            for item in Period.readings(text)
        ]
        if periods and is_open_ended(text) and _NOTICE.search(text):
            periods = []  # "until terminated by thirty days' notice": the notice's, not the term's
        if not (dates or periods) and (years := years_to_anniversary(text)):
            periods = [cls(text=text, duration=f"P{years}Y")]
        return tuple(dates or periods or [cls(text=text, perpetual=is_open_ended(text))])

    @classmethod
    def find(cls, text: str) -> Iterable[tuple[int, int]]:
        spans = sorted({*Date.find(text), *Period.find(text)})
        end = -1
        for span in spans:
            if span[0] >= end:
                yield span
                end = span[1]


# A term counted from the effective date, by whatever words; others begin with an event.
_FROM_ITS_START = lazy_pattern(
    r"\b(?:from|after|following|of|commencing|beginning|starting)\b.*\b(?:effective|commencement"
    r"|(?:date\s+)?hereof|thereof|date\s+of\s+this|above)\b|自(?:本(?:合同|协议))?(?:生效|签订)",
    re.IGNORECASE | re.DOTALL,
)
_DURATION = lazy_pattern(r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?")


def _term_over(operands: Mapping[str, Any], _arguments: Mapping[str, Any]) -> str | None:
    """The day on which a term is over: the one that is told, or that which lies the length of the
    term behind the effective date, if that is what the words count from."""
    start, end = operands["effective"], operands["expiry"]
    if end["iso"]:
        return str(end["iso"])
    length = _DURATION.fullmatch(end["duration"] or "")
    if length is None or len(start["iso"] or "") < len("2031-05-03"):
        return None
    if not _FROM_ITS_START.search(end["text"]):
        return None
    years, months, weeks, days = (int(part or 0) for part in length.groups())
    begun = date.fromisoformat(start["iso"])
    year, month = divmod(12 * (begun.year + years) + begun.month - 1 + months, 12)
    if not date.min.year <= year < date.max.year:
        return None
    last = min(begun.day, monthrange(year, month + 1)[1])
    return (date(year, month + 1, last) + timedelta(days=7 * weeks + days)).isoformat()


class Dates(BaseModel):
    agreement: Annotated[
        Date | None,
        Question(
            "On what date was this agreement made, dated or signed?",
            text_zh="本合同的签订日期是哪一天？",
            keywords={"dated": 1.0, "made": 0.5, "entered into": 1.5, "as of": 1.5, "签订": 2.0},
            head=5.0,
            tail=1.0,
            num_segments=4,
            max_tokens=48,
            validators=(not_blank, _has_a_year),
            floor=_FLOOR,
            fallbacks=(DateFallback(kind="agreement"), DateHeuristic(kind="agreement")),
        ),
    ] = None
    effective: Annotated[
        Date | None,
        Question(
            "On what date does this agreement take effect (the effective date)?",
            text_zh="本合同自哪一天起生效？",
            keywords={
                "effective date": 2.0,
                "commencement date": 1.5,
                "shall commence": 1.0,
                "effective as of": 2.0,
                "生效": 2.0,
            },
            head=4.0,
            num_segments=3,
            max_tokens=48,
            validators=(not_blank, _has_a_year),
            floor=_FLOOR,
            fallbacks=(DateFallback(kind="effective"), DateHeuristic(kind="effective")),
        ),
    ] = None
    expiry: Annotated[
        Expiry | None,
        Question(
            "On what date, or after what period, does the term of this agreement end?",
            text_zh="本合同的有效期至何时届满？",
            keywords={
                "term of this agreement": 2.0,
                "shall expire": 2.0,
                "expiration": 1.5,
                "initial term": 2.0,
                "remain in effect": 1.5,
                "continue": 0.7,
                "until": 0.7,
                "有效期": 2.0,
                "届满": 2.0,
            },
            num_segments=3,
            max_tokens=48,
            validators=(not_blank, _has_a_year),
            floor=_FLOOR_EXPIRY,
            fallbacks=(DateFallback(kind="expiry"), DateHeuristic(kind="expiry")),
        ),
    ] = None
    term_over: Annotated[str | None, Computed(of=("effective", "expiry"), function=_term_over)] = (
        None
    )


UNIT = Unit(
    name="extract_date",
    summary="The dates of an agreement: made, effective, end or length, and when its term is over.",
    output=Dates,
    suits=("contract", "any"),
    triggers=("date", "when", "effective", "expire", "expiry", "signed on", "日期", "生效", "到期"),
)
