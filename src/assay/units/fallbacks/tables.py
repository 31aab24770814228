"""The tables of a document's text: lines of cells between bars, read into rows under headers.

A cell keeps its place in the text, so that whatever is computed from it can be quoted. Time is
linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from assay.patterns import lazy_pattern

_SEPARATOR = "|"
_FIGURE = lazy_pattern(
    r"(?P<open>\()?[-–−]?\s*(?:US|A|C|HK)?[$£€¥]?\s*(?P<open2>\()?(?P<minus>[-–−])?\s*"
    r"(?P<figure>\d[\d,]*(?:\.\d+)?|\.\d+)\s*(?P<percent>%)?\s*\)?"
    r"\s*(?P<rest>(?:%|pts|p\.p\.|bps|[a-z]|\*|\(?\d\)|x)?)",
    re.IGNORECASE,
)
_YEAR = lazy_pattern(r"(?:19|20)\d\d\b")
_NOTHING = frozenset("-–—−")


@dataclass(frozen=True, slots=True)
class Cell:
    """`text` stands at [start, end); `number` is what it says, None if it is no figure."""

    text: str
    start: int
    end: int
    number: Decimal | None = None
    is_percent: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row: its label, the heading of the group of rows it stands in, and its cells by column."""

    label: Cell
    group: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """`headers` are, by column, the cells above the first row of figures, top down. Column 0 holds
    the labels. `corner` is what the header says over the labels."""

    headers: tuple[tuple[Cell, ...], ...]
    rows: tuple[Row, ...]
    corner: str

    def header_text(self, column: int) -> str:
        return " ".join(cell.text for cell in self.headers[column])


def find_tables(text: str) -> list[Table]:
    """The tables of at least two rows and two columns, in order."""
    tables: list[Table] = []
    lines: list[list[Cell]] = []
    at = 0
    for line in [*text.split("\n"), ""]:
        if _SEPARATOR in line:
            lines.append(list(_cells(line, at)))
        else:
            tables += [_table(block) for block in _blocks(lines) if len(block) >= 2]
            lines = []
        at += len(line) + 1
    return tables


def read_figure(text: str) -> tuple[Decimal | None, bool]:
    """The number that a cell is, and whether it is a percentage. A dash is nought; figures in
    parentheses are negative."""
    stripped = text.strip().lstrip("$£€ ")
    if stripped in _NOTHING:
        return Decimal(0), False
    match = _FIGURE.fullmatch(text.strip())
    if not match or (match["rest"].isalpha() and match["rest"] not in ("x", "pts", "bps")):
        return None, False
    number = Decimal(match["figure"].replace(",", ""))
    lead = text.strip()[: match.start("figure") - match.start()]
    is_negative = "(" in lead or any(mark in lead for mark in "-–−")
    return (-number if is_negative else number), "%" in text


def _cells(line: str, at: int) -> Iterator[Cell]:
    for part in line.split(_SEPARATOR):
        start = at + len(part) - len(part.lstrip())
        text = part.strip()
        number, is_percent = read_figure(text) if text else (None, False)
        yield Cell(text, start, start + len(text), number, is_percent)
        at += len(part) + 1


def _blocks(lines: list[list[Cell]]) -> Iterator[list[list[Cell]]]:
    """Cuts lines where new headers begin: a line of words over other columns, below figures."""
    block: list[list[Cell]] = []
    for line in lines:
        says = any(cell.text and cell.number is None for cell in line)
        is_head = not line[0].text and says and not _has_figures(line)
        if is_head and any(map(_has_figures, block)):
            yield block
            block = []
        block.append(line)
    yield block


def _table(lines: Sequence[Sequence[Cell]]) -> Table:
    num_columns = max(map(len, lines))
    first = next((n for n, line in enumerate(lines) if _has_figures(line)), len(lines))
    # A row of labels alone above the first figures is a group of rows, not a header.
    while first > 1 and not any(cell.text for cell in lines[first - 1][1:]):
        first -= 1
    heads = lines[:first]
    headers: list[tuple[Cell, ...]] = [()] * num_columns
    for head in heads:
        last: Cell | None = None
        for column in range(1, num_columns):
            cell = head[column] if column < len(head) else None
            if cell and cell.text:
                last = cell
            if last:
                headers[column] = (*headers[column], last)
    corner = " ".join(head[0].text for head in heads if head and head[0].text)
    return Table(tuple(headers), tuple(_rows(lines[first:], num_columns)), corner)


def _rows(lines: Sequence[Sequence[Cell]], num_columns: int) -> Iterator[Row]:
    group = ""
    for line in lines:
        label, *cells = line
        if not any(cell.text for cell in cells):
            group = label.text
            continue
        padding = [Cell("", label.end, label.end)] * (num_columns - len(line))
        yield Row(label, group, (label, *cells, *padding))


def _has_figures(line: Sequence[Cell]) -> bool:
    """Whether a line says values: figures that are no years."""
    figures = [cell for cell in line[1:] if cell.number is not None]
    return any(not _YEAR.match(cell.text) and cell.text not in _NOTHING for cell in figures)
