"""One unit with its arguments: what an analysis has to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from assay.errors import UnitArgumentError
from assay.units.chain import Chain
from assay.units.unit import Unit


@dataclass(frozen=True)
class Task:
    """A unit to run, and the arguments that it is run with, by name.

    `name` is that of its result; two tasks of one unit need names of their own. Arguments that are
    left out take their defaults. `chain` says who answers, in which order; None leaves it
    to the unit.

    Raises:
        UnitArgumentError: the unit takes no such argument, lacks one, or its value is of another
            type; the message says which.
    """

    unit: Unit
    arguments: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    chain: Chain | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", self.name or self.unit.name)
        object.__setattr__(self, "arguments", _checked(self.unit, self.arguments))


def _checked(unit: Unit, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    if unit.arguments is None:
        if arguments:
            raise UnitArgumentError(
                f"{unit.name} takes no arguments, and was given {sorted(arguments)}"
            )
        return {}
    known = unit.arguments.model_fields
    remedy = f"{unit.name} takes {', '.join(known)}"
    if unknown := sorted(set(arguments) - set(known)):
        raise UnitArgumentError(f"{unit.name} has no argument {unknown[0]!r}", remedy=remedy)
    try:
        return unit.arguments.model_validate(dict(arguments)).model_dump()
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(map(str, first["loc"])) or unit.name
        raise UnitArgumentError(f"{name}: {first['msg']}", remedy=remedy) from None
