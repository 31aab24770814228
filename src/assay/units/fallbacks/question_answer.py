"""Answers a question on a document with a table and paragraphs.

A classifier says what the question asks to be done (`weights/question.npz`, from `assay train
classifiers`); the first solver, by probability, that finds what it needs answers. Nothing is
computed here: the answer names an operation and quotes its operands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from assay.types import AnswerPath
from assay.units.fallbacks.base import Draft, Standing
from assay.units.fallbacks.labels import load_cached
from assay.units.fallbacks.operations import compute
from assay.units.fallbacks.question_cells import Grid
from assay.units.fallbacks.question_chinese import is_chinese, quote_clauses
from assay.units.fallbacks.question_passage import asks_reason, quote_passage
from assay.units.fallbacks.question_spans import Found
from assay.units.fallbacks.question_table import SOLVERS
from assay.units.fallbacks.question_words import Question
from assay.units.fallbacks.tables import find_tables

if TYPE_CHECKING:
    from assay.units.fallbacks.text_classifier import TextClassifier

#: How often an answer of a kind was right, out of fold (docs/training/units.md).
_PRECISION: Mapping[str, float] = MappingProxyType(
    {
        "average": 0.9,
        "growth": 0.83,
        "change": 0.68,
        "count": 0.68,
        "which": 0.68,
        "lookup": 0.65,
        "sum": 0.6,
        "share": 0.58,
        "list": 0.63,
        "passage": 0.37,
    }
)
#: From this fit on, a cell of the year asked for is a better answer than a sentence.
_SURE_FIT = 0.7


@dataclass(frozen=True, slots=True)
class QuestionFallback:
    """Answers the argument `question` with `{operation, spans, operands, scale}`."""

    path: AnswerPath = AnswerPath.SPECIALIST

    def draft(self, document_text: str, arguments: Mapping[str, Any], /) -> Draft | None:
        question = arguments["question"]
        chances = _classifier().probabilities(question)
        labels = _classifier().labels
        kinds = [labels[index] for index in (-chances).argsort()]
        answered = answer(document_text, question, kinds)
        if answered is None:
            return None
        kind, found = answered
        return _draft(document_text, found, _PRECISION[kind])


def answer(text: str, question: str, kinds: Sequence[str]) -> tuple[str, Found] | None:
    """The answer of the first kind that has one, with that kind."""
    if is_chinese(question):
        found = quote_clauses(text, question)
        return ("passage", found) if found else None
    asked = Question(question)
    grids = [Grid(table, asked, text) for table in find_tables(text)]
    grids.sort(key=lambda grid: -grid.num_years_asked)
    for kind in kinds:
        found = _passage(text, asked, grids) if kind == "passage" else _in_tables(kind, grids)
        if found and _can_be_computed(text, found):
            return kind, found
    return None


def _in_tables(kind: str, grids: Sequence[Grid]) -> Found | None:
    answers = (SOLVERS[kind](grid) for grid in grids)
    return next((found for found in answers if found), None)


def _passage(text: str, question: Question, grids: Sequence[Grid]) -> Found | None:
    if len(question.years) == 1 and not asks_reason(question):
        for grid in grids:
            best = grid.best(question.years[0], question.words)
            if best and best[0] > _SURE_FIT:
                return SOLVERS["lookup"](grid)
    return quote_passage(text, question)


def _can_be_computed(text: str, found: Found) -> bool:
    quoted = [text[start:end] for start, end in found.spans]
    return found.operation == "quote" or compute(found.operation, quoted) is not None


def _draft(text: str, found: Found, score: float) -> Draft:
    name = "spans" if found.operation == "quote" else "operands"
    quoted = [text[start:end] for start, end in found.spans]
    empty: dict[str, list[str]] = {"spans": [], "operands": []}
    standings = [
        Standing(f"/{name}/{number}", start, end) for number, (start, end) in enumerate(found.spans)
    ]
    value = {"operation": found.operation, **empty, name: quoted, "scale": found.scale}
    return Draft(value, tuple(standings), score)


def _classifier() -> TextClassifier:
    return load_cached("question")
