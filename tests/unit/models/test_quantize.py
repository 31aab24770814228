"""The int8 linear."""

import pytest
import torch
from closeness import assert_close

from assay.models.pack import quantize_rows
from assay.models.quantize import Int8Linear

ROWS = [1, 4, 5, 40]


def make(bias: bool = False, seed: int = 0):
    generator = torch.Generator().manual_seed(seed)
    int8, scale = quantize_rows(torch.randn(48, 64, generator=generator).numpy())
    added = torch.randn(48, generator=generator) if bias else None
    weight = torch.from_numpy(int8).double() * torch.from_numpy(scale)[:, None]
    return Int8Linear(torch.from_numpy(int8), torch.from_numpy(scale), added), weight, added


def applied(linear: Int8Linear, x: torch.Tensor, row_scale=None) -> torch.Tensor:
    product, factor = linear.product(x, row_scale)
    assert product.dtype == torch.float32
    return product if factor is None else product * factor


@pytest.mark.parametrize("num_rows", ROWS)
def test_activations_on_the_int8_grid_are_multiplied_exactly(num_rows: int) -> None:
    """Extreme values too: nothing saturates and no rounding is lost."""
    linear, weight, _ = make()
    x = torch.randint(-127, 128, (num_rows, 64)).float()
    x[:, 0] = 127.0
    expected = x.double() @ weight.T
    assert_close(applied(linear, x).double(), expected, atol=1e-3, rtol=1e-6)


@pytest.mark.parametrize("num_rows", ROWS)
def test_the_error_is_that_of_rounding_each_row_to_its_own_scale(num_rows: int) -> None:
    linear, weight, _ = make()
    x = torch.randn(num_rows, 64) * torch.logspace(-3, 3, num_rows)[:, None]
    step = x.abs().amax(1, keepdim=True) / 127
    error = (applied(linear, x).double() - x.double() @ weight.T).abs()
    assert (error <= 0.5001 * step * weight.abs().sum(1) + 1e-6).all()
    assert (error.mean(1, keepdim=True) <= step * weight.norm(dim=1).mean()).all()


@pytest.mark.parametrize("num_rows", ROWS)
def test_a_row_does_not_depend_on_the_rows_beside_it(num_rows: int) -> None:
    linear, _, _ = make()
    x = torch.randn(num_rows, 64)
    x[-1] *= 1000
    together = applied(linear, x)
    alone = torch.cat([applied(linear, row[None]) for row in x])
    assert torch.equal(together, alone)


@pytest.mark.parametrize("num_rows", ROWS)
@pytest.mark.parametrize("bias", [False, True])
def test_a_factor_still_owed_to_the_input_is_applied(num_rows: int, bias: bool) -> None:
    linear, weight, added = make(bias)
    x = torch.randint(-127, 128, (num_rows, 64)).float()
    factor = torch.rand(num_rows, 1) + 0.5
    expected = (x * factor).double() @ weight.T + (0 if added is None else added)
    actual = applied(linear, x, factor).double()
    error = (actual - expected).abs().max() / expected.abs().max()
    assert error < 0.02


@pytest.mark.parametrize("num_rows", ROWS)
def test_rows_of_zeros_give_zeros(num_rows: int) -> None:
    linear, _, _ = make()
    assert not applied(linear, torch.zeros(num_rows, 64)).any()
