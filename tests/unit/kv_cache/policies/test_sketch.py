"""Sketches of keys: what of the scores they keep."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from given_pairs import GivenPairs
from tiny_checkpoints import CONFIG

from assay.engine.precision import processor_flags
from assay.kernels import library, stored
from assay.kv_cache.policies.attention import query_attention
from assay.kv_cache.policies.base import View
from assay.kv_cache.policies.retention import Retention
from assay.kv_cache.policies.scorer import ATTENTION_FLOOR, Scorer
from assay.kv_cache.policies.sketch import Sketcher, rescore
from assay.kv_cache.policies.weights import save_weights, user_folder, weights_name

LAYERS, KV_HEADS, GROUP, HEAD_DIM, TOKENS = 2, 3, 2, 8, 75
LEAST = math.log(ATTENTION_FLOOR)


def identity_weights() -> dict[str, np.ndarray]:
    """Projections that keep everything."""
    whole = np.broadcast_to(np.eye(HEAD_DIM, dtype=np.float32), (LAYERS, KV_HEADS, 8, 8)).copy()
    return {"query": whole, "key": whole}


def made_up(seed: int = 0) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    keys = torch.randn(LAYERS, KV_HEADS, TOKENS, HEAD_DIM, generator=generator) + 3
    queries = torch.randn(LAYERS, KV_HEADS * GROUP, 4, HEAD_DIM, generator=generator)
    static = torch.randn(LAYERS, KV_HEADS, TOKENS, generator=generator).half()
    return keys, queries, static


def test_a_sketch_of_full_rank_scores_as_the_keys_do() -> None:
    keys, queries, static = made_up()
    sketcher = Sketcher(identity_weights())
    sketch = sketcher.sketch(keys)
    assert sketch.codes.dtype == torch.int8
    scores = rescore(sketch.codes, static, sketcher.project(queries, sketch), 0.5, LEAST)
    logs = query_attention(keys, queries[:, :, -1:]).log()
    expected = static + 0.5 * (logs - logs.mean(-1, keepdim=True))
    torch.testing.assert_close(scores, expected, rtol=0, atol=0.02)


@pytest.mark.skipif(library.why_not(processor_flags()) is not None, reason="no compiled operators")
@pytest.mark.parametrize("num_tokens", [1, 16, 75])
@pytest.mark.parametrize(("rank", "group"), [(4, 1), (4, 2), (8, 3), (8, 4), (4, 7)])
def test_the_compiled_operator_scores_as_pytorch_does(num_tokens, rank, group) -> None:
    generator = torch.Generator().manual_seed(num_tokens)
    shape = (LAYERS, KV_HEADS, rank, num_tokens)
    codes = torch.randint(-127, 128, shape, generator=generator, dtype=torch.int8)
    queries = torch.randn(LAYERS, KV_HEADS, group, rank, generator=generator) / 40
    static = made_up()[2][..., :num_tokens]
    scores = stored.rescore(codes, static, queries, 0.75, LEAST)
    expected = rescore(codes, static, queries, 0.75, LEAST)
    torch.testing.assert_close(scores, expected, rtol=1e-3, atol=1e-3)


class NoLook(GivenPairs):
    """Pairs that must not be looked at."""

    def keys(self, num_tokens: int) -> torch.Tensor:
        raise AssertionError

    attention = values = keys


def test_retention_chooses_again_by_sketches_alone() -> None:
    keys, queries, _ = made_up()
    shapes = {"key": (8, 1), "magnitude": (4, 1), "value": (8, 1)}
    zeros = {
        name: np.zeros((LAYERS, KV_HEADS, *shape), np.float32)
        for name, shape in {
            **shapes,
            "hidden_bias": (1, 1),
            "out": (1, 1),
            "out_bias": (1, 1),
        }.items()
    }
    scorer = Scorer({**zeros, "attention": np.ones(1, np.float32)})
    policy = Retention(0.4, 2, scorer=scorer, sketcher=Sketcher(identity_weights()))
    view = View(GivenPairs(keys, keys), queries, TOKENS)
    prepared = policy.prepare(view)
    counts = policy.select(view, prepared).sum(-1)
    queries[0, 0, -1] = 6 * (keys[0, 0, 60] - 3)
    again = replace(view, pairs=NoLook(keys, keys), queries=queries, counts=counts)
    kept = policy.select(again, prepared)
    assert torch.equal(kept.sum(-1), counts)
    assert kept[0, 0, 60]


def test_weights_are_found_for_models_of_their_shape_alone(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ASSAY_HOME", str(tmp_path))
    save_weights(user_folder() / weights_name("sketch", CONFIG), identity_weights())
    keys = made_up()[0]
    loaded = Sketcher.load(CONFIG)
    assert loaded is not None
    expected = Sketcher(identity_weights()).sketch(keys)
    assert torch.equal(loaded.sketch(keys).codes, expected.codes)
    assert Sketcher.load(replace(CONFIG, hidden_size=32)) is None
