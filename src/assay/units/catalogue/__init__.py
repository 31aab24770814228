"""The units that come with Assay: one file each, found by being here.

A module of this package declares its unit as `UNIT`. Nothing else has to be told of it. Files in
the folders that `ASSAY_UNITS` names are units as well (`units.files`).
"""

from __future__ import annotations

import difflib
import importlib
import os
import pkgutil
from collections.abc import Iterator
from functools import cache

from assay.errors import UnitDeclarationError, UnknownUnitError
from assay.units.unit import Unit


@cache
def all_units() -> tuple[Unit, ...]:
    """Every unit of the catalogue and of the folders in `ASSAY_UNITS`, by name.

    Raises:
        UnitDeclarationError: a file declares no unit, or two declare the same name.
    """
    units: dict[str, Unit] = {}
    for source, unit in _declared():
        if unit.name in units:
            raise UnitDeclarationError(f"two files declare the unit {unit.name}, one is {source}")
        units[unit.name] = unit
    return tuple(sorted(units.values(), key=lambda unit: unit.name))


def _declared() -> Iterator[tuple[str, Unit]]:
    """Each unit and the file that declares it."""
    for name in _module_names():
        yield f"catalogue/{name}.py", _load(name)
    if "ASSAY_UNITS" not in os.environ:
        return
    from assay.units.files import SUFFIXES, read_unit, units_folders

    for folder in units_folders():
        for path in sorted(folder.iterdir()):
            if path.suffix in SUFFIXES and not path.name.startswith(("_", ".", "test_")):
                yield str(path), read_unit(path)


def _module_names() -> tuple[str, ...]:
    return tuple(module.name for module in pkgutil.iter_modules(__path__))


def _load(name: str) -> Unit:
    unit = getattr(importlib.import_module(f"{__name__}.{name}"), "UNIT", None)
    if not isinstance(unit, Unit):
        raise UnitDeclarationError(f"catalogue/{name}.py declares no UNIT")
    return unit


def get_unit(name: str) -> Unit:
    """The unit of this name.

    Raises:
        UnknownUnitError: there is none; the remedy names those with a similar name.
    """
    if "ASSAY_UNITS" not in os.environ and name in _module_names():
        return _load(name)  # named as its file is: the others need not be loaded
    names = {unit.name: unit for unit in all_units()}
    if name in names:
        return names[name]
    wanted = name.strip().lower().replace("-", "_")
    near = difflib.get_close_matches(wanted, names, n=3, cutoff=0.5)
    near += [other for other in names if wanted and wanted in other and other not in near]
    remedy = f"did you mean {' or '.join(near)}?" if near else "`assay units` lists them"
    raise UnknownUnitError(f"there is no unit named {name!r}", remedy=remedy)
