"""Whether a document writes its dates as it should."""

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, field_validator

from assay.patterns import lazy_pattern
from assay.units.fallbacks.mentions import EveryMention
from assay.units.fields import Date
from assay.units.unit import Computed, Question, Unit

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
#: What each part of a format stands for, the longer parts first.
_PARTS = {
    "YYYY": r"\d{4}",
    "YY": r"\d{2}",
    "MMMM": f"(?:{_MONTHS})",
    "MMM": f"(?:{'|'.join(month[:3] for month in _MONTHS.split('|'))})",
    "MM": r"(?:0[1-9]|1[0-2])",
    "M": r"(?:[1-9]|1[0-2])",
    "DD": r"(?:0[1-9]|[12]\d|3[01])",
    "D": r"(?:[1-9]|[12]\d|3[01])",
}
_PART = lazy_pattern("|".join(sorted(_PARTS, key=len, reverse=True)))


def format_pattern(date_format: str) -> re.Pattern[str]:
    """What matches a date that is written so; all but the parts stands for itself."""
    pieces, end = [], 0
    for match in _PART.finditer(date_format):
        pieces += [re.escape(date_format[end : match.start()]), _PARTS[match[0]]]
        end = match.end()
    return re.compile("".join([*pieces, re.escape(date_format[end:])]))


def _violations(operands: Mapping[str, Any], arguments: Mapping[str, Any]) -> list[str]:
    pattern = format_pattern(arguments["format"])
    return [date["text"] for date in operands["dates"] if not pattern.fullmatch(date["text"])]


def _is_valid(operands: Mapping[str, Any], _arguments: Mapping[str, Any]) -> bool:
    return not operands["violations"]


class Format(BaseModel):
    model_config = ConfigDict(extra="forbid")
    format: str = "YYYY-MM-DD"

    @field_validator("format")
    @classmethod
    def _has_parts(cls, value: str) -> str:
        if not {"Y", "M", "D"} <= {part[0] for part in _PART.findall(value)}:
            raise ValueError("a date format has YYYY or YY, a month (M to MMMM), and D or DD")
        return value


class Dates(BaseModel):
    dates: Annotated[
        list[Date] | None,
        Question(
            "Which dates does this text name?",
            text_zh="文中提到哪些日期？",
            keywords={"date": 1.0, "dated": 1.0, "日期": 1.0, "年": 0.5},
            num_segments=4,
            max_items=12,
            max_tokens=240,
            fallbacks=(EveryMention(Date),),
        ),
    ] = None
    violations: Annotated[list[str] | None, Computed(of=("dates",), function=_violations)] = None
    valid: Annotated[bool | None, Computed(of=("violations",), function=_is_valid)] = None


UNIT = Unit(
    name="validate_date_format",
    summary="Whether the dates are written in the format asked for, and which are not.",
    output=Dates,
    arguments=Format,
    triggers=("date format", "format of dates", "dates written", "日期格式"),
)
