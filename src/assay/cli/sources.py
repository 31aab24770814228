"""A FILE argument to a `Document`. `-` is standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.messages import STDIN_NAME
from assay.cli.progress import Activity

if TYPE_CHECKING:
    from assay.documents import Document
    from assay.documents.ocr import OcrMode

ocr_option = click.option(
    "--ocr",
    type=click.Choice(["rapidocr", "tesseract", "off"]),
    default="rapidocr",
    envvar="ASSAY_OCR",
    show_default=True,
    show_envvar=True,
    help="What reads pictures, and pages of a PDF that have no text layer.",
)


def read_source(
    path: Path, ocr: OcrMode = "rapidocr", activity: Activity | None = None
) -> Document:
    """Reads the document at `path`, or standard input for `-`, and tells `activity` which page
    OCR is at.

    Raises:
        DocumentError: it cannot be read.
    """
    from assay.documents import read_document

    def say(number: int, num_pages: int) -> None:
        if activity is not None:
            activity.say(f"reading page {number} of {num_pages}")

    if str(path) == "-":
        data = sys.stdin.buffer.read()
        return read_document(data, name=STDIN_NAME, ocr=ocr, on_page=say)
    return read_document(path, ocr=ocr, on_page=say)
