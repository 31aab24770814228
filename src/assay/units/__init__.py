"""Atomic analysis units: the smallest questions a business asks of a document."""

from assay.units.catalogue import all_units, get_unit
from assay.units.fields import (
    Clause,
    Date,
    Grounded,
    Money,
    Percentage,
    Period,
    Verbatim,
)
from assay.units.unit import Example, Question, Unit, UnitField, Validator

__all__ = [
    "Clause",
    "Date",
    "Example",
    "Grounded",
    "Money",
    "Percentage",
    "Period",
    "Question",
    "Unit",
    "UnitField",
    "Validator",
    "Verbatim",
    "all_units",
    "get_unit",
]
