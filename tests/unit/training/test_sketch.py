"""Fitting the projections of sketches."""

from __future__ import annotations

from types import SimpleNamespace

import torch
from tiny_checkpoints import CONFIG

from assay.training.recording import Asked, Recording
from assay.training.sketch import SketchFit


def made_up(rank: int) -> tuple[Recording, torch.Tensor]:
    """Keys that vary in `rank` slow dimensions alone, which turning mixes with no others."""
    generator = torch.Generator().manual_seed(0)
    shape = (CONFIG.num_layers, CONFIG.num_kv_heads, 60, CONFIG.head_dim)
    keys = torch.ones(shape)
    half = CONFIG.head_dim // 2
    for pair in range(rank // 2):
        for place in (half - 1 - pair, CONFIG.head_dim - 1 - pair):
            keys[..., place] += torch.randn(shape[:3], generator=generator)
    queries = torch.randn(shape[0], CONFIG.num_heads, 40, CONFIG.head_dim, generator=generator)
    asked = Asked([0], [0], 1, queries, torch.zeros(0), torch.zeros(0))
    return Recording(SimpleNamespace(keys=keys, num_context=60), None, (asked,)), queries


def error(recording: Recording, queries: torch.Tensor, rank: int) -> float:
    """The share of the variance of products over keys that projections of a rank miss."""
    fit = SketchFit(CONFIG)
    fit.add(recording)
    weights = {name: torch.from_numpy(array) for name, array in fit.weights(rank).items()}
    keys = recording.reading.keys - recording.reading.keys.mean(2, keepdim=True)
    grouped = queries.reshape(*keys.shape[:2], -1, CONFIG.head_dim)
    exact = grouped @ keys.transpose(2, 3)
    sketched = (grouped @ weights["query"]) @ (keys @ weights["key"]).transpose(2, 3)
    return float((exact - sketched).square().mean() / exact.square().mean())


def test_keys_of_low_rank_are_kept_whole_and_others_in_part() -> None:
    recording, queries = made_up(4)
    assert error(recording, queries, 4) < 1e-3
    assert 0.05 < error(recording, queries, 2) < 0.9
