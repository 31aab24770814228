"""The router of attention modes over weights made up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch
from tiny_checkpoints import CONFIG

from assay.kv_cache.policies.router import Mode, Router
from assay.kv_cache.policies.weights import save_weights, user_folder, weights_name

LAYERS, KV_HEADS, GROUP, HEAD_DIM = 2, 3, 2, 4


def made_up_weights() -> dict[str, np.ndarray]:
    random = np.random.default_rng(0)
    return {
        "linear": random.standard_normal((LAYERS, KV_HEADS, GROUP * HEAD_DIM, 3), np.float32),
        "bias": random.standard_normal((LAYERS, KV_HEADS, 3), np.float32),
    }


def test_each_head_decides_by_the_mean_query_of_its_group() -> None:
    weights = made_up_weights()
    queries = torch.randn(
        LAYERS, KV_HEADS * GROUP, 5, HEAD_DIM, generator=torch.Generator().manual_seed(0)
    )
    modes = Router(weights).modes(queries)
    assert modes.dtype == torch.int8
    means = queries.numpy().mean(2)
    for layer in range(LAYERS):
        for head in range(KV_HEADS):
            own = means[layer, head * GROUP : (head + 1) * GROUP].ravel()
            logits = own @ weights["linear"][layer, head] + weights["bias"][layer, head]
            assert modes[layer, head] == logits.argmax()
    assert len(modes.unique()) > 1


def test_weights_are_found_for_models_of_their_shape_alone(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    save_weights(user_folder() / weights_name("router", CONFIG), made_up_weights())
    loaded = Router.load(CONFIG)
    assert loaded is not None
    queries = torch.ones(LAYERS, KV_HEADS * GROUP, 1, HEAD_DIM)
    assert torch.equal(loaded.modes(queries), Router(made_up_weights()).modes(queries))
    assert Router.load(replace(CONFIG, head_dim=32)) is None


def test_modes_are_ordered_by_what_they_see() -> None:
    assert [mode.name for mode in sorted(Mode)] == ["LOCAL", "GLOBAL", "FULL"]
