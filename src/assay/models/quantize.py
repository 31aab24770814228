"""The int8 linear: weights symmetric per output channel, activations symmetric per row.

`y[t, n] = row_scale[t] * weight_scale[n] * sum_k int8(x)[t, k] * int8(w)[n, k]`, accumulated
exactly in int32. A row whose greatest value stands far above the rest would have little left of
the rest after rounding: such rows get a second int8 digit, the rounding error of the first, in a
second product. It depends on the row alone, so no row's result depends on the rows beside it.

Two kernels of oneDNN, both on VNNI where the processor has it. Few rows: `_int_mm`, straight from
the mapped weights. Many rows: `qlinear_pointwise`, which wants the weights reordered (once, at the
first such call) and unsigned activations (hence the zero point of 128). On x86 without VNNI the
second saturates: `engine/precision.py` chooses another precision there.
"""

from __future__ import annotations

import torch

# Up to this many rows `_int_mm` is the faster kernel.
_MAX_SMALL_ROWS = 4
_ZERO_POINT = 128
# A row whose greatest value exceeds this many times its root mean square takes two digits. With
# none, SmolLM2's perplexity rises by 5%; normal noise reaches 4 or 5.
_MAX_PEAK = 12.0
# A row of zeros must not divide by zero.
_TINY = 1e-30


class Int8Linear:
    """One matrix `(out_features, in_features)`, as packed, with an optional float32 bias.

    Holds references to `int8` and `scale`, which it never writes to. Rows of activations that
    reach `max_peak` times their root mean square take two digits (0: all rows).
    """

    def __init__(
        self,
        int8: torch.Tensor,
        scale: torch.Tensor,
        bias: torch.Tensor | None = None,
        *,
        max_peak: float = _MAX_PEAK,
    ) -> None:
        self._int8_t = int8.t()
        self._scale = scale
        self._bias = bias
        self._max_peak = max_peak
        self._zero_points = torch.zeros(len(scale), dtype=torch.int32)
        self._reordered: torch.Tensor | None = None

    def product(
        self, x: torch.Tensor, row_scale: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """`x` `(num_rows, in_features)` times the matrix: float32, and the factor `(num_rows, 1)`
        that each row has yet to be multiplied with (None: none).

        `row_scale` is a factor that `x` itself has yet to be multiplied with.
        """
        amax = x.abs().amax(-1, keepdim=True).clamp_min_(_TINY)
        levels = x * (127.0 / amax)
        digit = levels.round()
        product = self._multiply(digit)
        peaked = self._peaked_rows(x, amax)
        if len(peaked) == len(x):
            rest = levels.sub_(digit).mul_(254.0).round_()
            product.add_(self._multiply(rest), alpha=1.0 / 254.0)
        elif len(peaked) > 0:
            rest = (levels[peaked] - digit[peaked]).mul_(254.0).round_()
            refined = product[peaked].add_(self._multiply(rest), alpha=1.0 / 254.0)
            product.index_copy_(0, peaked, refined)
        scale = amax.mul_(1.0 / 127.0)
        if row_scale is not None:
            scale.mul_(row_scale)
        if self._bias is None:
            return product, scale
        return product.mul_(scale).add_(self._bias), None

    def _peaked_rows(self, x: torch.Tensor, amax: torch.Tensor) -> torch.Tensor:
        """The rows that take two digits."""
        norm = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
        limit = norm.mul_(self._max_peak * x.shape[-1] ** -0.5)
        return (amax > limit)[:, 0].nonzero()[:, 0]

    def _multiply(self, digit: torch.Tensor) -> torch.Tensor:
        """Whole numbers in [-127, 127] times the matrix, float32."""
        rounded = digit.to(torch.int8)
        if len(digit) <= _MAX_SMALL_ROWS:
            few: torch.Tensor = torch._int_mm(rounded, self._int8_t) * self._scale
            return few
        if self._reordered is None:
            self._reordered = torch.ops.onednn.qlinear_prepack(self._int8_t.t(), None)
        product: torch.Tensor = torch.ops.onednn.qlinear_pointwise(
            rounded.bitwise_xor_(-128).view(torch.uint8),  # adds the zero point
            1.0,
            _ZERO_POINT,
            self._reordered,
            self._scale,
            self._zero_points,
            None,
            1.0,
            0,
            torch.float32,
            "none",
            [],
            "",
        )
        return product
