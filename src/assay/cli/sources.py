"""A FILE argument to a `Document`. `-` is standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from assay.cli.messages import STDIN_NAME

if TYPE_CHECKING:
    from assay.documents import Document


def read_source(path: Path) -> Document:
    """Reads the document at `path`, or standard input for `-`.

    Raises:
        DocumentError: it cannot be read.
    """
    from assay.documents import read_document

    if str(path) == "-":
        return read_document(sys.stdin.buffer.read(), name=STDIN_NAME)
    return read_document(path)
