"""Windows through the whole model: everything kept is dense, and a choice of pairs is a mask."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from kernel_references import needs_kernels
from references import FAMILY, make_checkpoint

from assay.engine.runner import Runner
from assay.engine.schedule import Schedule, ScheduledSequence
from assay.kv_cache.block_pool import BlockPool
from assay.kv_cache.pages import PagePool
from assay.kv_cache.storage import BlockStorage
from assay.kv_cache.window import Selection, Window, make_window, pages_for
from assay.models.config import ModelConfig
from assay.models.llama import LlamaModel
from assay.models.rotary import rotate

BLOCK, PREFIX, LENGTH = 8, 160, 200
IDS = torch.randint(0, 256, (LENGTH,), generator=torch.Generator().manual_seed(3)).tolist()


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory):
    config, overrides = FAMILY["llama"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(FAMILY, "wide", (replace(config, head_dim=32), overrides))
        return make_checkpoint(tmp_path_factory.mktemp("model"), "wide")


class MaskedAttention:
    """All keys of all layers, and which of the first `PREFIX` the later tokens see."""

    def __init__(self, config: ModelConfig, kept: np.ndarray) -> None:
        shape = (config.num_layers, LENGTH, config.num_kv_heads, config.head_dim)
        self.config, self.kept = config, torch.from_numpy(kept)
        self.keys, self.values = torch.zeros(shape), torch.zeros(shape)

    def __call__(self, layer, heads, cos, sin):
        config, group = self.config, self.config.num_heads // self.config.num_kv_heads
        query, key, value = heads.split(
            [config.num_heads, config.num_kv_heads, config.num_kv_heads], 1
        )
        query = rotate(query, cos, sin, torch.empty_like(query))
        self.keys[layer] = rotate(key, cos, sin, torch.empty_like(key))
        self.values[layer] = value
        scores = torch.einsum(
            "qhd,khd->hqk", query, self.keys[layer].repeat_interleave(group, 1)
        ) / math.sqrt(config.head_dim)
        places = torch.arange(LENGTH)
        hidden = (places > places[:, None]).repeat(config.num_heads, 1, 1)
        hidden[:, PREFIX:, :PREFIX] = ~self.kept[layer].repeat_interleave(group, 0)[:, None]
        scores.masked_fill_(hidden, -math.inf)
        values = self.values[layer].repeat_interleave(group, 1)
        return torch.einsum("hqk,khd->qhd", scores.softmax(-1), values).flatten(1)


def masked_logits(model: LlamaModel, kept: np.ndarray) -> torch.Tensor:
    """After the tokens from `PREFIX` on."""
    rows = torch.arange(LENGTH)
    attention = MaskedAttention(model.config, kept)
    return model.forward(torch.tensor(IDS), rows, attention, rows[PREFIX:]).clone()


def windowed_logits(model: LlamaModel, kept: np.ndarray, chunk: int, batch: int = 1):
    """The same by blocks: the prefix is computed, its pairs are moved, and its blocks are gone."""
    config = model.config
    pool = BlockPool(80)
    storage = BlockStorage(config, 80, BLOCK, model.kv_dtype)
    runner = Runner(model, storage)
    pages = PagePool(pool, config.num_layers, config.num_kv_heads)
    prefix = pool.allocate(PREFIX // BLOCK)
    runner.run(Schedule((ScheduledSequence(IDS[:PREFIX], 0, prefix),)))
    selection = Selection.from_mask(kept)
    windows: list[Window] = []
    for _ in range(batch):
        taken = pages.allocate(int(pages_for(selection.counts, BLOCK).sum()))
        windows.append(make_window(selection.counts, taken, BLOCK))
        sources, targets = selection.places(prefix, BLOCK), windows[-1].places(BLOCK)
        storage.move_pairs(sources, targets, model.kernels)
    storage.blocks[prefix] = 100.0
    tables = [pool.allocate((LENGTH - PREFIX) // BLOCK) for _ in windows]
    parts = []
    for start in range(PREFIX, LENGTH, chunk):
        ids = IDS[start : start + chunk]
        step = [
            ScheduledSequence(ids, start - PREFIX, table, len(ids), PREFIX, window)
            for table, window in zip(tables, windows, strict=True)
        ]
        parts.append(runner.run(Schedule(tuple(step))).view(batch, len(ids), -1).clone())
    return torch.cat(parts, 1)


def everything(config: ModelConfig) -> np.ndarray:
    return np.ones((config.num_layers, config.num_kv_heads, PREFIX), dtype=bool)


def some(config: ModelConfig, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    shares = rng.random((config.num_layers, config.num_kv_heads, 1))
    kept = rng.random((config.num_layers, config.num_kv_heads, PREFIX)) < shares
    kept[0, 0] = False
    return kept


@pytest.mark.parametrize("chunk", [3, 40])
def test_in_float32_everything_kept_is_dense(packed, chunk: int) -> None:
    model = LlamaModel(packed.config, packed.weights, precision="float32")
    kept = everything(packed.config)
    dense = masked_logits(model, kept)
    torch.testing.assert_close(windowed_logits(model, kept, chunk)[0], dense, atol=1e-4, rtol=0)


@pytest.mark.parametrize("seed", range(3))
def test_in_float32_a_choice_of_pairs_is_a_mask(packed, seed: int) -> None:
    model = LlamaModel(packed.config, packed.weights, precision="float32")
    kept = some(packed.config, seed)
    masked = masked_logits(model, kept)
    assert (masked - masked_logits(model, everything(packed.config))).abs().max() > 0.1
    torch.testing.assert_close(windowed_logits(model, kept, 17)[0], masked, atol=1e-4, rtol=0)


@needs_kernels
def test_compiled_attention_strays_no_further_than_pytorchs(packed) -> None:
    """From float32, with bfloat16 weights, keys and values."""
    exact = LlamaModel(packed.config, packed.weights, precision="float32")
    kept = some(packed.config, 5)
    errors = {}
    for kernels in ("torch", "native"):
        model = LlamaModel(packed.config, packed.weights, precision="bf16", kernels=kernels)
        strayed = windowed_logits(model, kept, 17)[0] - masked_logits(exact, kept)
        errors[kernels] = strayed.abs().mean()
    assert errors["native"] <= 1.15 * errors["torch"]


@needs_kernels
def test_with_compiled_attention_chunks_and_batches_do_not_change_a_bit(packed) -> None:
    model = LlamaModel(packed.config, packed.weights, precision="int8", kernels="native")
    kept = some(packed.config, 6)
    whole = windowed_logits(model, kept, LENGTH)
    for chunk in (5, 13):
        together = windowed_logits(model, kept, chunk, batch=3)
        assert all(torch.equal(item, whole[0]) for item in together)
