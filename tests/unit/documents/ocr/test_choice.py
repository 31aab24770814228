"""Which engine is used, and what is said where it is not installed."""

from __future__ import annotations

import pytest

from assay.documents.ocr import choice
from assay.errors import ScannedDocumentError


def test_an_engine_is_made_once():
    assert choice.engine_for("rapidocr", "a.png") is choice.engine_for("rapidocr", "b.png")


@pytest.mark.parametrize(
    ("mode", "remedy"),
    [("rapidocr", r"assay\[ocr\]"), ("tesseract", "tesseract-ocr"), ("off", "leave out --ocr")],
)
def test_what_is_missing_is_named_with_the_way_to_get_it(monkeypatch, mode, remedy):
    monkeypatch.setattr(choice, "find_spec", lambda name: None)
    monkeypatch.setattr(choice.shutil, "which", lambda name: None)
    with pytest.raises(ScannedDocumentError, match=remedy):
        choice.engine_for(mode, "a.png")
