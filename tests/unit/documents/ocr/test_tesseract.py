"""Tesseract's tables, from a program that stands in for it."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from assay.documents.ocr.tesseract import TesseractEngine
from assay.errors import ScannedDocumentError

TABLE = (
    "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
    "1\t1\t0\t0\t0\t0\t0\t0\t100\t60\t-1\t\n"
    '5\t1\t1\t1\t1\t1\t10\t5\t40\t12\t96.5\t"Total\n'
    "5\t1\t1\t1\t1\t2\t60\t5\t30\t12\t41\t9.9\n"
)
PICTURE = np.zeros((60, 100, 3), dtype=np.uint8)


@pytest.fixture
def program(tmp_path: Path):
    """A program that answers each kind of call with what a test says, and notes its arguments."""

    def make(*, rotate: int = 0, table: str = TABLE, languages: str = "eng\nchi_sim\nosd\n"):
        script = tmp_path / "tesseract"
        script.write_text(
            f'#!/bin/sh\necho "$@" >> {tmp_path}/calls\ncase "$*" in\n'
            f"*list-langs*) cat {tmp_path}/languages;;\n"
            f"*'psm 0'*) echo 'Rotate: {rotate}';;\n"
            f"*tsv*) head -c 24 > {tmp_path}/picture; cat {tmp_path}/table;;\nesac\n"
        )
        script.chmod(0o755)
        (tmp_path / "table").write_text(table)
        (tmp_path / "languages").write_text(languages)
        return TesseractEngine(str(script))

    return make


def test_words_have_boxes_and_their_certainty(program):
    first, second = program().read(PICTURE).lines
    assert (first.text, second.text) == ('"Total', "9.9")
    assert first.boxes[0].tolist() == pytest.approx([10, 5, 10 + 40 / 6, 17])
    assert second.quality.tolist() == pytest.approx([0.41] * 3)


def test_the_languages_that_it_has_are_used(program, tmp_path):
    program().read(PICTURE)
    assert "-l eng+chi_sim tsv" in (tmp_path / "calls").read_text()


def test_a_page_is_turned_as_tesseract_says(program, tmp_path):
    """The picture that is read has the sides of the page exchanged."""
    assert program(rotate=90, table=TABLE.replace("41", "95")).read(PICTURE).turned == 90
    header = (tmp_path / "picture").read_bytes()
    assert (int.from_bytes(header[16:20]), int.from_bytes(header[20:24])) == (60, 100)


def test_a_page_that_reads_badly_turned_is_read_as_it_lies_too(program, tmp_path):
    """Both read alike here: the first counts."""
    assert program(rotate=180, table=TABLE.replace("96.5", "20")).read(PICTURE).turned == 180
    assert (tmp_path / "calls").read_text().count("tsv") == 2


def test_the_slope_of_its_lines_is_the_page_s(program):
    sloping = TABLE.replace("60\t5\t30", "60\t9\t30")
    assert program(table=sloping).read(PICTURE).skew == pytest.approx(4 / 45, abs=1e-3)


def test_a_failure_is_told(tmp_path):
    script = tmp_path / "tesseract"
    script.write_text("#!/bin/sh\necho 'no such language' >&2\nexit 1\n")
    script.chmod(0o755)
    with pytest.raises(ScannedDocumentError, match="no such language"):
        TesseractEngine(str(script)).read(PICTURE)
    with pytest.raises(ScannedDocumentError, match="Tesseract failed"):
        TesseractEngine(sys.executable + "-that-is-not-there").read(PICTURE)
