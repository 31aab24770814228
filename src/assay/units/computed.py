"""Fields that are worked out from others, never generated.

::

    class Range(BaseModel):
        number: Annotated[Number | None, Question("What is the $what?", …)] = None
        within: Annotated[bool | None, Computed(of=("number",), function=is_within)] = None

A function sees values only after they were copied from the document and read as what they are, and
works in `Decimal` or dates. Its operands' quotations are its evidence.
"""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from assay.types import FieldResult, Status

#: From the values of the operands, by name as in `of`, and the unit's arguments, to a JSON value;
#: None where they do not say.
Function = Callable[[Mapping[str, Any], Mapping[str, Any]], Any]

#: Operands that are open are tried in so many combinations, no more.
MAX_COMBINATIONS = 64


@dataclass(frozen=True, slots=True)
class Computed:
    """Marks a field as `function` of other fields: `of` names fields of the same unit, or
    `UNIT.FIELD` of another, which is then run as well."""

    of: tuple[str, ...]
    function: Function


@dataclass(frozen=True, slots=True)
class Operand:
    """A field by name, of another unit if `unit` is not None."""

    name: str
    unit: str | None
    field: str


@dataclass(frozen=True, slots=True)
class ComputedField:
    """A computed field of a unit's output; `family` as of a `UnitField`."""

    name: str
    mark: Computed
    family: str

    @property
    def operands(self) -> tuple[Operand, ...]:
        parts = (name.rpartition(".") for name in self.mark.of)
        return tuple(
            Operand(name, unit or None, field)
            for name, (unit, _, field) in zip(self.mark.of, parts, strict=True)
        )


def compute(
    item: ComputedField, operands: Mapping[str, FieldResult], arguments: Mapping[str, Any]
) -> FieldResult:
    """The field from its operands' results, by name as in `of`.

    - An operand that failed fails it, one that is absent leaves it absent.
    - Where operands have several readings, it has one value if all lead to it, else is ambiguous.
    - It is as sure as the least sure of its operands.
    """
    results = list(operands.values())
    for result in results:
        if result.status is Status.ERROR:
            return FieldResult(Status.ERROR, None, (), 0.0, None, result.error)
    missing = [result for result in results if result.value is None]
    if missing:
        surest = max(missing, key=lambda result: result.confidence)
        return FieldResult(Status.ABSENT, None, (), surest.confidence, surest.path, surest.error)
    weakest = min(results, key=lambda result: result.confidence)
    readings = _distinct(
        item.mark.function(values, arguments) for values in _combinations(operands)
    )
    spans = {(quote.start, quote.end): quote for result in results for quote in result.evidence}
    evidence = tuple(replace(quote, pointer=f"/{item.name}") for quote in spans.values())
    if len(readings) > 1:
        candidates = ({"pointer": "", "readings": readings},)
        return FieldResult(
            Status.AMBIGUOUS, None, evidence, weakest.confidence, weakest.path, None, candidates
        )
    if readings[0] is None:
        return FieldResult(Status.ABSENT, None, (), weakest.confidence, weakest.path)
    return FieldResult(Status.OK, readings[0], evidence, weakest.confidence, weakest.path)


def _combinations(operands: Mapping[str, FieldResult]) -> Iterator[dict[str, Any]]:
    variants = [list(_variants(result)) for result in operands.values()]
    chosen = itertools.islice(itertools.product(*variants), MAX_COMBINATIONS)
    return (dict(zip(operands, values, strict=True)) for values in chosen)


def _variants(result: FieldResult) -> Iterator[Any]:
    """The values that a result may stand for: one for each choice of readings."""
    places = [item["pointer"] for item in result.candidates]
    for readings in itertools.product(*(item["readings"] for item in result.candidates)):
        value = copy.deepcopy(result.value)
        for pointer, reading in zip(places, readings, strict=True):
            value = _with(value, pointer, reading)
        yield value


def _with(value: Any, pointer: str, reading: Any) -> Any:
    """`value` with `reading` where the JSON pointer says; changes it in place but at the root."""
    *path, last = pointer.split("/")
    if not path:
        return reading
    place = value
    for key in path[1:]:
        place = place[int(key)] if isinstance(place, list) else place[key]
    place[int(last) if isinstance(place, list) else last] = reading
    return value


def _distinct(values: Iterator[Any]) -> list[Any]:
    return list({json.dumps(value, sort_keys=True): value for value in values}.values())
