"""The compiled linear layers against float64 on the same rounded rows."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_references import (
    linear,
    needs_kernels,
    num_threads,
    peaked_rows,
    random_matrix,
    rms_norm,
)

from assay.kernels import native

pytestmark = needs_kernels

# Tiles are 12 rows by 32 channels by 4 inputs; 100 rows are shared out by rows.
ROWS = [1, 2, 11, 12, 13, 40, 100]
SHAPES = [(32, 64), (33, 50), (7, 3), (160, 96), (1, 1)]


def close(actual: torch.Tensor, expected: torch.Tensor, tolerance: float = 2e-6) -> None:
    assert actual.dtype == torch.float32
    error = (actual.double() - expected).abs().max()
    assert error <= tolerance * expected.abs().max() + 1e-30


@pytest.mark.parametrize("num_rows", ROWS)
@pytest.mark.parametrize(("out_features", "in_features"), SHAPES)
def test_the_product_of_rounded_rows_is_exact(
    num_rows: int, out_features: int, in_features: int
) -> None:
    int8, scale = random_matrix(out_features, in_features)
    x = peaked_rows(num_rows, in_features)
    close(native.linear(native.Int8Matrix(int8, scale), x), linear(int8, scale, x))


@settings(max_examples=25, deadline=None)
@given(
    num_rows=st.integers(1, 70),
    out_features=st.integers(1, 70),
    in_features=st.integers(1, 140),
    seed=st.integers(0, 1000),
    with_bias=st.booleans(),
)
def test_any_shape_is_multiplied(
    num_rows: int, out_features: int, in_features: int, seed: int, with_bias: bool
) -> None:
    int8, scale = random_matrix(out_features, in_features, seed)
    bias = torch.linspace(-3, 3, out_features) if with_bias else None
    x = peaked_rows(num_rows, in_features, seed)
    actual = native.linear(native.Int8Matrix(int8, scale, bias), x)
    # A value half way between two steps may go either way.
    step = 4 * x.square().mean(1).sqrt().max() / 127
    error = (actual.double() - linear(int8, scale, x, bias)).abs().max()
    assert error <= 1.01 * step * (int8.abs().amax(1) * scale).max()


def test_extremes_do_not_saturate() -> None:
    """Every weight and every activation at its greatest, of either sign."""
    for sign in (1, -1):
        int8 = torch.full((40, 256), 127 * sign, dtype=torch.int8)
        x = torch.full((13, 256), -5.0)
        close(
            native.linear(native.Int8Matrix(int8, torch.ones(40)), x),
            linear(int8, torch.ones(40), x),
        )


def test_a_peak_does_not_coarsen_the_rest_of_its_row() -> None:
    """One value a hundred times the others: with one digit nothing of the others would be left."""
    int8, scale = random_matrix(64, 512)
    x = torch.randn(4, 512, generator=torch.Generator().manual_seed(0))
    x[:, 7] = 300.0
    x[:, 8] = -300.0
    exact = x.double() @ (int8.double() * scale[:, None]).T
    error = native.linear(native.Int8Matrix(int8, scale), x).double() - exact
    smooth = x.clone()
    smooth[:, 7:9] = 0.0
    left = smooth.double() @ (int8.double() * scale[:, None]).T
    assert error.norm() < 0.25 * left.norm()
    one_digit = (x / 300 * 127).round() * (300 / 127)
    assert ((one_digit - x).norm() / smooth.norm()) > 2 * error.norm() / left.norm()


@pytest.mark.parametrize("num_rows", ROWS)
def test_a_row_does_not_depend_on_the_rows_beside_it(num_rows: int) -> None:
    """Nor on the number of threads."""
    int8, scale = random_matrix(48, 64)
    matrix = native.Int8Matrix(int8, scale)
    x = peaked_rows(num_rows, 64)
    together = native.linear(matrix, x)
    with num_threads(1):
        alone = torch.cat([native.linear(matrix, row[None]) for row in x])
    assert torch.equal(together, alone)


def test_rows_of_zeros_give_zeros_and_the_bias() -> None:
    int8, scale = random_matrix(48, 64)
    bias = torch.arange(48.0)
    assert not native.linear(native.Int8Matrix(int8, scale), torch.zeros(5, 64)).any()
    with_bias = native.linear(native.Int8Matrix(int8, scale, bias), torch.zeros(5, 64))
    assert torch.equal(with_bias, bias.expand(5, 48))


@pytest.mark.parametrize("num_rows", [1, 13, 100])
def test_rows_are_normalised_first_where_a_norm_is_given(num_rows: int) -> None:
    int8, scale = random_matrix(96, 72)
    norm = torch.linspace(0.5, 2, 72)
    x = peaked_rows(num_rows, 72) * torch.logspace(-3, 3, num_rows)[:, None]
    actual = native.linear(native.Int8Matrix(int8, scale), x, norm, 1e-5)
    # A value at the edge of a step may fall to either side of it.
    close(actual, linear(int8, scale, rms_norm(x, norm, 1e-5)), 2e-3)


@pytest.mark.parametrize("num_rows", [1, 13, 100])
def test_the_product_is_added_to_the_residual(num_rows: int) -> None:
    int8, scale = random_matrix(33, 72)
    x, residual = peaked_rows(num_rows, 72), torch.randn(num_rows, 33)
    expected = residual.double() + linear(int8, scale, x)
    native.add_linear(residual, native.Int8Matrix(int8, scale), x)
    close(residual, expected)


@pytest.mark.parametrize("num_rows", [1, 13, 100, 200])
@pytest.mark.parametrize("intermediate", [32, 40])
def test_the_gated_mlp_is_its_parts_one_after_the_other(num_rows: int, intermediate: int) -> None:
    gate_up, gate_up_scale = random_matrix(2 * intermediate, 64)
    down, down_scale = random_matrix(64, intermediate, seed=1)
    norm = torch.linspace(0.5, 2, 64)
    hidden = peaked_rows(num_rows, 64)
    gate, up = linear(gate_up, gate_up_scale / 4, rms_norm(hidden, norm, 1e-5)).chunk(2, -1)
    expected = hidden + linear(down, down_scale, torch.nn.functional.silu(gate) * up)
    native.add_gated_mlp(
        hidden,
        native.Int8Matrix(gate_up, gate_up_scale / 4, gated=True),
        native.Int8Matrix(down, down_scale),
        norm,
        1e-5,
    )
    close(hidden, expected, 5e-3)


def test_gates_far_below_zero_close() -> None:
    """silu(-1000) is 0, not the square of an infinity."""
    gate_up = torch.ones(64, 32, dtype=torch.int8)
    hidden = torch.full((3, 32), -1.0)
    native.add_gated_mlp(
        hidden,
        native.Int8Matrix(gate_up, torch.full((64,), 40.0), gated=True),
        native.Int8Matrix(torch.ones(32, 32, dtype=torch.int8), torch.ones(32)),
        torch.ones(32),
        1e-5,
    )
    assert torch.equal(hidden, torch.full((3, 32), -1.0))
