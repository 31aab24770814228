"""Answers to questions on a table, by what the question asks to be done: each solver finds the
cells, and says nothing where the table does not have them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType

from assay.patterns import lazy_pattern
from assay.units.fallbacks.operations import Operation
from assay.units.fallbacks.question_cells import Grid
from assay.units.fallbacks.question_quotes import count, lookup, several, which
from assay.units.fallbacks.question_spans import (
    LEAST_FIT,
    Found,
    cells_of_years,
    figure_at,
)

Span = tuple[int, int]
_COST = lazy_pattern(r"\bcosts?\b|\bexpen|\bcharges?\b|\bprovision for\b", re.IGNORECASE)


Solver = Callable[[Grid], Found | None]


def _two_years(grid: Grid) -> list[tuple[int, int]] | None:
    """The cells of the later and the earlier year that a change is between."""
    years = sorted(grid.question.years, reverse=True)[:2]
    if len(years) == 2:
        return cells_of_years(grid, years)
    best = grid.best(years[0] if years else None, grid.question.words)
    if not best or best[0] < LEAST_FIT:
        return None
    line = grid.line(best[1], best[2])
    at = [n for n, (year, _, _) in enumerate(line) if not years or year == years[0]]
    if not at or at[-1] == 0:
        return None
    return [line[at[-1]][1:], line[at[-1] - 1][1:]]


def _two_named(grid: Grid) -> list[tuple[int, int]] | None:
    """The cells of two rows (or columns) that the question names, in one column (or row)."""
    year = grid.question.years[0] if grid.question.years else None
    best = grid.best(year, grid.question.words)
    if not best:
        return None
    _, r, c = best
    rows = grid.named_rows(c)
    if len(rows) >= 2:
        return [(row, c) for row in rows[:2]]
    columns = grid.named_columns(r)
    return [(r, n) for n in columns[:2]] if len(columns) >= 2 else None


def change(grid: Grid) -> Found | None:
    cells = _two_named(grid) if len(grid.question.years) < 2 else None
    return _computed(grid, "change", cells or _two_years(grid) or _two_named(grid))


def growth(grid: Grid) -> Found | None:
    return _computed(grid, "growth", _two_years(grid) or _two_named(grid), "percent")


def average(grid: Grid) -> Found | None:
    return _computed(grid, "average", _all_years(grid))


def total(grid: Grid) -> Found | None:
    best = grid.best(grid.question.years[0] if grid.question.years else None, grid.question.words)
    if best and len(grid.question.years) < 2:
        rows = grid.named_rows(best[2])
        if len(rows) >= 2:
            return _computed(grid, "sum", [(row, best[2]) for row in rows])
    return _computed(grid, "sum", _all_years(grid)) if len(grid.question.years) >= 2 else None


def share(grid: Grid) -> Found | None:
    cells = _two_named(grid)
    if grid.question.says(r"\bratio\b|\bproportion\b") and not grid.question.says("percent|%"):
        years = grid.question.years
        cells = cells_of_years(grid, years) if len(years) == 2 else cells
        return _computed(grid, "ratio", cells, None, keep_scale=False)
    if not cells:
        return _share_of_total(grid)
    cells = sorted(cells, key=lambda at: abs(grid.cell(*at).number or Decimal()))
    return _computed(grid, "share", cells, "percent")


def _share_of_total(grid: Grid) -> Found | None:
    best = grid.best(grid.question.years[0] if grid.question.years else None, grid.question.words)
    if not best or best[0] < LEAST_FIT:
        return None
    _, r, c = best
    totals = [
        row
        for row, item in enumerate(grid.table.rows)
        if row != r
        and re.match(r"\s*total|\s*$", item.label.text, re.IGNORECASE)
        and item.cells[c].number
    ]
    below = next((row for row in totals if row > r), totals[-1] if totals else None)
    return _computed(grid, "share", [(r, c), (below, c)], "percent") if below is not None else None


def _all_years(grid: Grid) -> list[tuple[int, int]] | None:
    years = grid.question.span_of_years
    if len(years) >= 2:
        found = cells_of_years(grid, years)
        if found:
            return found
    best = grid.best(years[-1] if years else None, grid.question.words)
    if not best or best[0] < LEAST_FIT:
        return None
    line = grid.line(best[1], best[2])
    return [at[1:] for at in line] if len(line) >= 2 else None


def _computed(
    grid: Grid,
    operation: Operation,
    cells: Sequence[tuple[int, int]] | None,
    scale: str | None = None,
    *,
    keep_scale: bool = True,
) -> Found | None:
    if not cells:
        return None
    numbers = [grid.cell(*at).number or Decimal() for at in cells]
    # Costs in parentheses are spoken of as positive.
    is_cost = all(number <= 0 for number in numbers) and all(
        _COST.search(grid.table.rows[r].label.text) for r, _ in cells
    )
    spans = tuple(
        figure_at(grid, *at) if is_cost else (grid.cell(*at).start, grid.cell(*at).end)
        for at in cells
    )
    return Found(operation, spans, scale or (grid.scale(*cells[0]) if keep_scale else None))


SOLVERS: Mapping[str, Solver] = MappingProxyType(
    {
        "change": change,
        "growth": growth,
        "average": average,
        "sum": total,
        "share": share,
        "lookup": lookup,
        "which": which,
        "count": count,
        "list": several,
    }
)
