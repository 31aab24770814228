"""`assay text`: the text that offsets count in."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from assay.cli.messages import display_name, report
from assay.cli.output import as_line, write_stdout
from assay.cli.sources import read_source

EPILOG = """\b
Examples:
  assay text contract.pdf
  assay text contract.pdf | grep -n "governed by"
  assay text contract.pdf --segments
"""


@click.command(epilog=EPILOG)
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--segments", is_flag=True, help="Print the segments instead, one JSON object a line."
)
def text(file: Path, segments: bool) -> int:
    """Prints the text of a document, as `analyze` reads it.

    `start` and `end` of a result count Unicode code points of exactly this text, in UTF-8, from 0.
    FILE may be `-` for standard input.
    """
    try:
        document = read_source(file)
    except Exception as error:  # noqa: BLE001 (told to the user, with the file's name)
        return report(error, about=display_name(file))
    if segments:
        from assay.documents import segment_document

        for item in segment_document(document):
            write_stdout(
                as_line(
                    {
                        "start": item.start,
                        "end": item.end,
                        "page": document.page_at(item.start),
                        "text": document.text[item.start : item.end],
                    }
                )
            )
        return 0
    ends_line = document.text.endswith("\n") or not sys.stdout.isatty()
    write_stdout(document.text if ends_line else document.text + "\n")
    return 0
