"""Compiled attention over windows and blocks, against float64 on the same bfloat16 numbers."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_references import Storage, attention, needs_kernels, num_threads, rotated

from assay.kernels import native
from assay.kv_cache.window import Window, make_window, pages_for

pytestmark = needs_kernels

LAYERS, HEADS, GROUP, DIM, BLOCK = 3, 2, 3, 32, 16
Counts = list[list[int]]  # pairs by layer and key head
Chunk = tuple[Counts | None, int, int]  # pairs, tokens in the blocks, tokens now


def attend(
    chunks: list[Chunk], layer: int, seed: int = 0, split: int | None = None
) -> tuple[torch.Tensor, torch.Tensor]:
    """What comes out of a step, and what should; in steps of `split` tokens a sequence."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    sizes = [-(-(before + now) // BLOCK) for _, before, now in chunks]
    needed = [pages_for(np.array(counts or 0), BLOCK).sum() for counts, _, _ in chunks]
    num_blocks = sum(sizes) + -(-int(sum(needed)) // (LAYERS * HEADS))
    storage = Storage(torch.randn(num_blocks, LAYERS, 2, HEADS, BLOCK, DIM).bfloat16())
    blocks = rng.permutation(num_blocks)
    rows = np.arange(num_blocks * LAYERS * 2 * HEADS, dtype=np.int32)
    free = rng.permutation(rows.reshape(num_blocks, LAYERS, 2, HEADS)[blocks[sum(sizes) :], :, 0])
    free = rng.permutation(free.ravel())
    tables = np.split(blocks[: sum(sizes)], np.cumsum(sizes)[:-1])
    windows: list[Window | None] = []
    for (counts, _, _), size in zip(chunks, needed, strict=True):
        taken, free = free[:size], free[size:]
        windows.append(make_window(np.array(counts, np.int32), taken, BLOCK) if counts else None)
    num_tokens = sum(now for _, _, now in chunks)
    heads = torch.randn(num_tokens, HEADS * (GROUP + 2), DIM) * 1.5
    angles = torch.randn(num_tokens, DIM // 2)
    out = torch.full((num_tokens, HEADS * GROUP * DIM), torch.nan)
    firsts = np.cumsum([0, *(now for _, _, now in chunks)])
    step = split or num_tokens
    for done in range(0, max(now for _, _, now in chunks), step):
        parts = [range(done, min(done + step, now)) for _, _, now in chunks]
        live = [index for index, part in enumerate(parts) if len(part)]
        picked = np.concatenate([firsts[i] + np.array(parts[i]) for i in live])
        plan = native.StepPlan(
            num_heads=HEADS * GROUP,
            num_kv_heads=HEADS,
            head_dim=DIM,
            block_size=BLOCK,
            block_stride=storage.block_stride,
            storage=storage.address,
            window=None,
            starts=[chunks[i][1] + done for i in live],
            counts=[len(parts[i]) for i in live],
            tables=[tables[i].tolist() for i in live],
            kept=[item.addresses if (item := windows[i]) else None for i in live],
        )
        out[picked] = plan.attend(
            heads[picked].clone(), angles[picked].cos(), angles[picked].sin(), layer
        ).clone()
    query = rotated(heads, angles.cos(), angles.sin())[:, : HEADS * GROUP] * DIM**-0.5
    expected = [
        _expected(storage, layer, window, table.tolist(), query[first : first + now], before)
        for (_, before, now), first, window, table in zip(
            chunks, firsts, windows, tables, strict=False
        )
    ]
    return out, torch.cat(expected)


def _expected(
    storage: Storage,
    layer: int,
    window: Window | None,
    table: list[int],
    query: torch.Tensor,
    before: int,
) -> torch.Tensor:
    """Head by head: the pairs of the window as if they stood before the slots."""
    slots = storage.read(layer, table, before + len(query))
    if window is None:
        return attention(query.bfloat16(), slots, before, None)
    pages = storage.blocks.view(-1, BLOCK, DIM)
    outs = []
    for head in range(HEADS):
        count = int(window.counts[layer, head])
        rows = torch.from_numpy(window.pages[layer, head]).long()
        kept = torch.stack([pages[rows], pages[rows + HEADS]]).view(2, -1, DIM)[:, :count]
        both = torch.cat([kept, slots[:, head]], 1)[:, None]
        mine = query[:, head * GROUP : (head + 1) * GROUP].bfloat16()
        outs.append(attention(mine, both, count + before, None))
    return torch.cat(outs, 1)


MIXED: list[Chunk] = [
    ([[5, 130], [0, 64], [300, 1]], 20, 1),
    (None, 70, 3),
    ([[16, 17], [400, 3], [0, 0]], 0, 40),
    ([[64, 63], [65, 0], [128, 127]], 64, 1),
]


@pytest.mark.parametrize("layer", range(LAYERS))
def test_every_head_sees_its_own_pairs_and_then_the_slots(layer: int) -> None:
    out, expected = attend(MIXED, layer)
    assert ((out - expected).norm(dim=1) / expected.norm(dim=1)).max() < 5e-3


@settings(max_examples=8, deadline=None)
@given(
    chunks=st.lists(
        st.tuples(
            st.none() | st.just([[0, 0]] * LAYERS) | st.just([[33, 4], [70, 0], [16, 200]]),
            st.integers(0, 100),
            st.integers(1, 40),
        ),
        min_size=1,
        max_size=4,
    ),
    layer=st.integers(0, LAYERS - 1),
    seed=st.integers(0, 1000),
)
def test_whatever_is_kept_is_attended(chunks: list[Chunk], layer: int, seed: int) -> None:
    out, expected = attend(chunks, layer, seed)
    assert ((out - expected).norm(dim=1) / expected.norm(dim=1)).max() < 1e-2


@pytest.mark.parametrize("layer", range(LAYERS))
def test_chunks_batches_and_threads_do_not_change_a_bit(layer: int) -> None:
    with num_threads(1):
        whole, _ = attend(MIXED, layer)
    for threads, split in [(1, 7), (2, 16), (3, None)]:
        with num_threads(threads):
            assert torch.equal(attend(MIXED, layer, split=split)[0], whole)
