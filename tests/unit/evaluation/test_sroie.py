"""SROIE: reading the archive, and judging what was read off a picture."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from scripted_ocr import blank, picture_bytes, scripted

from assay.documents import Document, read_document
from assay.errors import DocumentNotFoundError
from assay.evaluation import Case, Counts, Finding, Place, get_set
from assay.evaluation.sets.sroie import is_same_amount, is_same_day, is_same_name, num_edits

LINES = (
    ("QUAY TRADING", 10.0, 10.0, 130.0, 30.0),
    ("12 Mill Road", 10.0, 40.0, 130.0, 60.0),
    ("Total 9.90", 10.0, 70.0, 110.0, 90.0),
    ("Cash 9.90", 10.0, 100.0, 100.0, 120.0),
    ("06/05/2018", 10.0, 130.0, 110.0, 150.0),
)
RIGHT, WRONG = Counts(1, 1, 1), Counts(0, 1, 1)


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """One receipt whose picture is twice as large as the transcript's frame."""
    row = {
        "id": "sroie:1",
        "image": "img/1.png",
        "size": [200, 160],
        "gold": {
            "company": "QUAY TRADING",
            "date": "06/05/2018",
            "address": "12 MILL ROAD",
            "total": "RM9.90",
        },
        "ocr": [
            {"quad": [left, top, right, top, right, bottom, left, bottom], "text": text}
            for text, left, top, right, bottom in LINES
        ],
    }
    with zipfile.ZipFile(tmp_path / "sroie_dev.zip", "w") as archive:
        archive.writestr("receipts.jsonl", json.dumps(row) + "\n")
        archive.writestr("img/1.png", picture_bytes("PNG", blank(400, 320)))
    (found,) = get_set("sroie").read(tmp_path, "dev")
    return found


@pytest.fixture
def document(case: Case) -> Document:
    assert isinstance(case.source, bytes)
    doubled = [(text, *(2 * value for value in box)) for text, *box in LINES]
    return read_document(case.source, ocr=scripted(doubled))  # type: ignore[arg-type]


def judge(case: Case, document: Document, field: str, quote: str, value: str = "") -> Counts:
    (ask,) = (ask for ask in case.asks if ask.field == field)
    start = document.text.index(quote)
    place = Place(start, start + len(quote))
    return get_set("sroie").judge(ask, document, Finding({"text": value or quote}, (place,)))


def test_every_field_is_right_where_it_stands(case: Case, document: Document) -> None:
    assert judge(case, document, "company", "QUAY TRADING") == RIGHT
    assert judge(case, document, "address", "12 Mill Road") == RIGHT
    assert judge(case, document, "date", "06/05/2018") == RIGHT
    assert judge(case, document, "total", "9.90") == RIGHT


def test_a_right_value_with_evidence_elsewhere_is_wrong(case: Case, document: Document) -> None:
    assert judge(case, document, "total", "Mill", value="9.90") == WRONG


def test_no_answer_counts_as_none(case: Case, document: Document) -> None:
    assert get_set("sroie").judge(case.asks[0], document, Finding()) == Counts(0, 0, 1)


def test_a_missing_archive_is_named(tmp_path: Path) -> None:
    with pytest.raises(DocumentNotFoundError, match=r"sroie_dev\.zip"):
        list(get_set("sroie").read(tmp_path, "dev"))


@pytest.mark.parametrize(
    ("text", "gold", "same"),
    [
        ("28-12-17", "28/12/17", True),
        ("24 Mar 2018", "2018-03-24", True),
        ("2018-03-24", "20180324", True),
        ("04/03/2018", "03/04/2018", False),
        ("24 Mar 2018", "25/03/2018", False),
    ],
)
def test_days_are_the_same_by_figures_or_reading(text: str, gold: str, same: bool) -> None:
    assert is_same_day(text, gold) is same


@pytest.mark.parametrize(
    ("text", "gold", "same"),
    [("RM 1,234.50", "1234.50", True), ("7,00", "7.00", True), ("1200", "12.00", False)],
)
def test_amounts_are_the_same_by_number(text: str, gold: str, same: bool) -> None:
    assert is_same_amount(text, gold) is same


def test_a_name_may_differ_in_one_of_ten_letters() -> None:
    assert is_same_name("BRAMB1E HARDWARE\nSdn. Bhd.", "BRAMBIE HARDWARE SDN BHD")
    assert not is_same_name("BRAMBIE HARDWARE", "BRAMBIE HARDWARE SDN BHD")


def test_edits_are_counted_as_levenshtein_did() -> None:
    assert (num_edits("kitten", "sitting"), num_edits("", "ab")) == (3, 2)
