"""Which cells of a table a question means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from assay.normalize.scale import read_header_scale, read_scale
from assay.patterns import lazy_pattern
from assay.units.fallbacks.question_words import Likeness, Question, content_words, years_of
from assay.units.fallbacks.tables import Cell, Table

Line = tuple[int, ...]
_NAMES = {3: "thousand", 6: "million", 9: "billion"}
_UNSCALED = lazy_pattern(
    r"\bper\b.{0,40}\bshare\b|\bcents\b|\bearnings per|\bEPS\b|\bratio\b", re.IGNORECASE
)


@dataclass(frozen=True)
class Grid:
    """A table beside the question: its cells of figures with the words that describe each."""

    table: Table
    question: Question
    around: str

    @cached_property
    def likeness(self) -> Likeness:
        rows = [content_words(f"{row.group} {row.label.text}") for row in self.table.rows]
        heads = [content_words(self.table.header_text(n)) for n in range(self.num_columns)]
        return Likeness([*rows, *heads])

    @property
    def num_columns(self) -> int:
        return len(self.table.headers)

    @cached_property
    def row_years(self) -> list[list[int]]:
        return [years_of(row.label.text) or years_of(row.group) for row in self.table.rows]

    @cached_property
    def column_years(self) -> list[list[int]]:
        return [years_of(self.table.header_text(n)) for n in range(self.num_columns)]

    @property
    def num_years_asked(self) -> int:
        """How many of the question's years the table names."""
        named = {year for years in (*self.row_years, *self.column_years) for year in years}
        return len(named & set(self.question.years))

    def figures(self) -> Iterator[tuple[int, int, Cell]]:
        for r, row in enumerate(self.table.rows):
            for c, cell in enumerate(row.cells):
                if c and cell.number is not None:
                    yield r, c, cell

    def fit(self, r: int, c: int, words: Sequence[str]) -> float:
        """How well the labels of a cell match words: the row's, or the column's as well."""
        row, head = self.table.rows[r], content_words(self.table.header_text(c))
        label = content_words(row.label.text)
        group = content_words(row.group)
        plain = self.likeness.of(label, words) if label else 0.8 * self.likeness.of(group, words)
        grouped = self.likeness.of([*label, *group], words) if group else 0.0
        crossed = self.likeness.of([*label, *head], words) if head else 0.0
        tie = 0.02 * self.likeness.share(group, words) + 0.02 * self.likeness.share(head, words)
        return max(plain, grouped, crossed) + tie

    def years_at(self, r: int, c: int) -> set[int]:
        return {*self.row_years[r], *self.column_years[c]}

    def best(self, year: int | None, words: Sequence[str]) -> tuple[float, int, int] | None:
        """The cell that fits words best among those of a year (None: of any)."""
        found = [
            (self.fit(r, c, words), -r, -c)
            for r, c, _ in self.figures()
            if year is None or year in self.years_at(r, c)
        ]
        if not found:
            return None
        fit, r, c = max(found)
        return fit, -r, -c

    def line(self, r: int, c: int) -> list[tuple[int, int, int]]:
        """The cells that say the same as (r, c) in other years, by year: (year, row, column)."""
        in_row: dict[int, tuple[int, int, int]] = {}
        near = sorted(range(1, self.num_columns), key=lambda n: (not self._is_like(n, c), n))
        for column in near:
            years = self.column_years[column]
            if years and self._is_figure(r, column):
                in_row.setdefault(years[-1], (years[-1], r, column))
        if len(in_row) >= 2:
            return [in_row[year] for year in sorted(in_row)]
        in_column: dict[int, tuple[int, int, int]] = {}
        for row, years in enumerate(self.row_years):
            if years and self._is_figure(row, c):
                in_column.setdefault(years[-1], (years[-1], row, c))
        return [in_column[year] for year in sorted(in_column)]

    def cell(self, r: int, c: int) -> Cell:
        return self.table.rows[r].cells[c]

    def named_rows(self, column: int) -> list[int]:
        """The rows whose whole label stands in the question, in the order they are named there;
        no row that only says "total"."""
        labels = [content_words(row.label.text) for row in self.table.rows]
        return [r for r in self._named(labels) if self._is_figure(r, column)]

    def named_columns(self, r: int) -> list[int]:
        """The columns whose whole header stands in the question, in the order named there."""
        heads = [content_words(self.table.header_text(n)) for n in range(self.num_columns)]
        return [n for n in self._named(heads) if self._is_figure(r, n)]

    def _named(self, labels: Sequence[Sequence[str]]) -> list[int]:
        asked = self.question.words
        found: list[tuple[int, int, frozenset[str]]] = []
        for number, label in enumerate(labels):
            words = frozenset(label)
            if words and words != {"total"} and words <= set(asked):
                found.append((max(asked.index(word) for word in words), number, words))
        return [
            number
            for _, number, words in sorted(found, key=lambda item: item[:2])
            if not any(words < other for _, _, other in found)
        ]

    def scale(self, r: int, c: int) -> str | None:
        """The scale of a figure, as its row, its column, the corner or the text around says."""
        row, head = self.table.rows[r], self.table.header_text(c)
        cell = self.cell(r, c)
        if cell.is_percent or re.search(r"%|percent", f"{row.label.text} {head}", re.IGNORECASE):
            return "percent"
        if _UNSCALED.search(f"{row.label.text} {head}"):
            return None
        heads = " ".join(self.table.header_text(n) for n in range(self.num_columns))
        labels = " ".join(f"{row.group} {row.label.text}" for row in self.table.rows[:2])
        for text in (row.label.text, row.group, head, self.table.corner, heads, labels):
            scale = read_header_scale(text)
            if scale and scale.exponent in _NAMES:
                return _NAMES[scale.exponent]
        said = read_scale(self.around)
        return _NAMES.get(said.exponent) if said else None

    def _is_figure(self, r: int, c: int) -> bool:
        return c > 0 and self.table.rows[r].cells[c].number is not None

    def _is_like(self, one: int, other: int) -> bool:
        """Whether the headers of two columns say the same but for the year."""
        mine, theirs = (set(content_words(self.table.header_text(n))) for n in (one, other))
        return mine == theirs
