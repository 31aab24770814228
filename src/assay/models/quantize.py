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
# With more than this share of peaked rows, all are multiplied again, the others' digit being 0.
_DENSE_SHARE = 0.7
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
        amax = torch.maximum(x.amax(-1, keepdim=True), x.amin(-1, keepdim=True).neg_())
        levels = x * (127.0 / amax.clamp_min_(_TINY))
        digit = levels.round()
        product = self._multiply(digit)
        self._add_second_digit(product, levels.sub_(digit), self._is_peaked(x, amax))
        scale = amax.mul_(1.0 / 127.0)
        if row_scale is not None:
            scale.mul_(row_scale)
        if self._bias is None:
            return product, scale
        return product.mul_(scale).add_(self._bias), None

    def _is_peaked(self, x: torch.Tensor, amax: torch.Tensor) -> torch.Tensor:
        """Which rows take two digits, `(num_rows, 1)`."""
        norm = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
        is_peaked: torch.Tensor = amax > norm.mul_(self._max_peak * x.shape[-1] ** -0.5)
        return is_peaked

    def _add_second_digit(
        self, product: torch.Tensor, rest: torch.Tensor, is_peaked: torch.Tensor
    ) -> None:
        """Adds to the peaked rows of `product` what the first digit left of them, `rest`, within
        [-0.5, 0.5] and overwritten."""
        rows = is_peaked.view(-1).nonzero().view(-1)
        if len(rows) == 0:
            return
        if len(rows) > len(rest) * _DENSE_SHARE:
            digit = rest.mul_(is_peaked * 254.0).round_()
            product.add_(self._multiply(digit), alpha=1.0 / 254.0)
        else:
            digit = rest.index_select(0, rows).mul_(254.0).round_()
            added = self._multiply(digit).mul_(1.0 / 254.0)
            product.index_copy_(0, rows, added.add_(product.index_select(0, rows)))

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
