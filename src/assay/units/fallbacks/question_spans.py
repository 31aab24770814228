"""What answers from a table are made of: the places to quote, of figures, labels and years."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assay.patterns import lazy_pattern
from assay.units.fallbacks.operations import Operation
from assay.units.fallbacks.question_cells import Grid

Span = tuple[int, int]
_FIGURE = lazy_pattern(r"(?:\d[\d,]*(?:\.\d+)?|\.\d+)\s*%?")
TOTAL = lazy_pattern(r"\s*(?:total|sub-?total|net|less)\b", re.IGNORECASE)
#: A cell that fits the question less than this is not what it means.
LEAST_FIT = 0.15


@dataclass(frozen=True, slots=True)
class Found:
    """An answer: what to quote, or an operation and its operands, and the scale of the result."""

    operation: Operation
    spans: tuple[Span, ...]
    scale: str | None = None


def plain_rows(grid: Grid, column: int) -> list[int]:
    """The rows of figures in a column that are no totals."""
    return [
        r
        for r, row in enumerate(grid.table.rows)
        if row.cells[column].number is not None and row.label.text
        if not TOTAL.match(row.label.text)
    ]


def label_span(grid: Grid, r: int) -> Span:
    """A row's label without the number of a footnote."""
    label = grid.table.rows[r].label
    text = re.sub(r"(?:\s*\(\d\)|(?<=[a-z])\d)+\s*\Z", "", label.text).rstrip(" .:")
    return label.start, label.start + len(text)


def figure_at(grid: Grid, r: int, c: int) -> Span:
    """The figure of a cell, without its currency sign."""
    cell = grid.cell(r, c)
    match = _FIGURE.search(cell.text)
    return (
        (cell.start + match.start(), cell.start + match.end()) if match else (cell.start, cell.end)
    )


def year_span(grid: Grid, year: int, r: int, c: int) -> Span | None:
    """Where the header of a column, or the label of a row, names a year."""
    for cell in (*reversed(grid.table.headers[c]), grid.table.rows[r].label):
        at = cell.text.find(str(year))
        if at >= 0:
            return cell.start + at, cell.start + at + 4
    return None


def cells_of_years(grid: Grid, years: Sequence[int]) -> list[tuple[int, int]] | None:
    """The cells of one row (or column) for each of the years, in their order."""
    best: tuple[float, list[tuple[int, int]]] | None = None
    for r, c, _ in grid.figures():
        if years[0] not in grid.years_at(r, c):
            continue
        fit = grid.fit(r, c, grid.question.words)
        if best and fit <= best[0]:
            continue
        by_year = {year: (row, column) for year, row, column in grid.line(r, c)}
        by_year[years[0]] = (r, c)
        if all(year in by_year for year in years):
            best = (fit, [by_year[year] for year in years])
    return best[1] if best and best[0] >= LEAST_FIT else None
