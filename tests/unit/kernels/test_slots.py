"""Compiled copying of keys and values, against its twin on the same bfloat16 numbers."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from kernel_references import needs_kernels
from tiny_checkpoints import CONFIG

from assay.kernels import stored
from assay.kv_cache.block_pairs import PairReader
from assay.kv_cache.policies.attention import keep_highest
from assay.kv_cache.slices import SlotCopy
from assay.kv_cache.storage import BlockStorage
from assay.kv_cache.window import Selection, make_window, pages_for
from assay.models.rotary import Rotary

pytestmark = needs_kernels

COPIES = [
    SlotCopy([0, 7, 2], 5, [4, 3], 1, 9, 100),
    SlotCopy([4, 3], 2, [1, 6], 6, 8, 0),
    SlotCopy([1], 0, [5], 0, 1, -17),
]


@pytest.mark.parametrize("head_dim", [16, 32, 64, 128])
def test_slots_are_copied_as_by_the_twin(head_dim: int) -> None:
    config = replace(CONFIG, head_dim=head_dim, num_layers=3)
    twins = [BlockStorage(config, 8, 8), BlockStorage(config, 8, 8)]
    filling = torch.randn(twins[0].nbytes // 2).bfloat16()
    for storage in twins:
        storage.blocks.copy_(filling.view_as(storage.blocks))
    twins[0].copy_slots(COPIES, Rotary(config), "native")
    twins[1].copy_slots(COPIES, Rotary(config), "torch")
    compiled, twin = (storage.blocks.float() for storage in twins)
    assert torch.allclose(compiled, twin, rtol=2**-7, atol=1e-6)
    assert (compiled != filling.float().view_as(compiled)).any(-1).sum() == (
        18 * 3 * 2 * CONFIG.num_kv_heads
    )


def test_pairs_are_moved_as_by_the_twin() -> None:
    config = replace(CONFIG, head_dim=32, num_layers=3)
    twins = [BlockStorage(config, 8, 8), BlockStorage(config, 8, 8)]
    filling = torch.randn(twins[0].blocks.shape).bfloat16()
    kept = np.random.default_rng(0).random((3, config.num_kv_heads, 32)) < 0.4
    selection = Selection.from_mask(kept)
    rows = np.arange(8 * 3 * 2 * config.num_kv_heads, dtype=np.int32)
    pages = rows.reshape(8, 3, 2, config.num_kv_heads)[4:, :, 0].ravel()[::-1]
    num_pages = int(pages_for(selection.counts, 8).sum())
    window = make_window(selection.counts, pages[:num_pages], 8)
    for storage, kernels in zip(twins, ("native", "torch"), strict=True):
        storage.blocks.copy_(filling)
        storage.move_pairs(selection.places([2, 0, 3, 1], 8), window.places(8), kernels)
    assert torch.equal(twins[0].blocks, twins[1].blocks)
    assert (twins[0].blocks != filling).any(-1).sum() == 2 * kept.sum()


@pytest.mark.parametrize("head_dim", [32, 64, 96, 128])
@pytest.mark.parametrize(("num_tokens", "num_queries"), [(1, 1), (64, 3), (150, 7)])
def test_queries_attend_to_pairs_as_by_the_twin(
    head_dim: int, num_tokens: int, num_queries: int
) -> None:
    config = replace(CONFIG, head_dim=head_dim, num_layers=2, num_heads=6, num_kv_heads=2)
    storage = BlockStorage(config, 20, 8)
    storage.blocks.copy_(torch.randn(storage.blocks.shape))
    table = np.random.default_rng(0).permutation(20).tolist()
    queries = torch.randn(2, 6, num_queries, head_dim).bfloat16()
    found = PairReader(storage, "native")(table, num_tokens).attention(num_tokens, queries)
    twin = PairReader(storage, "torch")(table, num_tokens).attention(num_tokens, queries)
    assert found.shape == twin.shape == (2, 2, num_tokens)
    assert torch.allclose(found, twin, rtol=0.03, atol=1e-5)


@pytest.mark.parametrize("num_levels", [5, 10_000])
def test_the_highest_are_kept_as_by_the_twin(num_levels: int) -> None:
    """Ties too: of few levels many are equal."""
    generator = torch.Generator().manual_seed(0)
    scores = torch.randint(num_levels, (3, 2, 100), generator=generator).float()
    scores[0, 0, :40] = float("inf")
    scores[1, 1, 7:] = float("-inf")
    counts = torch.tensor([[50, 0], [100, 20], [1, 99]])
    found, twin = stored.keep_highest(scores, counts), keep_highest(scores, counts)
    assert torch.equal(found, twin)
    assert torch.equal(found.sum(-1), counts)


def test_scores_that_differ_in_their_last_bits_are_told_apart() -> None:
    """All in one binade, so that the upper halves of their bits say nothing."""
    generator = torch.Generator().manual_seed(1)
    scores = 1 + torch.randint(200, (2, 4, 75), generator=generator).float() * 2**-23
    scores[1] *= -1
    counts = torch.tensor([[1, 32, 33, 74], [5, 20, 40, 75]])
    assert torch.equal(stored.keep_highest(scores, counts), keep_highest(scores, counts))
