"""What a decoder layer is made of, in any precision.

Activations between the layers are float32 `(num_tokens, features)`; only the inside of a linear
layer and the attention run in the model's precision. A linear layer may leave a factor on each
row unapplied (`product`), since whoever reads the result has to pass over it anyway.

A `DecoderLayer` is made either of these parts (`models/torch_layers.py`) or of compiled operators
that do several of them at once (`models/native_layers.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

import torch
from torch.nn import functional as F

from assay.models.quantize import Int8Linear

Precision = Literal["int8", "bf16", "float32"]
Kernels = Literal["native", "torch"]


class Linear(Protocol):
    """A matrix `(out_features, in_features)` that rows of activations are multiplied with."""

    def product(
        self, x: torch.Tensor, row_scale: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        """As `Int8Linear.product`. The result is float32 and the caller's to overwrite."""
        ...


class Attention(Protocol):
    """Attends in one layer, for all sequences of a step.

    Called once a layer with float32 `heads` `(num_tokens, num_heads + 2 * num_kv_heads,
    head_dim)`: queries, keys, values, before rotation (and the caller's to overwrite), and the
    step's `Rotary.tables`. Rotates, stores keys and values, and returns float32
    `(num_tokens, num_heads * head_dim)`.
    """

    def __call__(
        self, layer: int, heads: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor
    ) -> torch.Tensor: ...


class DecoderLayer(Protocol):
    """One layer but for its attention. `hidden` is the residual `(num_tokens, hidden_size)`."""

    def project(self, hidden: torch.Tensor) -> torch.Tensor:
        """What `Attention` takes as `heads`."""
        ...

    def add_attended(self, hidden: torch.Tensor, attended: torch.Tensor) -> None:
        """`hidden += o(attended)`."""
        ...

    def add_mlp(self, hidden: torch.Tensor) -> None:
        """`hidden += mlp(norm(hidden))`."""
        ...


class OutputHead(Protocol):
    """The final norm and the LM head: from `hidden` to logits `(num_tokens, vocab_size)`."""

    def __call__(self, hidden: torch.Tensor) -> torch.Tensor: ...


class FloatLinear:
    """A matrix in bfloat16 or float32, multiplied in its own type."""

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor | None = None) -> None:
        self._weight = weight
        self._bias = bias

    def product(
        self, x: torch.Tensor, row_scale: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor | None]:
        product = F.linear(x.to(self._weight.dtype), self._weight).to(torch.float32)
        if self._bias is None:
            return product, row_scale
        if row_scale is not None:
            product.mul_(row_scale)
        return product.add_(self._bias), None


class RMSNorm:
    """`x / sqrt(mean(x^2) + eps) * weight` over the last dimension, in float32."""

    def __init__(self, weight: torch.Tensor, eps: float) -> None:
        self._weight = weight
        self._eps = eps

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        size = x.shape[-1]
        mean_square = torch.linalg.vector_norm(x, dim=-1, keepdim=True).square_().div_(size)
        return (x * self._weight).mul_(mean_square.add_(self._eps).rsqrt_())


def make_linear(weights: Mapping[str, torch.Tensor], name: str, precision: Precision) -> Linear:
    """The packed matrix `name` in `precision`, with `{name}.bias` if there is one."""
    bias = weights.get(f"{name}.bias")
    if precision == "int8":
        # Few rows ever reach the head, and its errors go straight into the probabilities.
        options = {"max_peak": 0.0} if name == "lm_head" else {}
        return Int8Linear(weights[f"{name}.int8"], weights[f"{name}.scale"], bias, **options)
    weight = weights[f"{name}.weight"]
    return FloatLinear(weight.float() if precision == "float32" else weight, bias)


def add_product(residual: torch.Tensor, linear: Linear, x: torch.Tensor) -> None:
    """`residual += linear(x)`."""
    product, row_scale = linear.product(x)
    _accumulate(residual, product, row_scale)


def add_gated_mlp(residual: torch.Tensor, gate_up: Linear, down: Linear, x: torch.Tensor) -> None:
    """`residual += down(silu(gate(x)) * up(x))` (SwiGLU, https://arxiv.org/abs/2002.05202)."""
    product, row_scale = gate_up.product(x)
    gate, up = product.chunk(2, dim=-1)
    if row_scale is not None:
        gate.mul_(row_scale)
    hidden = F.silu(gate).mul_(up)
    product, row_scale = down.product(hidden, row_scale)
    _accumulate(residual, product, row_scale)


def _accumulate(
    residual: torch.Tensor, product: torch.Tensor, row_scale: torch.Tensor | None
) -> None:
    if row_scale is None:
        residual.add_(product)
    else:
        residual.addcmul_(product, row_scale)
