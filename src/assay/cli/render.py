"""An analysis as a table for a terminal.

Colour says a field's status, and so does a word wherever it is not "ok": nothing is lost on a
terminal without colour. Evidence is the quotation, in bold, among the words around it; a long one
is shortened in the middle.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from assay.cli.messages import one_line
from assay.cli.values import (
    ELLIPSIS,
    format_readings,
    format_value,
    shorten_middle,
    take_last_words,
    take_words,
)
from assay.types import Evidence, FieldResult, Status, UnitResult

if TYPE_CHECKING:
    from assay.analysis import Analysis

STYLES = {
    Status.OK: "green",
    Status.PARTIAL: "yellow",
    Status.ABSENT: "dim",
    Status.AMBIGUOUS: "magenta",
    Status.ERROR: "bold red",
}
#: Width without a terminal (a pipe, a file); COLUMNS overrides it.
PLAIN_WIDTH = 120
#: Lines that a value or a quotation may take: more on a narrow terminal.
CELL_LINES = 2
NARROW_CELL_LINES = 3
NARROW = 110


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: a field, or one item of a field that is a list."""

    label: str
    status: Status
    value: str
    confidence: float | None
    evidence: Evidence | None
    num_more: int = 0


def render_analysis(analysis: Analysis, *, console: Console | None = None) -> str:
    """The table of one document, with a header and a closing line, styled for `console`.

    The default console is standard output: colours and width of its terminal.
    """
    console = console or stdout_console()
    with console.capture() as capture:
        console.print(_header(analysis))
        console.print(_table(analysis, console.width))
        console.print(_footer(analysis))
        console.print()
    return without_padding(capture.get(), console)


def without_padding(shown: str, console: Console) -> str:
    """What a console shows, without blanks at the ends of lines where it is no terminal."""
    if console.is_terminal:
        return shown
    return "".join(line.rstrip() + "\n" for line in shown.splitlines())


def stdout_console() -> Console:
    """Standard output: colours and width of its terminal."""
    if sys.stdout.isatty():
        return Console(highlight=False)
    width = Console().width if "COLUMNS" in Console()._environ else PLAIN_WIDTH
    return Console(highlight=False, width=width)


def _header(analysis: Analysis) -> Text:
    document = analysis.document
    parts = [f"{document.num_chars:,} characters"]
    if document.num_pages:
        parts.insert(0, f"{document.num_pages} page{'' if document.num_pages == 1 else 's'}")
    return Text.assemble((one_line(document.name), "bold"), (f"  {', '.join(parts)}", "dim"))


def _footer(analysis: Analysis) -> Text:
    counts = Counter(result.status.value for result in analysis.results.values())
    found = ", ".join(f"{counts[s.value]} {s.value}" for s in Status if counts[s.value])
    parts = [f"{len(analysis.results)} units: {found}"]
    if "total" in analysis.timing_ms:
        parts.append(f"{analysis.timing_ms['total'] / 1000:.1f} s")
    parts.append(analysis.backend.model)
    return Text(" · ".join(parts), style="dim")


def _table(analysis: Analysis, width: int) -> Table:
    groups = [(name, list(rows_of(result))) for name, result in analysis.results.items()]
    labels = [f"  {row.label}" for _, rows in groups for row in rows] + [n for n, _ in groups]
    label_width = min(max(map(len, labels), default=5), max(width // 3, 12))
    value_width = max((width - label_width - 18) * 2 // 5, 10)
    quote_width = max(width - label_width - value_width - 18, 10)

    lines = NARROW_CELL_LINES if width < NARROW else CELL_LINES

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold dim")
    table.add_column("Field", width=label_width, no_wrap=True, overflow="ellipsis")
    table.add_column("Value", width=value_width, overflow="fold")
    table.add_column("Conf.", width=5, justify="right")
    table.add_column("Page", width=4, justify="right")
    table.add_column("Evidence", width=quote_width, overflow="fold")
    for name, rows in groups:
        table.add_row(Text(name, style="bold"))
        for row in rows:
            evidence = row.evidence
            table.add_row(
                Text(f"  {row.label}"),
                Text(shorten_middle(row.value, value_width * lines - 4), STYLES[row.status]),
                "" if row.confidence is None else f"{row.confidence:.2f}",
                "" if evidence is None or evidence.page is None else str(evidence.page),
                _quotation(analysis.document.text, row, quote_width * lines - 4),
            )
    return table


def rows_of(result: UnitResult) -> Iterator[Row]:
    """The rows of one unit: one a field, one an item where a field is a list."""
    if result.status is Status.ERROR and not result.fields:
        yield Row("", Status.ERROR, _error_text(result), None, None)
        return
    if not result.fields:
        yield from _field_rows("value", result, result.evidence)
    for name, field in result.fields.items():
        yield from _field_rows(name, field, field.evidence)


def _error_text(result: UnitResult | FieldResult) -> str:
    return f"error: {one_line(result.error.message) if result.error else 'unknown'}"


def _field_rows(
    name: str, result: FieldResult | UnitResult, evidence: Sequence[Evidence]
) -> Iterator[Row]:
    status = result.status
    if status is Status.ERROR:
        yield Row(name, status, _error_text(result), None, None)
    elif status is Status.ABSENT:
        said = "absent" if result.error is None else "withheld: not sure enough"
        yield Row(name, status, said, result.confidence, None)
    elif isinstance(result.value, list):
        open_items = _open_items(result)
        for index, item in enumerate(result.value):
            of_item = _evidence_of_item(evidence, name, index, len(result.value))
            label = name if index == 0 else ""
            readings = open_items.get(f"/{index}")
            text = format_value(item) if readings is None else format_readings(readings)
            own = Status.OK if open_items and readings is None else status
            yield Row(label, own, text, result.confidence, *_first(of_item))
    elif readings := _open_items(result).get(""):
        yield Row(name, status, format_readings(readings), result.confidence, *_first(evidence))
    else:
        text = format_value(result.value)
        if status is not Status.OK:
            text = f"{status.value}: {text}"
        yield Row(name, status, text, result.confidence, *_first(evidence))


def _open_items(result: FieldResult | UnitResult) -> dict[str, Sequence[object]]:
    """The readings that are left open, by the item of a list that they are of ("/2"; "" for all of
    it)."""
    if not isinstance(result, FieldResult) or result.status is not Status.AMBIGUOUS:
        return {}
    found: dict[str, Sequence[object]] = {}
    for candidate in result.candidates:
        pointer = "/".join(candidate["pointer"].split("/")[:2])
        found.setdefault(pointer, candidate["readings"])
    return found


def _first(evidence: Sequence[Evidence]) -> tuple[Evidence | None, int]:
    return (evidence[0], len(evidence) - 1) if evidence else (None, 0)


def _evidence_of_item(
    evidence: Sequence[Evidence], name: str, index: int, num_items: int
) -> Sequence[Evidence]:
    prefix = f"/{name}/{index}"
    chosen = [e for e in evidence if e.pointer == prefix or e.pointer.startswith(f"{prefix}/")]
    if not chosen and len(evidence) == num_items:
        chosen = [evidence[index]]
    return chosen


def _quotation(text: str, row: Row, width: int) -> Text:
    """The evidence of a row in at most `width` cells, with words around it where there is room."""
    if row.evidence is None:
        return Text("")
    more = f" (+{row.num_more})" if row.num_more else ""
    width = max(width - len(more) - len("“”"), 8)
    quote = one_line(row.evidence.quote)
    shown = shorten_middle(quote, width)
    before = after = ""
    room = (width - cell_len(shown)) // 2
    if shown == quote and room > 8:
        start, end = row.evidence.start, row.evidence.end
        before = _before(text[max(0, start - 2 * room) : start], room)
        after = _after(text[end : end + 2 * room], room)
    return Text.assemble((before, "dim"), (f"“{shown}”", "bold"), (after, "dim"), (more, "dim"))


def _before(text: str, width: int) -> str:
    flat = one_line(text)
    gap = " " if text[-1:].isspace() and flat else ""
    tail = take_last_words(flat, width - len(ELLIPSIS))
    return ("" if tail == flat else "… ") + tail + gap


def _after(text: str, width: int) -> str:
    flat = one_line(text)
    gap = " " if text[:1].isspace() and flat else ""
    head = take_words(flat, width - len(ELLIPSIS))
    return gap + head + ("" if head == flat else " …")
