"""`assay terms`: glossaries: checking one, and finding its terms in a document."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from assay.cli.messages import complain
from assay.cli.output import as_line, write_stdout
from assay.cli.sources import ocr_option, read_source

if TYPE_CHECKING:
    from assay.documents.ocr import OcrMode
    from assay.terms import Glossary, TermMatch

EPILOG = """\b
Examples:
  assay terms check glossary.csv
  assay terms find glossary.csv policy.pdf
  assay terms find starter policy.pdf --json
  assay analyze policy.pdf --ask "how much is the SIR?" --glossary glossary.csv

\b
A glossary is a CSV table. Its first line names the columns, of which only term is needed:
  term,aliases,kind,language
  deductible,excess;self-insured retention;SIR,insurance,en
"""
# Characters of a match, and of its line, that a table shows.
_WIDTH = 48


@click.group(epilog=EPILOG)
def terms() -> None:
    """Checks a glossary, or finds its terms in a document.

    A glossary holds the terms of a trade, or of a tenant, with their other names.
    """


@terms.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def check(file: Path, as_json: bool) -> int:
    """Checks a table of terms: each fault with its line.

    Ends with 2 if there is one.
    """
    from assay.errors import GlossaryError
    from assay.terms import read_glossary

    try:
        glossary = read_glossary(file)
    except GlossaryError as error:
        if not error.rows:
            raise
        if as_json:
            rows = [{"line": row.line, "complaint": row.complaint} for row in error.rows]
            write_stdout(as_line({"file": str(file), "faults": rows}))
        else:
            for row in error.rows:
                complain(str(row), about=str(file))
        return 2
    if as_json:
        write_stdout(as_line({"file": str(file), "faults": [], **_counts(glossary)}))
    else:
        counts = _counts(glossary)
        kinds = ", ".join(f"{number} {kind}" for kind, number in counts["kinds"].items())
        write_stdout(f"{file}: {counts['terms']} terms, {counts['spellings']} spellings\n{kinds}\n")
    return 0


@terms.command()
@click.argument("glossary", metavar="FILE.csv|starter")
@click.argument("document", metavar="DOCUMENT", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a match.")
@click.option("--overlapping", is_flag=True, help="Show terms inside of longer ones as well.")
@click.option("--kind", metavar="KIND", multiple=True, help="Only terms of this kind.")
@ocr_option
def find(
    glossary: str,
    document: Path,
    as_json: bool,
    overlapping: bool,
    kind: tuple[str, ...],
    ocr: OcrMode,
) -> int:
    """Shows which terms of a glossary stand in a document, and where.

    DOCUMENT is what `assay analyze` reads; `-` is standard input. Offsets are characters of its
    text (`assay text` prints it).
    """
    chosen = open_glossary(glossary)
    read = read_source(document, ocr)
    matches = chosen.find(read.text, overlapping=overlapping)
    if kind:
        matches = [match for match in matches if match.term.kind in kind]
    if as_json:
        write_stdout("".join(as_line(match.as_json(read.text)) for match in matches))
    else:
        write_stdout(_table(read.text, matches))
    return 0


def open_glossary(name: str) -> Glossary:
    """The glossary in a file, or the one that comes with Assay.

    Raises:
        GlossaryError: the file holds none.
        DocumentNotFoundError: there is no such file.
    """
    from assay.terms import read_glossary, starter_glossary
    from assay.terms.starter import STARTER

    return starter_glossary() if name == STARTER else read_glossary(Path(name))


def _counts(glossary: Glossary) -> dict[str, Any]:
    kinds = Counter(term.kind or "of no kind" for term in glossary.terms)
    return {
        "terms": len(glossary),
        "spellings": sum(len(term.spellings) for term in glossary.terms),
        "kinds": dict(kinds.most_common()),
    }


def _table(text: str, matches: list[TermMatch]) -> str:
    if not matches:
        return "no term of the glossary stands in the document\n"
    rows = [("start", "end", "text", "term", "kind")] + [
        (
            str(match.start),
            str(match.end),
            _short(" ".join(text[match.start : match.end].split())),
            _short(match.term.name),
            match.term.kind,
        )
        for match in matches
    ]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    lines = (
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[4]])
        for row in rows
    )
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _short(text: str) -> str:
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"
