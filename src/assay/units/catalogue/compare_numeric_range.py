"""Whether a number that a document gives lies between two limits."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from assay.normalize.number import find_numbers, read_number
from assay.patterns import lazy_pattern
from assay.units.fallbacks.labelled import LabelledValue, NearbyValue
from assay.units.fields import Date, Grounded, Money, Percentage, spans_of
from assay.units.unit import Computed, Question, Unit
from assay.units.validators import not_blank

_HAS_DIGIT = lazy_pattern(r"\d|[十百千万亿]")

Standing = Literal["below", "within", "above"]


class Quantity(Grounded):
    """A number, an amount of money or a percentage; `number` is a decimal string: of "12%", 12."""

    kind = "number"
    number: str | None = None

    @classmethod
    def readings(cls, text: str) -> tuple[Self, ...]:
        numbers = [item.amount for item in Money.readings(text)]
        numbers = numbers or [item.percent for item in Percentage.readings(text)]
        numbers = numbers or [format(value, "f") for value in read_number(text).values]
        return tuple(cls(text=text, number=number) for number in dict.fromkeys(numbers))

    @classmethod
    def find(cls, text: str) -> Iterable[tuple[int, int]]:
        # A lone numeral is more often a word ("一日", "one of") than a number that is asked for.
        bare = (span for span in spans_of(find_numbers(text)) if _HAS_DIGIT.search(text, *span))
        spans = {*Money.find(text), *Percentage.find(text), *bare}
        dates = set(Date.find(text))
        end = -1
        for span in sorted(spans | dates, key=lambda span: (span[0], -span[1])):
            if span[0] >= end:
                end = span[1]
                if span not in dates:
                    yield span


def _compare(operands: Mapping[str, Any], arguments: Mapping[str, Any]) -> Standing | None:
    number = operands["value"]["number"]
    if number is None:
        return None
    low, high = arguments["low"], arguments["high"]
    if low is not None and Decimal(number) < low:
        return "below"
    return "above" if high is not None and Decimal(number) > high else "within"


class Range(BaseModel):
    """`what` is told by its words in the document. Both limits belong to the range."""

    model_config = ConfigDict(extra="forbid")
    what: str = Field(min_length=1)
    low: Decimal | None = None
    high: Decimal | None = None

    @model_validator(mode="after")
    def _is_a_range(self) -> Self:
        if self.low is None and self.high is None:
            raise ValueError("give low, high or both")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError("low is above high")
        return self


class Comparison(BaseModel):
    value: Annotated[
        Quantity | None,
        Question(
            "Which number is the $what?",
            text_zh="$what是多少？",
            keywords_from=("what",),
            num_segments=3,
            max_tokens=48,
            validators=(not_blank,),
            fallbacks=(LabelledValue(Quantity, "what"), NearbyValue(Quantity, "what")),
        ),
    ] = None
    standing: Annotated[Standing | None, Computed(of=("value",), function=_compare)] = None


UNIT = Unit(
    name="compare_numeric_range",
    summary="Whether a number that the document gives is below, within or above a range.",
    output=Comparison,
    arguments=Range,
    triggers=("in range", "within limits", "at least", "at most", "exceed", "是否超过", "范围内"),
)
