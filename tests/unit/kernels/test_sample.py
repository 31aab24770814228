"""The compiled search of logits, against its NumPy twin."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_references import needs_kernels

from assay.engine.greedy import find_likeliest
from assay.kernels import native

pytestmark = needs_kernels


def make_logits(num_rows: int, vocab_size: int, seed: int = 0) -> torch.Tensor:
    """Of few values, so that many are equal."""
    generator = np.random.default_rng(seed)
    values = generator.integers(-40, 12, (num_rows, vocab_size)) / 4
    return torch.tensor(values, dtype=torch.float32)


def make_masks(num_rows: int, num_words: int, share: float, seed: int = 0) -> np.ndarray:
    """About `share` of all bits set, in some rows none and in some all."""
    generator = np.random.default_rng(seed)
    bits = generator.random((num_rows, 32 * num_words)) < share
    bits[2::5], bits[3::5] = False, True
    return np.packbits(bits, axis=1, bitorder="little").view(np.int32)


def check(logits: torch.Tensor, masks: np.ndarray | None, rows: list[int]) -> None:
    expected = find_likeliest(logits, masks, rows)
    actual = native.find_likeliest(logits, masks, rows)
    assert len(actual) == len(expected)
    for found, wanted in zip(actual, expected, strict=True):
        assert found[1] == wanted[1]
        if wanted[1] == 0:
            continue
        assert (found[0], *found[4:]) == (wanted[0], *wanted[4:])
        assert found[2] == pytest.approx(wanted[2], rel=3e-6)
        assert found[3] == pytest.approx(wanted[3], rel=3e-5, abs=1e-6)


@pytest.mark.parametrize("vocab_size", [1, 15, 16, 17, 511, 512, 513, 1040, 20_001])
@pytest.mark.parametrize("share", [None, 0.001, 0.1, 0.97])
def test_any_vocabulary_and_mask_is_searched(vocab_size: int, share: float | None) -> None:
    num_words = (vocab_size + 31) // 32
    masks = None if share is None else make_masks(7, num_words, share)
    check(make_logits(7, vocab_size), masks, list(range(7)))


@settings(max_examples=15, deadline=None)
@given(
    vocab_size=st.integers(1, 1500),
    spare_words=st.integers(0, 40),
    share=st.floats(0, 1),
    rows=st.sets(st.integers(0, 8)),
    seed=st.integers(0, 1000),
)
def test_only_the_named_rows_are_searched(
    vocab_size: int, spare_words: int, share: float, rows: set[int], seed: int
) -> None:
    masks = make_masks(9, (vocab_size + 31) // 32 + spare_words, share, seed)
    logits = make_logits(9, vocab_size, seed)
    check(logits, masks, sorted(rows))
    check(logits, None, sorted(rows))


@pytest.mark.parametrize("scale", [1.0, 30.0, 1e30])
def test_sums_keep_to_what_float64_gives(scale: float) -> None:
    logits = torch.randn(1, 49_152, generator=torch.Generator().manual_seed(0)) * scale
    _, _, total, spread, _, _ = native.find_likeliest(logits, None, [0])[0]
    below = logits.double() - logits.max()
    assert total == pytest.approx(float(below.exp().sum()), rel=2e-6)
    assert spread == pytest.approx(float((below.exp() * below).sum()), rel=2e-5, abs=1e-9)


def test_the_number_of_threads_changes_nothing() -> None:
    """With enough rows that threads share them."""
    logits, masks = torch.randn(200, 3000), make_masks(200, 94, 0.3)
    before = torch.get_num_threads()
    found = []
    for threads in (1, 2, 5):
        torch.set_num_threads(threads)
        rows = list(range(200))
        found.append([native.find_likeliest(logits, either, rows) for either in (masks, None)])
    torch.set_num_threads(before)
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", [0, 5, 999])
def test_a_logit_that_is_no_number_shows_where_it_is_legal(bad: float, place: int) -> None:
    logits = make_logits(2, 1000)
    logits[0, place] = bad
    token, num_legal, total, _, peak, _ = native.find_likeliest(logits, None, [0])[0]
    assert num_legal == 1000
    is_finite = math.isfinite(total) and math.isfinite(peak)
    assert is_finite == (bad == -math.inf), "of minus infinity the weight is zero"
    masks = np.full((2, 32), -1, dtype=np.int32)
    masks[0, place // 32] &= ~np.int32(1 << place % 32)
    check(logits, masks, [0, 1])
    logits[:] = bad
    token, _, total, _, peak, _ = native.find_likeliest(logits, masks, [0])[0]
    assert not (math.isfinite(total) and math.isfinite(peak))
    assert 0 <= token < 1000
