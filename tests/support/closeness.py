"""Tensors held against each other. `torch.testing` does the same, after importing half a second of
symbolic algebra at its first call."""

from __future__ import annotations

import torch


def assert_close(
    actual: torch.Tensor, expected: torch.Tensor, *, atol: float, rtol: float = 0.0
) -> None:
    """Shapes and types are equal, and no value is further off than `atol + rtol * |expected|`."""
    assert (actual.shape, actual.dtype) == (expected.shape, expected.dtype)
    close = torch.isclose(actual, expected, atol=atol, rtol=rtol)
    if not close.all():
        difference = (actual.double() - expected.double()).abs()
        raise AssertionError(
            f"{int((~close).sum())} of {close.numel()} values differ, by up to"
            f" {difference.max():.3g}; the greatest expected is {expected.abs().max():.3g}"
        )
