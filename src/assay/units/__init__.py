"""Atomic analysis units: the smallest questions a business asks of a document."""

from assay.units.catalogue import all_units, get_unit
from assay.units.computed import Computed
from assay.units.fields import (
    Clause,
    Date,
    Grounded,
    Identifier,
    Money,
    Number,
    Percentage,
    Period,
    Verbatim,
)
from assay.units.question import Example, Question, Validator
from assay.units.task import Task
from assay.units.unit import Unit, UnitField

__all__ = [
    "Clause",
    "Computed",
    "Date",
    "Example",
    "Grounded",
    "Identifier",
    "Money",
    "Number",
    "Percentage",
    "Period",
    "Question",
    "Task",
    "Unit",
    "UnitField",
    "Validator",
    "Verbatim",
    "all_units",
    "get_unit",
]
