"""Which units must run so that others can be computed from their results."""

from __future__ import annotations

from collections.abc import Sequence

from assay.errors import UnitDeclarationError, UnknownUnitError
from assay.units import Task, Unit, get_unit


def find_needed(units: Sequence[Unit]) -> list[Unit]:
    """The units that `units`, or those found already, are computed from, each once. One that is
    asked for is needed too: what others are computed from is its run without arguments.

    Raises:
        UnitDeclarationError: one is not in the catalogue or lacks the field, must be given
            arguments, or needs itself.
    """
    needed: dict[str, Unit] = {}
    for unit in units:
        _follow(unit, (unit.name,), needed)
    return list(needed.values())


def count_questions(tasks: Sequence[Task]) -> int:
    """How many questions a model may be asked for these tasks and what they are computed from."""
    units = [task.unit for task in tasks]
    needed = [unit for unit in find_needed(units) if unit not in units]
    return sum(len(unit.fields) for unit in (*units, *needed))


def _follow(unit: Unit, path: tuple[str, ...], needed: dict[str, Unit]) -> None:
    for name in unit.uses:
        if name in path:
            raise UnitDeclarationError(f"{' -> '.join((*path, name))}: a unit cannot need itself")
        found = _find(unit, name)
        needed[name] = found
        _follow(found, (*path, name), needed)


def _find(unit: Unit, name: str) -> Unit:
    try:
        found = get_unit(name)
    except UnknownUnitError as error:
        raise UnitDeclarationError(
            f"{unit.name} is computed from {name}, which is no unit", remedy=error.remedy
        ) from None
    for item in unit.computed.values():
        for operand in item.operands:
            if operand.unit == name and operand.field not in found.field_names:
                raise UnitDeclarationError(
                    f"{item.family} is computed from {operand.name!r}, which is not there"
                )
    if found.required_arguments:
        raise UnitDeclarationError(
            f"{unit.name} is computed from {name}, which must be given arguments"
        )
    return found
