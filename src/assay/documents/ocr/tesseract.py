"""Tesseract, the program, where it is installed: https://github.com/tesseract-ocr/tesseract.

It is given a picture as PNG and gives a table of words (TSV). Its own detection of orientation
tells by how much a page is to be turned; where it cannot tell, the page is taken as upright.
"""

from __future__ import annotations

import csv
import io
import math
import os
import re
import statistics
import subprocess
from collections.abc import Iterator, Sequence

import numpy as np

from assay.documents.ocr.base import OcrPage, Picture, TextLine, TurnDegrees, even_boxes
from assay.errors import ScannedDocumentError
from assay.patterns import lazy_pattern

_TIMEOUT_S = 300
_SURELY_UPRIGHT = 0.7
_LANGUAGES = ("eng", "chi_sim", "chi_tra")
_ROTATE = lazy_pattern(r"^Rotate:\s*(90|180|270)\s*$", re.MULTILINE)
_TURNS: dict[str, TurnDegrees] = {"90": 90, "180": 180, "270": 270}


class TesseractEngine:
    """Runs `program` for each picture, on one thread, with those of `_LANGUAGES` that it has."""

    name = "tesseract"

    def __init__(self, program: str) -> None:
        self._program = program
        self._languages = ""

    def read(self, picture: Picture) -> OcrPage:
        """See `OcrEngine.read`."""
        found = _ROTATE.search(self._run(_png(picture), "--psm", "0", check=False))
        if found is None:
            return self._read_turned(picture, 0)
        page = self._read_turned(picture, _TURNS[found[1]])
        if _certainty(page) >= _SURELY_UPRIGHT:
            return page
        # Its word on orientation is not always right; the page as it lies may read better.
        return max(page, self._read_turned(picture, 0), key=_certainty)

    def _read_turned(self, picture: Picture, degrees: TurnDegrees) -> OcrPage:
        data = _png(np.rot90(picture, -degrees // 90))
        table = self._run(data, "--psm", "3", "-l", self._known_languages(), "tsv")
        words = [_Word(row) for row in _rows(table)]
        return OcrPage(tuple(word.line for word in words), degrees, _skew_of(words))

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


def _rows(table: str) -> Iterator[dict[str, str]]:
    """The rows of a TSV table that are words: certainty is in percent, -1 for what is no word."""
    for row in csv.DictReader(io.StringIO(table), delimiter="\t", quoting=csv.QUOTE_NONE):
        if (row.get("text") or "").strip() and float(row.get("conf") or -1) >= 0:
            yield row


class _Word:
    """A word of the table: a run of its own, and the line that Tesseract puts it in."""

    def __init__(self, row: dict[str, str]) -> None:
        text = row["text"].strip()
        left, top = float(row["left"]), float(row["top"])
        right, bottom = left + float(row["width"]), top + float(row["height"])
        boxes = even_boxes(text, left, top, right, bottom).boxes
        sure = min(float(row["conf"]), 100.0) / 100
        self.line = TextLine(text, boxes, np.full(len(text), sure, dtype=np.float32))
        self.key = (row["block_num"], row["par_num"], row["line_num"])
        self.centre = ((left + right) / 2, (top + bottom) / 2)


def _skew_of(words: Sequence[_Word]) -> float:
    """The angle by which lines fall to the right: the middle one of lines of several words."""
    lines: dict[tuple[str, str, str], list[tuple[float, float]]] = {}
    for word in words:
        lines.setdefault(word.key, []).append(word.centre)
    angles = [
        math.atan2(line[-1][1] - line[0][1], line[-1][0] - line[0][0])
        for line in lines.values()
        if line[-1][0] > line[0][0]
    ]
    return statistics.median(angles) if angles else 0.0


def _certainty(page: OcrPage) -> float:
    """How sure the page's characters are, on average."""
    sure = [line.quality for line in page.lines]
    return float(np.concatenate(sure).mean()) if sure else 0.0
