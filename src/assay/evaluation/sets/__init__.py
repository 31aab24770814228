"""The public data sets that Assay is evaluated on: one file each, found by being here.

A module of this package declares its set as `SET`. Nothing else has to be told of it.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache

from assay.errors import ConfigError
from assay.evaluation.base import EvaluationSet


@cache
def all_sets() -> tuple[EvaluationSet, ...]:
    """Every set, by name."""
    found: list[EvaluationSet] = [
        importlib.import_module(f"{__name__}.{module.name}").SET
        for module in pkgutil.iter_modules(__path__)
    ]
    return tuple(sorted(found, key=lambda item: item.name))


def get_set(name: str) -> EvaluationSet:
    """The set of this name.

    Raises:
        ConfigError: there is none; the remedy names those there are.
    """
    names = {item.name: item for item in all_sets()}
    if name not in names:
        raise ConfigError(
            f"there is no evaluation set {name!r}", remedy=f"one of {', '.join(names)}"
        )
    return names[name]
