"""Answers that quote a table: a figure, figures of several years, the greatest of them, the rows
of a group; and how many there are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from assay.patterns import lazy_pattern
from assay.units.fallbacks.question_cells import Grid
from assay.units.fallbacks.question_spans import (
    LEAST_FIT,
    TOTAL,
    Found,
    Span,
    cells_of_years,
    figure_at,
    label_span,
    plain_rows,
    year_span,
)
from assay.units.fallbacks.question_words import content_words

_THRESHOLD = lazy_pattern(
    r"(?P<sense>more than|greater than|larger than|higher than|above|over|exceed\w*"
    r"|less than|lower than|below|under)"
    r"\s+[$£€]?\s?(?P<figure>\d[\d,]*(?:\.\d+)?)\s*(?P<scale>thousand|million|billion)?",
    re.IGNORECASE,
)
_POWERS = {None: 0, "thousand": 3, "million": 6, "billion": 9}


def lookup(grid: Grid) -> Found | None:
    years = grid.question.years
    best = grid.best(years[0] if len(years) == 1 else None, grid.question.words)
    if years and not best:
        best = grid.best(None, grid.question.words)
    if not best or best[0] < LEAST_FIT:
        return None
    _, r, c = best
    return _quoted(grid, [(r, c)])


def which(grid: Grid) -> Found | None:
    """The year in which a figure is greatest or least, or the row that has such a figure."""
    years = grid.question.years
    best = grid.best(years[0] if len(years) == 1 else None, grid.question.words)
    if not best:
        return None
    pick = min if grid.question.says(r"lowest|least|smallest|worst|lower|smaller|less") else max
    if not grid.question.says(r"\byears?\b|\bperiods?\b|\bwhen\b"):
        rows = plain_rows(grid, best[2])
        row = pick(rows, key=lambda at: grid.cell(at, best[2]).number or Decimal(), default=None)
        return Found("quote", (label_span(grid, row),)) if row is not None else None
    line = grid.line(best[1], best[2])
    if len(line) < 2:
        return None
    year, r, c = pick(line, key=lambda at: grid.cell(at[1], at[2]).number or Decimal())
    span = year_span(grid, year, r, c)
    return Found("quote", (span,)) if span else None


def count(grid: Grid) -> Found | None:
    """In how many years (quarters, columns) a figure is beyond a threshold."""
    threshold = _THRESHOLD.search(grid.question.text)
    years = grid.question.years
    best = grid.best(years[0] if len(years) == 1 else None, grid.question.words)
    if not best:
        return None
    if not threshold:
        found = _rows_of_group(grid)
        return Found("count", found.spans) if found else None
    _, r, c = best
    shift = _POWERS[threshold["scale"].lower() if threshold["scale"] else None]
    if threshold["scale"]:
        shift -= _POWERS.get(grid.scale(r, c), 0)
    limit = Decimal(threshold["figure"].replace(",", "")).scaleb(shift)
    is_more = not re.match("less|lower|below|under", threshold["sense"], re.IGNORECASE)
    if grid.question.says(r"\byears?\b|\bquarters?\b|\bperiods?\b"):
        cells = [at[1:] for at in grid.line(r, c)] or [
            (r, n) for n in range(1, grid.num_columns) if grid.cell(r, n).number is not None
        ]
    else:
        cells = [(row, c) for row in plain_rows(grid, c)]
    spans = []
    for at in cells:
        number = grid.cell(*at).number
        if number is not None and (number > limit if is_more else number < limit):
            spans.append((grid.cell(*at).start, grid.cell(*at).end))
    return Found("count", tuple(spans)) if spans else None


def several(grid: Grid) -> Found | None:
    """Years that a table has, the rows of a group, or one figure in several years."""
    if grid.question.says(r"\b(?:which|what) (?:fiscal |financial )?years?\b|\bthe years\b"):
        return _years_of_table(grid)
    if len(grid.question.years) >= 2:
        cells = cells_of_years(grid, grid.question.years)
        if cells:
            return _quoted(grid, cells)
    return _rows_of_group(grid)


def _years_of_table(grid: Grid) -> Found | None:
    spans: dict[int, Span] = {}
    for column in range(1, grid.num_columns):
        for year in grid.column_years[column]:
            span = year_span(grid, year, 0, column)
            if span:
                spans.setdefault(year, span)
    return Found("quote", tuple(spans.values())) if spans else None


def _rows_of_group(grid: Grid) -> Found | None:
    groups = {row.group for row in grid.table.rows}
    fits = {group: grid.likeness.of(content_words(group), grid.question.words) for group in groups}
    group = max(fits, key=lambda item: fits[item])
    chosen = [
        r
        for r, row in enumerate(grid.table.rows)
        if (row.group == group or len(groups) == 1)
        and row.label.text
        and not TOTAL.match(row.label.text)
    ]
    spans = tuple(label_span(grid, r) for r in chosen)
    return Found("quote", spans) if 1 < len(spans) <= 12 else None


def _quoted(grid: Grid, cells: Sequence[tuple[int, int]]) -> Found:
    """The figures of cells; one with a percent sign says its scale itself."""
    spans = tuple(figure_at(grid, *at) for at in cells)
    is_percent = grid.cell(*cells[0]).is_percent
    return Found("quote", spans, None if is_percent else grid.scale(*cells[0]))
