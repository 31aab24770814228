"""The int8 linear: weights symmetric per output channel, activations symmetric per row.

`y[t, n] = row_scale[t] * weight_scale[n] * sum_k int8(x)[t, k] * int8(w)[n, k]`, accumulated
exactly in int32, so a row's result does not depend on the rows computed with it.

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
# A row of zeros must not divide by zero.
_TINY = 1e-30


class Int8Linear:
    """One matrix `(out_features, in_features)`, as packed, with an optional float32 bias.

    Holds references to `int8` and `scale`, which it never writes to.
    """

    def __init__(
        self, int8: torch.Tensor, scale: torch.Tensor, bias: torch.Tensor | None = None
    ) -> None:
        self._int8_t = int8.t()
        self._scale = scale
        self._bias = bias
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
        product = self._multiply(levels)
        scale = amax.mul_(1.0 / 127.0)
        if row_scale is not None:
            scale.mul_(row_scale)
        if self._bias is None:
            return product, scale
        return product.mul_(scale).add_(self._bias), None

    def _multiply(self, levels: torch.Tensor) -> torch.Tensor:
        """Rounds `levels` (within [-127, 127]; overwritten) and multiplies."""
        rounded = levels.round_().to(torch.int8)
        if len(levels) <= _MAX_SMALL_ROWS:
            return torch._int_mm(rounded, self._int8_t) * self._scale
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
