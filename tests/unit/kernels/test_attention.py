"""Compiled attention over blocks, against float64 on the same bfloat16 numbers."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
import torch
from closeness import assert_close
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_references import Storage, attention, needs_kernels, num_threads, rms_norm, rotated

from assay.kernels import native

pytestmark = needs_kernels

Chunk = tuple[int, int]  # tokens before, tokens now
MIXED: list[Chunk] = [(5, 1), (0, 1), (200, 3), (63, 1), (64, 64), (0, 130), (15, 16)]


@pytest.fixture(params=[1, 2, 5])
def threads(request: pytest.FixtureRequest):
    with num_threads(request.param):
        yield


def check(
    chunks: Sequence[Chunk],
    *,
    num_heads: int = 6,
    num_kv_heads: int = 2,
    head_dim: int = 64,
    block_size: int = 16,
    window: int | None = None,
    seed: int = 0,
) -> None:
    """Attends in layer 1 of 2: what comes out, what is stored, and that nothing else is touched."""
    torch.manual_seed(seed)
    sizes = [-(-(before + now) // block_size) for before, now in chunks]
    ids = random.Random(seed).sample(range(sum(sizes) + 2), sum(sizes))
    tables = [[ids.pop() for _ in range(size)] for size in sizes]
    shape = (sum(sizes) + 2, 2, 2, num_kv_heads, block_size, head_dim)
    storage = Storage(torch.randn(shape).bfloat16())
    untouched = storage.blocks.clone()
    num_tokens = sum(now for _, now in chunks)
    heads = torch.randn(num_tokens, num_heads + 2 * num_kv_heads, head_dim) * 1.5
    angles = torch.randn(num_tokens, head_dim // 2)
    plan = native.StepPlan(
        num_heads=num_heads,
        num_kv_heads=num_kv_heads,
        head_dim=head_dim,
        block_size=block_size,
        block_stride=storage.block_stride,
        storage=storage.address,
        window=window,
        starts=[before for before, _ in chunks],
        counts=[now for _, now in chunks],
        tables=tables,
    )
    out = plan.attend(heads.clone(), angles.cos(), angles.sin(), 1)

    turned = rotated(heads, angles.cos(), angles.sin())
    query = (turned[:, :num_heads] * head_dim**-0.5).bfloat16()
    row = 0
    for (before, now), table in zip(chunks, tables, strict=True):
        rows = slice(row, row + now)
        row += now
        stored = storage.read(1, table, before + now)
        key, value = stored[:, :, before:].transpose(1, 2)
        new = turned[rows, num_heads : num_heads + num_kv_heads], heads[rows, -num_kv_heads:]
        assert_close(key.float(), new[0], atol=1e-6, rtol=2**-8)
        assert_close(value, new[1].bfloat16(), atol=0)
        expected = attention(query[rows], stored, before, window)
        error = (out[rows] - expected).norm() / expected.norm()
        assert error < 3e-3, (before, now)
        for position in range(before, before + now):
            block, slot = table[position // block_size], position % block_size
            untouched[block, 1, :, :, slot] = storage.blocks[block, 1, :, :, slot]
    assert torch.equal(untouched, storage.blocks)


def test_any_mix_of_chunks_is_attended(threads: None) -> None:
    check(MIXED)


@pytest.mark.parametrize("window", [1, 7, 50, 64, 1000])
def test_a_window_hides_what_lies_before_it(window: int) -> None:
    check(MIXED, window=window)


@pytest.mark.parametrize("block_size", [1, 4, 16, 24, 64])
def test_blocks_may_have_any_size(block_size: int) -> None:
    check([(100, 7), (3, 9), (40, 1)], block_size=block_size)


@pytest.mark.parametrize("head_dim", native.HEAD_DIMS)
@pytest.mark.parametrize("group", [1, 2, 3, 4, 5, 6, 7, 8])
def test_heads_may_have_any_size_and_sharing(head_dim: int, group: int) -> None:
    check([(70, 1), (30, 5)], num_heads=2 * group, head_dim=head_dim)


def test_an_item_is_shared_out_among_threads(threads: None) -> None:
    """One sequence, one key head: every thread takes some of its keys."""
    check([(1500, 1)], num_heads=5, num_kv_heads=1)
    check([(1500, 40)], num_heads=5, num_kv_heads=1, window=900)
    check([(0, 1)], num_heads=5, num_kv_heads=1)


@settings(max_examples=20, deadline=None)
@given(
    chunks=st.lists(st.tuples(st.integers(0, 150), st.integers(1, 40)), min_size=1, max_size=5),
    window=st.none() | st.integers(1, 100),
    seed=st.integers(0, 1000),
)
def test_whatever_is_scheduled_is_attended(
    chunks: list[Chunk], window: int | None, seed: int
) -> None:
    check(chunks, num_heads=3, num_kv_heads=1, head_dim=32, window=window, seed=seed)


def test_great_scores_do_not_overflow() -> None:
    """Scores of thousands: the softmax is taken from their maximum."""
    storage = Storage(torch.zeros(1, 1, 2, 1, 16, 32, dtype=torch.bfloat16))
    storage.blocks[0, 0, 0, 0, :3] = 30.0
    storage.blocks[0, 0, 0, 0, 1] = -30.0
    storage.blocks[0, 0, 1, 0, :3] = torch.tensor([1.0, 2.0, 3.0])[:, None]
    plan = native.StepPlan(
        num_heads=1,
        num_kv_heads=1,
        head_dim=32,
        block_size=16,
        block_stride=storage.block_stride,
        storage=storage.address,
        window=None,
        starts=[3],
        counts=[1],
        tables=[[0]],
    )
    heads = torch.cat([torch.full((1, 1, 32), 30.0), torch.zeros(1, 2, 32)], 1)
    out = plan.attend(heads, torch.ones(1, 16), torch.zeros(1, 16), 0)
    assert_close(out, torch.full((1, 32), 2.0), atol=1e-3)


@pytest.mark.parametrize("head_dim", [32, 96])
def test_only_the_named_heads_are_normalised(head_dim: int) -> None:
    heads = torch.randn(5, 7, head_dim)
    norm = torch.linspace(0.5, 2, head_dim)
    expected = heads.double().clone()
    expected[:, 2:5] = rms_norm(heads[:, 2:5], norm, 1e-6)
    native.normalise_heads(heads, 2, 3, norm, 1e-6)
    assert_close(heads.double(), expected, atol=1e-6, rtol=1e-5)
    assert torch.equal(heads[:, :2].double(), expected[:, :2])
