"""Tesseract, the program, where it is installed: https://github.com/tesseract-ocr/tesseract.

It is given a picture as PNG and gives a table of words (TSV). Its own detection of orientation
tells by how much a page is to be turned; where it cannot tell, the page is taken as upright.
"""

from __future__ import annotations

import csv
import io
import os
import re
import subprocess
from collections.abc import Iterator

import numpy as np

from assay.documents.ocr.base import OcrPage, Picture, TextLine, TurnDegrees, even_boxes
from assay.errors import ScannedDocumentError

_TIMEOUT_S = 300
_LANGUAGES = ("eng", "chi_sim", "chi_tra")
_ROTATE = re.compile(r"^Rotate:\s*(90|180|270)\s*$", re.MULTILINE)
_TURNS: dict[str, TurnDegrees] = {"90": 90, "180": 180, "270": 270}


class TesseractEngine:
    """Runs `program` for each picture, on one thread, with those of `_LANGUAGES` that it has."""

    name = "tesseract"

    def __init__(self, program: str) -> None:
        self._program = program
        self._languages = ""

    def read(self, picture: Picture) -> OcrPage:
        """See `OcrEngine.read`."""
        data = _png(picture)
        found = _ROTATE.search(self._run(data, "--psm", "0", check=False))
        turned: TurnDegrees = _TURNS[found[1]] if found else 0
        if turned:
            data = _png(np.rot90(picture, -turned // 90))
        table = self._run(data, "--psm", "3", "-l", self._known_languages(), "tsv")
        return OcrPage(tuple(_words(table)), turned)

    def _known_languages(self) -> str:
        if not self._languages:
            listed = self._run(b"", "--list-langs").split()
            self._languages = "+".join(name for name in _LANGUAGES if name in listed) or "eng"
        return self._languages

    def _run(self, data: bytes, *arguments: str, check: bool = True) -> str:
        files = ("stdin", "stdout") if data else ()
        try:
            done = subprocess.run(
                [self._program, *files, *arguments],
                input=data,
                capture_output=True,
                timeout=_TIMEOUT_S,
                check=False,
                env={**os.environ, "OMP_THREAD_LIMIT": "1"},
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise ScannedDocumentError(f"Tesseract failed: {error}") from error
        if check and done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip()
            raise ScannedDocumentError(f"Tesseract failed: {said[:200]}")
        return done.stdout.decode("utf-8", "replace")


def _png(picture: Picture) -> bytes:
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()


def _words(table: str) -> Iterator[TextLine]:
    """The words of a TSV table, each a run of its own; certainty is given in percent, -1 for what
    is no word."""
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        text, percent = (row.get("text") or "").strip(), float(row.get("conf") or -1)
        if text and percent >= 0:
            left, top = float(row["left"]), float(row["top"])
            right, bottom = left + float(row["width"]), top + float(row["height"])
            word = even_boxes(text, left, top, right, bottom)
            sure = np.full(len(text), min(percent, 100.0) / 100, dtype=np.float32)
            yield TextLine(text, word.boxes, sure)
