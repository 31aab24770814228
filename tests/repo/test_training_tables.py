"""The figures of docs/training are those of the card that came with the weights."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

from assay.kv_cache.policies.router import Router
from assay.kv_cache.policies.scorer import Scorer
from assay.kv_cache.policies.sketch import Sketcher
from assay.models.packed import config_from_json

FOLDER = Path(__file__).parents[2] / "docs" / "training"


def test_the_tables_are_those_of_the_card() -> None:
    spec = importlib.util.spec_from_file_location("make_tables", FOLDER / "make_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (FOLDER / "README.md").read_text(encoding="utf-8") == module.document()


def test_what_the_card_describes_ships_with_the_package(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    card = json.loads((FOLDER / "card.json").read_text(encoding="utf-8"))
    config = config_from_json(card["model_config"])
    scorer, router = Scorer.load(config), Router.load(config)
    assert scorer is not None
    assert router is not None
    assert Sketcher.load(config) is not None
    assert scorer.num_parameters == card["num_parameters"]["scorer"] <= 3_000_000
    assert router.num_parameters == card["num_parameters"]["router"] <= 0.003 * 134.5e6
