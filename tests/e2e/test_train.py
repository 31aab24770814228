"""`assay train scorer` from end to end: a tiny random model, made-up contracts, one epoch."""

from __future__ import annotations

import json

import pytest
from tiny_corpus import write_contracts
from tiny_packed import pack_tiny

from assay.cli import run
from assay.kv_cache.policies.router import Router
from assay.kv_cache.policies.scorer import Scorer
from assay.kv_cache.policies.sketch import Sketcher


@pytest.fixture
def trained(tmp_path, monkeypatch):
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path / "home"))
    packed = pack_tiny(tmp_path, max_position_embeddings=2048)
    data = write_contracts(tmp_path / "data", 5)

    def train(seed: int, *options: str) -> int:
        arguments = ["--data", str(data), "--model", str(packed.path), "--seed", str(seed)]
        return run(["train", "scorer", *arguments, "--epochs", "1", *options])

    return packed, train


def test_what_is_trained_is_used_from_then_on(trained, tmp_path, capsys) -> None:
    packed, train = trained
    assert Scorer.load(packed.config) is None
    assert train(0) == 0
    assert Scorer.load(packed.config) is not None
    assert Router.load(packed.config) is not None
    assert Sketcher.load(packed.config) is not None
    written = capsys.readouterr().out.split()
    assert [path.rsplit("/", 1)[1].split("-")[0] for path in written] == [
        "scorer",
        "router",
        "sketch",
        "card.json",
        "curves.png",
    ]
    card = json.loads((tmp_path / "home" / "weights" / "card.json").read_text())
    assert card["data"]["num_training"] + card["data"]["num_held_out"] == 5
    assert len(card["epochs"]) == 1
    kept = card["held_out"]["kept"]
    assert kept["oracle"]["0.25"]["coverage"] > kept["random"]["0.25"]["coverage"]


def test_the_same_seed_gives_the_same_weights(trained, tmp_path) -> None:
    _, train = trained
    for name, seed in (("one", 0), ("same", 0), ("other", 1)):
        assert train(seed, "--out", str(tmp_path / name)) == 0
    one, same, other = (
        next((tmp_path / name).glob("scorer-*.npz")).read_bytes()
        for name in ("one", "same", "other")
    )
    assert one == same != other
