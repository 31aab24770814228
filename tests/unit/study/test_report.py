"""A whole study on a tiny model, and its picture."""

import json

import pytest

from assay.study.importance import BlockMeter
from assay.study.report import study_activations
from assay.study.requests import LabelledRequest

REQUESTS = [
    LabelledRequest(f"{word} number {number}?", (name,), (f"extract_{name}",))
    for name, words in (("date", "when until"), ("party", "who 谁"))
    for word in words.split()
    for number in range(4)
]


@pytest.fixture(scope="module")
def study(decoder, packed):
    meter = BlockMeter(decoder, packed.tokenizer(), num_answer_tokens=1)
    return study_activations(meter, REQUESTS, num_layers=2)


def test_a_study_says_how_much_is_needed_and_what_agrees(study) -> None:
    said = json.loads(json.dumps(study.as_json()))
    assert (said["num_requests"], said["num_blocks"]) == (16, 2)
    assert 1 <= said["blocks_needed"]["least"] <= said["blocks_needed"]["mean"] <= 2
    assert set(said["agreement"]) == {"descriptor", "unit", "language", "length"}
    assert 0 < said["agreement"]["unit"]["p_value"] <= 1
    assert sum(said["share_by_block"]) == pytest.approx(1, abs=1e-3)
    assert {item["cluster"] for item in said["requests"]} == set(range(said["num_clusters"]))


def test_the_picture_is_drawn(study) -> None:
    from assay.study.picture import draw_study

    assert draw_study(study).startswith(b"\x89PNG")
