"""Units in files of the user's own: YAML, or Python where the user writes the code that runs."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from assay.errors import UnitDeclarationError
from assay.units.declared import load_unit
from assay.units.unit import Unit

SUFFIXES = (".yaml", ".yml", ".py")


def units_folders() -> tuple[Path, ...]:
    """The folders that `ASSAY_UNITS` names, as `PATH` names them.

    Raises:
        UnitDeclarationError: one of them is not there.
    """
    names = [name for name in os.environ.get("ASSAY_UNITS", "").split(os.pathsep) if name]
    folders = tuple(Path(name).expanduser() for name in names)
    for folder in folders:
        if not folder.is_dir():
            raise UnitDeclarationError(
                f"{folder} is no folder", remedy="ASSAY_UNITS names folders with units"
            )
    return folders


def read_unit(path: Path) -> Unit:
    """The unit that a file declares: YAML, or a Python module with a `UNIT`, which is run.

    Raises:
        UnitDeclarationError: it declares none; the message says why.
    """
    if path.suffix != ".py":
        return load_unit(path)
    spec = importlib.util.spec_from_file_location(f"assay_units_{path.stem}", path)
    if spec is None or spec.loader is None or not path.is_file():
        raise UnitDeclarationError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except UnitDeclarationError as error:
        raise UnitDeclarationError(f"{path}: {error.message}", remedy=error.remedy) from None
    except Exception as error:
        raise UnitDeclarationError(f"{path}: {type(error).__name__}: {error}") from error
    unit = getattr(module, "UNIT", None)
    if not isinstance(unit, Unit):
        raise UnitDeclarationError(f"{path} declares no UNIT")
    return unit
