"""The types a unit's output is made of, and how each is written by a model and read back.

A model only ever copies: every leaf is a span of the document. What follows from the span (an ISO
date, an amount, a currency code) is computed by `assay.normalize`, never generated.

- `Verbatim`: a string copied word by word.
- `Clause`: a string copied sentence by sentence.
- `Grounded` subclasses (`Date`, `Money`, `Percentage`, `Period`): a span that reads as that kind
  of value, with its normalised form beside it.
- `Literal`, `bool`, lists of the above, pydantic models of the above, and `X | None`.
"""

from __future__ import annotations

import types
import typing
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, Self, Union, get_args, get_origin

import pydantic
from pydantic import BaseModel, ConfigDict

from assay.errors import UnitDeclarationError
from assay.normalize import date as dates
from assay.normalize import money as moneys
from assay.normalize import percentage as percentages
from assay.normalize import period as periods
from assay.normalize.reading import Mention

Granularity = Literal["char", "word", "sentence"]


@dataclass(frozen=True, slots=True)
class CopiedFrom:
    """Marks a `str` as a span of the document, cut at this granularity."""

    granularity: Granularity


Verbatim = Annotated[str, CopiedFrom("word")]
Clause = Annotated[str, CopiedFrom("sentence")]


class Grounded(BaseModel, ABC):
    """A span of the document that reads as one kind of value.

    Subclasses say what reads (`readings`) and where such spans stand in a text (`find`). Several
    readings of one span make the answer ambiguous; none makes it invalid.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    #: What the kind is called in an error or a prompt.
    kind: ClassVar[str] = "value"

    text: Verbatim

    @classmethod
    @abstractmethod
    def readings(cls, text: str) -> tuple[Self, ...]:
        """The values that `text` may stand for; empty if it does not read as this kind."""

    @classmethod
    @abstractmethod
    def find(cls, text: str) -> Iterable[tuple[int, int]]:
        """The spans of `text` that read as this kind, in order, not overlapping."""


def spans_of(mentions: Iterable[Mention[Any]]) -> list[tuple[int, int]]:
    """Where mentions stand."""
    return [(mention.start, mention.end) for mention in mentions]


class Date(Grounded):
    """A calendar date; `iso` is `YYYY-MM-DD`. What the text leaves open is left out: `YYYY-MM`,
    `YYYY`, and `--MM-DD` for a day without its year."""

    kind = "date"
    iso: str | None = None

    @classmethod
    def readings(cls, text: str) -> tuple[Self, ...]:
        return tuple(cls(text=text, iso=value) for value in dates.read_date(text).values)

    @classmethod
    def find(cls, text: str) -> Iterable[tuple[int, int]]:
        return spans_of(dates.find_dates(text))


class Period(Grounded):
    """A length of time; `duration` is ISO 8601 (`P30D`), None if `perpetual`. `business_days` says
    that its days are working days."""

    kind = "period"
    duration: str | None = None
    perpetual: bool = False
    business_days: bool = False

    @classmethod
    def readings(cls, text: str) -> tuple[Self, ...]:
        return tuple(
            cls(
                text=text,
                duration=value.duration,
                perpetual=value.perpetual,
                business_days=value.business_days,
            )
            for value in periods.read_period(text).values
        )

    @classmethod
    def find(cls, text: str) -> Iterable[tuple[int, int]]:
        return spans_of(periods.find_periods(text))


class Money(Grounded):
    """An amount of money; `amount` is a decimal string, `currency` an ISO 4217 code."""

    kind = "amount of money"
    amount: str | None = None
    currency: str | None = None

    @classmethod
    def readings(cls, text: str) -> tuple[Self, ...]:
        return tuple(
            cls(text=text, amount=format(value.amount, "f"), currency=code)
            for value in moneys.read_money(text).values
            for code in (value.currency_candidates or (value.currency,))
        )

    @classmethod
    def find(cls, text: str) -> Iterable[tuple[int, int]]:
        return spans_of(moneys.find_money(text))


class Percentage(Grounded):
    """A share in percent; `percent` is a decimal string ("1.5" for 1.5%)."""

    kind = "percentage"
    percent: str | None = None

    @classmethod
    def readings(cls, text: str) -> tuple[Self, ...]:
        return tuple(
            cls(text=text, percent=format(value, "f"))
            for value in percentages.read_percentage(text).values
        )

    @classmethod
    def find(cls, text: str) -> Iterable[tuple[int, int]]:
        return spans_of(percentages.find_percentages(text))


# ---------------------------------------------------------------------------------------------
# From a type to what the model writes


def strip_optional(annotation: Any) -> tuple[Any, bool]:
    """`X | None` -> `(X, True)`; anything else -> `(annotation, False)`."""
    if get_origin(annotation) in (Union, types.UnionType):
        rest = [item for item in get_args(annotation) if item is not type(None)]
        if len(rest) < len(get_args(annotation)):
            return (rest[0] if len(rest) == 1 else Union[tuple(rest)]), True  # noqa: UP007
    return annotation, False


def copied_granularity(annotation: Any) -> Granularity | None:
    """The granularity of a plain copied leaf; None if the type is not one."""
    if get_origin(annotation) is Annotated:
        for item in get_args(annotation)[1:]:
            if isinstance(item, CopiedFrom):
                return item.granularity
    return None


def is_model(annotation: Any) -> bool:
    """Whether a type is an object of several leaves."""
    return (
        isinstance(annotation, type)
        and issubclass(annotation, BaseModel)
        and not issubclass(annotation, Grounded)
    )


def model_fields(model: type[BaseModel]) -> Mapping[str, Any]:
    """Each field's full annotation, `Annotated` marks included."""
    hints = typing.get_type_hints(model, include_extras=True)
    return {name: hints[name] for name in model.model_fields}


def grounded_kinds(annotation: Any) -> frozenset[type[Grounded] | None]:
    """The kinds of leaf under a type: each `Grounded` class, and None for plain copied text."""
    annotation, _ = strip_optional(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Grounded):
        return frozenset({annotation})
    if copied_granularity(annotation):
        return frozenset({None})
    if get_origin(annotation) is Annotated:
        return grounded_kinds(get_args(annotation)[0])
    if get_origin(annotation) is list:
        return grounded_kinds(get_args(annotation)[0])
    if is_model(annotation):
        return frozenset().union(
            *(grounded_kinds(item) for item in model_fields(annotation).values())
        )
    return frozenset()


def sole_kind(annotation: Any) -> type[Grounded] | None:
    """The one `Grounded` kind that every copied leaf of a type has; None if they differ."""
    kinds = grounded_kinds(annotation)
    return next(iter(kinds)) if len(kinds) == 1 else None


def generation_schema(annotation: Any, *, max_items: int = 8) -> dict[str, Any]:
    """The JSON Schema of what a model writes for a type: copied leaves as `x-verbatim` strings.

    Where all leaves are of one kind, the sources given beside the schema are whole values of that
    kind, and a leaf is one of them; where kinds are mixed, a leaf is any run of words.

    Raises:
        UnitDeclarationError: the type has a leaf that is neither copied nor a choice.
    """
    annotation, optional = strip_optional(annotation)
    whole: Granularity = "sentence" if sole_kind(annotation) else "word"
    schema = _schema(annotation, max_items, whole)
    return {"anyOf": [schema, {"type": "null"}]} if optional else schema


def _schema(annotation: Any, max_items: int, whole: Granularity) -> dict[str, Any]:
    annotation, optional = strip_optional(annotation)
    if optional:
        return {"anyOf": [_schema(annotation, max_items, whole), {"type": "null"}]}
    if isinstance(annotation, type) and issubclass(annotation, Grounded):
        return {"type": "string", "x-verbatim": whole}
    granularity = copied_granularity(annotation)
    if granularity:
        return {"type": "string", "x-verbatim": granularity}
    origin = get_origin(annotation)
    if origin is Annotated:
        return _schema(get_args(annotation)[0], max_items, whole)
    if origin is list:
        items = _schema(get_args(annotation)[0], max_items, whole)
        return {"type": "array", "items": items, "minItems": 1, "maxItems": max_items}
    if origin is Literal:
        return {"enum": list(get_args(annotation))}
    if annotation is bool:
        return {"type": "boolean"}
    if is_model(annotation):
        properties = {
            name: _schema(item, max_items, whole) for name, item in model_fields(annotation).items()
        }
        return {
            "type": "object",
            "properties": properties,
            "required": list(properties),
            "additionalProperties": False,
        }
    raise UnitDeclarationError(
        f"a unit cannot ask for {annotation!r}",
        remedy="use Verbatim, Clause, Date, Money, Percentage, Period, Literal, bool, "
        "a list or a model of these, or any of them with | None",
    )


# ---------------------------------------------------------------------------------------------
# From what the model wrote to the value


@dataclass(slots=True)
class Lifted:
    """A JSON value made from what was copied, and what is wrong or open about it.

    `ambiguous` maps a JSON pointer to the readings the document leaves open; there the value
    holds what all readings share and None for the rest.
    """

    value: Any
    complaints: list[str] = field(default_factory=list)
    ambiguous: dict[str, list[Any]] = field(default_factory=dict)


def lift(annotation: Any, answer: Any, pointer: str = "") -> Lifted:
    """Turns the copied strings of `answer` into the values of `annotation`."""
    lifted = Lifted(None)
    lifted.value = _lift(strip_optional(annotation)[0], answer, pointer, lifted)
    return lifted


def _lift(annotation: Any, answer: Any, pointer: str, into: Lifted) -> Any:
    annotation, _ = strip_optional(annotation)
    if answer is None:
        return None
    if isinstance(annotation, type) and issubclass(annotation, Grounded):
        readings = [item.model_dump() for item in annotation.readings(answer)]
        if not readings:
            into.complaints.append(
                f"{pointer or 'the answer'} does not read as a {annotation.kind}"
            )
            return {"text": answer, **{k: None for k in annotation.model_fields if k != "text"}}
        if len(readings) > 1:
            into.ambiguous[pointer] = readings
        first = readings[0]
        return {
            key: first[key] if all(r[key] == first[key] for r in readings) else None
            for key in first
        }
    if get_origin(annotation) is Annotated and not copied_granularity(annotation):
        return _lift(get_args(annotation)[0], answer, pointer, into)
    if get_origin(annotation) is list:
        item_type = get_args(annotation)[0]
        return [
            _lift(item_type, item, f"{pointer}/{index}", into) for index, item in enumerate(answer)
        ]
    if is_model(annotation):
        return {
            name: _lift(item, answer.get(name), f"{pointer}/{name}", into)
            for name, item in model_fields(annotation).items()
        }
    return answer


def validate_output(model: type[BaseModel], value: Mapping[str, Any]) -> str | None:
    """Checks a unit's whole value against its output model; returns the complaint, if any."""
    try:
        model.model_validate(value)
    except pydantic.ValidationError as error:
        return str(error.errors(include_url=False, include_context=False)[0]["msg"])
    return None
