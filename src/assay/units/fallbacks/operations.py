"""What is computed from figures quoted in a document, in Decimal."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from types import MappingProxyType
from typing import Literal

from assay.units.fallbacks.tables import read_figure

Operation = Literal["quote", "change", "growth", "sum", "average", "share", "ratio", "count"]
_HUNDREDTH = Decimal("0.01")
Figures = Sequence[Decimal]

_COMPUTE: Mapping[str, Callable[[Figures], Decimal]] = MappingProxyType(
    {
        "change": lambda figures: figures[0] - figures[1],
        "growth": lambda figures: (figures[0] - figures[1]) / figures[1] * 100,
        "sum": lambda figures: sum(figures, Decimal()),
        "average": lambda figures: sum(figures, Decimal()) / len(figures),
        "share": lambda figures: figures[0] / figures[1] * 100,
        "ratio": lambda figures: figures[0] / figures[1],
    }
)


def compute(operation: str, operands: Sequence[str]) -> str | None:
    """What an operation makes of its operands as they are written: a decimal string, at most two
    places where it divides. None where there is nothing to compute, or no way to."""
    if operation == "count":
        return str(len(operands))
    figures = [number for text in operands if (number := read_figure(text)[0]) is not None]
    wanted = 1 if operation in ("sum", "average") else 2
    if operation not in _COMPUTE or len(figures) != len(operands) or len(figures) < wanted:
        return None
    if operation in ("growth", "share", "ratio") and figures[1] == 0:
        return None
    number = _COMPUTE[operation](figures)
    if operation not in ("change", "sum"):
        number = number.quantize(_HUNDREDTH, ROUND_HALF_UP)
    return format(number, "f")
