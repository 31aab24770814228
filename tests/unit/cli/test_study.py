"""`assay study`: figures of a model's blocks, as a table, as JSON and as a picture."""

import json

import pytest
from tiny_packed import pack_tiny

REQUESTS = [
    {"text": f"{word} {number}?", "descriptor": [name], "units": [f"extract_{name}"]}
    for name, word in (("date", "when"), ("party", "who"))
    for number in range(6)
]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return pack_tiny(tmp_path_factory.mktemp("model")).path


@pytest.fixture
def requests(tmp_path):
    path = tmp_path / "requests.jsonl"
    path.write_text("\n".join(map(json.dumps, REQUESTS)), encoding="utf-8")
    return path


def test_a_study_is_told_and_drawn(command, model, requests, tmp_path) -> None:
    png = tmp_path / "study.png"
    options = ("study", "activations", "--requests", requests, "--model", model)
    ran = command(*options, "--groups", 2, "--png", png)
    assert ran.code == 0, ran.err
    assert "12 requests, 4 blocks in 2 layers" in ran.out
    assert png.read_bytes().startswith(b"\x89PNG")
    said = json.loads(command(*options, "--json", "--mass", 1).out)
    assert said["blocks_needed"] == {"mean": 2.0, "least": 2, "most": 2}


def test_what_is_missing_is_said_before_the_model_runs(command, requests, monkeypatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    ran = command("study", "activations", "--requests", requests, "--model", "none")
    assert (ran.code, "assay[study]" in ran.err) == (2, True)
