"""The importance scorer over weights made up: what it computes, and where it finds its weights."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from tiny_checkpoints import CONFIG
from torch.nn import functional as F

from assay.errors import CorruptModelError
from assay.kv_cache.policies.scorer import Scorer, magnitudes
from assay.kv_cache.policies.weights import save_weights, user_folder, weights_name
from assay.models.rotary import Rotary, rotate

LAYERS, KV_HEADS, GROUP, HEAD_DIM, HIDDEN, TOKENS = 2, 3, 2, 8, 5, 40


def made_up_weights(factor: float = 0.5, seed: int = 0) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    shapes = {
        "key": (HEAD_DIM, HIDDEN),
        "magnitude": (HEAD_DIM // 2, HIDDEN),
        "value": (HEAD_DIM, HIDDEN),
        "hidden_bias": (1, HIDDEN),
        "out": (HIDDEN, 1),
        "out_bias": (1, 1),
    }
    weights = {
        name: random.standard_normal((LAYERS, KV_HEADS, *shape)).astype(np.float32)
        for name, shape in shapes.items()
    }
    return {**weights, "attention": np.array([factor], np.float32)}


def made_up_pairs(seed: int = 1) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    keys, values = torch.randn(2, LAYERS, KV_HEADS, TOKENS, HEAD_DIM, generator=generator)
    queries = torch.randn(LAYERS, KV_HEADS * GROUP, 4, HEAD_DIM, generator=generator)
    return keys, values, queries


def test_the_static_part_is_one_network_a_head() -> None:
    weights = made_up_weights()
    keys, values, _ = made_up_pairs()
    static = Scorer(weights).static(keys, values)
    assert static.dtype == torch.float16
    for layer in range(LAYERS):
        for head in range(KV_HEADS):
            own = {
                name: torch.from_numpy(w[layer, head]) for name, w in weights.items() if w.ndim > 1
            }
            key, value = keys[layer, head], values[layer, head]
            length = torch.stack([key[:, : HEAD_DIM // 2], key[:, HEAD_DIM // 2 :]]).norm(dim=0)
            hidden = key @ own["key"] + length @ own["magnitude"] + value @ own["value"]
            out = F.gelu(hidden + own["hidden_bias"]) @ own["out"] + own["out_bias"]
            torch.testing.assert_close(static[layer, head].float(), out[:, 0], rtol=2e-3, atol=2e-3)


def test_magnitudes_do_not_change_with_the_position() -> None:
    keys = made_up_pairs()[0][0].transpose(0, 1)
    config = replace(CONFIG, head_dim=HEAD_DIM)
    turned = rotate(keys, *Rotary(config).turns(torch.full((TOKENS,), 77)), torch.empty_like(keys))
    assert not torch.allclose(turned, keys, atol=0.1)
    torch.testing.assert_close(magnitudes(turned), magnitudes(keys))


def test_bf16_pairs_score_almost_as_float32_ones() -> None:
    scorer = Scorer(made_up_weights())
    keys, values, queries = made_up_pairs()
    halves = keys.bfloat16(), values.bfloat16()
    exact = scorer.score(scorer.static(keys, values), keys, queries)
    rounded = scorer.score(scorer.static(*halves), halves[0], queries)
    assert float((exact - rounded).abs().max()) < 0.05 * float(exact.std())


def test_a_pair_that_the_queries_attend_to_rises() -> None:
    scorer = Scorer(made_up_weights())
    keys, values, queries = made_up_pairs()
    static = scorer.static(keys, values)
    before = scorer.score(static, keys, queries)[1, 2]
    queries[1, 2 * GROUP] = 3 * keys[1, 2, 17]
    after = scorer.score(static, keys, queries)[1, 2]
    assert int((after - before).argmax()) == 17


def test_without_a_factor_the_queries_count_for_nothing() -> None:
    scorer = Scorer(made_up_weights(factor=0.0))
    keys, values, queries = made_up_pairs()
    static = scorer.static(keys, values)
    assert torch.equal(scorer.score(static, keys, queries), static.float())


def test_weights_are_found_for_models_of_their_shape_alone(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    save_weights(user_folder() / weights_name("scorer", CONFIG), made_up_weights())
    keys, values, _ = made_up_pairs()
    loaded = Scorer.load(CONFIG)
    assert loaded is not None
    torch.testing.assert_close(
        loaded.static(keys, values),
        Scorer(made_up_weights()).static(keys, values),
        rtol=0.01,
        atol=0.01,
    )
    assert Scorer.load(replace(CONFIG, num_layers=3)) is None


def test_damaged_weights_are_not_taken_for_none(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    user_folder().mkdir()
    (user_folder() / weights_name("scorer", CONFIG)).write_bytes(b"PK\x03\x04 cut short")
    with pytest.raises(CorruptModelError, match="scorer-llama"):
        Scorer.load(CONFIG)
