"""Which of two periods in a document is longer."""

from calendar import monthrange
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from assay.patterns import lazy_pattern
from assay.units.fallbacks.labelled import LabelledValue, NearbyValue
from assay.units.fields import Period
from assay.units.unit import Computed, Question, Unit
from assay.units.validators import not_blank

Order = Literal["shorter", "equal", "longer", "undecided"]

_DURATION = lazy_pattern(r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T.*)?")
_FOREVER = (10**6, 0)
#: The lengths of months through two cycles of leap years.
_MONTHS = [monthrange(2021 + month // 12, month % 12 + 1)[1] for month in range(96)]


def _compare(operands: Mapping[str, Any], _arguments: Mapping[str, Any]) -> Order | None:
    first, second = (_length(operands[name]) for name in ("first", "second"))
    if first is None or second is None:
        return None
    if first == second:
        return "equal"
    (least, most), (other_least, other_most) = _days(first), _days(second)
    if most < other_least:
        return "shorter"
    return "longer" if least > other_most else "undecided"


def _length(period: Mapping[str, Any]) -> tuple[int, int] | None:
    """In months and days."""
    if period["perpetual"]:
        return _FOREVER
    match = _DURATION.fullmatch(period["duration"] or "")
    if match is None:
        return None
    years, months, weeks, days = (int(part or 0) for part in match.groups())
    return 12 * years + months, 7 * weeks + days


def _days(length: tuple[int, int]) -> tuple[int, int]:
    """The least and the most days that so many months and days come to, wherever they begin."""
    months, days = length
    cycles, rest = divmod(months, len(_MONTHS) // 2)
    runs = [sum(_MONTHS[start : start + rest]) for start in range(len(_MONTHS) // 2)]
    whole = cycles * sum(_MONTHS) // 2 + days
    return whole + min(runs), whole + max(runs)


class Periods(BaseModel):
    """Both are told by their words in the document."""

    model_config = ConfigDict(extra="forbid")
    first: str = Field(min_length=1)
    second: str = Field(min_length=1)


def _ask(argument: str) -> Question:
    return Question(
        f"How long is the ${argument}?",
        text_zh=f"${argument}是多长时间？",
        keywords_from=(argument,),
        num_segments=3,
        max_tokens=48,
        validators=(not_blank,),
        fallbacks=(LabelledValue(Period, argument), NearbyValue(Period, argument)),
    )


class Comparison(BaseModel):
    first: Annotated[Period | None, _ask("first")] = None
    second: Annotated[Period | None, _ask("second")] = None
    first_is: Annotated[Order | None, Computed(of=("first", "second"), function=_compare)] = None


UNIT = Unit(
    name="compare_periods",
    summary="Whether one period of a document is shorter or longer than another.",
    output=Comparison,
    arguments=Periods,
    triggers=("longer than", "shorter than", "compare periods", "哪个更长", "期限比较"),
)
