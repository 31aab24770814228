"""How often the units are right on labelled data, value and evidence both."""

from assay.evaluation.base import (
    Ask,
    Case,
    Counts,
    EvaluationSet,
    Finding,
    Place,
    PlainQuestion,
)
from assay.evaluation.sets import all_sets, get_set

__all__ = [
    "Ask",
    "Case",
    "Counts",
    "EvaluationSet",
    "Finding",
    "Place",
    "PlainQuestion",
    "all_sets",
    "get_set",
]
