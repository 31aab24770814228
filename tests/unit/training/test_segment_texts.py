"""Segments and what the rules of units say that they hold."""

import json
import random

import pytest

from assay.training.segment_texts import described_segments


@pytest.mark.parametrize(
    ("text", "dimension"),
    [
        ("The price comes to EUR 4,500 for each machine that is delivered.", "numeric"),
        ("This letter was written on 4 May 2031 in the old town.", "temporal"),
        ("The Supplier shall deliver the goods to the Buyer without delay.", "clause"),
    ],
)
def test_a_segment_has_the_dimension_of_what_is_found_in_it(tmp_path, text, dimension):
    (tmp_path / "cuad_dev.jsonl").write_text(json.dumps({"id": "one", "text": text}) + "\n")
    (found,) = described_segments(tmp_path, 3, random.Random(0))
    assert (found.text, found.document) == (text, "one")
    assert dimension in found.descriptor


def test_complaints_have_feeling(tmp_path):
    row = {"id": "c", "text": "bank closed account without notice"}
    (tmp_path / "cfpb_dev.jsonl").write_text(json.dumps(row) + "\n")
    (found,) = described_segments(tmp_path, 3, random.Random(0))
    assert "sentiment" in found.descriptor
