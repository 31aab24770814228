"""`assay text`: the text that offsets count in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.messages import display_name, report
from assay.cli.output import as_line, write_stdout
from assay.cli.progress import Activity
from assay.cli.sources import ocr_option, read_source

if TYPE_CHECKING:
    from assay.documents.ocr import OcrMode

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
@ocr_option
def text(file: Path, segments: bool, ocr: OcrMode) -> int:
    """Prints the text of a document, as `analyze` reads it.

    `start` and `end` of a result count Unicode code points of exactly this text, in UTF-8, from 0.
    FILE may be `-` for standard input.
    """
    name = display_name(file)
    try:
        with Activity(name, enabled=True) as activity:
            document = read_source(file, ocr, activity)
    except Exception as error:  # noqa: BLE001 (told to the user, with the file's name)
        return report(error, about=name)
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
