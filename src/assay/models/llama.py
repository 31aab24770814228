"""The Llama family: Llama, SmolLM2, Mistral, Qwen2, Qwen3, told apart by `ModelConfig` alone.

Pre-norm decoder with rotary, grouped-query attention and a gated MLP. Qwen2 adds a bias to the
projections of queries, keys and values (`qkv_bias`), Qwen3 a norm on each head of queries and
keys (`qk_norm`), Mistral a sliding window (`sliding_window`, the attention's business).

The model owns no cache: `forward` hands each layer's queries, keys and values to an `Attention`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch.nn import functional as F

from assay.errors import CorruptModelError
from assay.models.config import ModelConfig
from assay.models.layers import (
    Attention,
    Linear,
    Precision,
    RMSNorm,
    add_gated_mlp,
    add_product,
    make_linear,
)
from assay.models.rotary import Rotary, rotate


@dataclass(frozen=True, slots=True)
class _Layer:
    input_norm: RMSNorm
    qkv: Linear
    q_norm: RMSNorm | None
    k_norm: RMSNorm | None
    o: Linear
    post_norm: RMSNorm
    gate_up: Linear
    down: Linear


class LlamaModel:
    """A decoder over packed `weights` (names as in `models/config.py`), which it never writes to.

    `precision` is that of weights and products; attention runs in `kv_dtype`, all else in float32.

    Raises:
        CorruptModelError: a weight is missing.
        UnsupportedModelError: the rotary scaling is not known.
    """

    def __init__(
        self,
        config: ModelConfig,
        weights: Mapping[str, torch.Tensor],
        *,
        precision: Precision = "int8",
    ) -> None:
        self.config = config
        self.precision: Precision = precision
        self.kv_dtype = torch.float32 if precision == "float32" else torch.bfloat16
        self._rotary = Rotary(config)
        eps = config.rms_norm_eps
        try:
            self._embedding = weights["embedding.weight"]
            self._layers = [
                _make_layer(config, weights, f"layers.{index}.", precision)
                for index in range(config.num_layers)
            ]
            self._final_norm = RMSNorm(weights["final_norm.weight"], eps)
            if config.tie_word_embeddings and precision != "int8":
                head_weights = {"lm_head.weight": self._embedding}
                self._lm_head = make_linear(head_weights, "lm_head", precision)
            else:
                self._lm_head = make_linear(weights, "lm_head", precision)
        except KeyError as error:
            raise CorruptModelError(
                f"the model lacks the weight {error}", remedy="pull the model again"
            ) from error

    def forward(
        self,
        token_ids: torch.Tensor,
        positions: torch.Tensor,
        attention: Attention,
        wanted: torch.Tensor,
    ) -> torch.Tensor:
        """Logits `(len(wanted), vocab_size)`, float32, after the tokens at the rows `wanted`.

        `token_ids` and `positions` are `(num_tokens,)` int64, of any number of sequences in the
        order that `attention` was made for.
        """
        hidden = F.embedding(token_ids, self._embedding).to(torch.float32)
        cos, sin = self._rotary.tables(positions)
        last = self.config.num_layers - 1
        for index, layer in enumerate(self._layers):
            attended = attention(index, *self._project(layer, hidden, cos, sin))
            if index == last:
                hidden, attended = hidden[wanted], attended[wanted]
                if len(wanted) == 0:
                    return hidden.new_empty(0, self.config.vocab_size)
            add_product(hidden, layer.o, attended)
            add_gated_mlp(hidden, layer.gate_up, layer.down, layer.post_norm(hidden))
        logits, row_scale = self._lm_head.product(self._final_norm(hidden))
        return logits if row_scale is None else logits.mul_(row_scale)

    def _project(
        self, layer: _Layer, hidden: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Rotated queries, and rotated keys with values, as `Attention` takes them."""
        config = self.config
        product, row_scale = layer.qkv.product(layer.input_norm(hidden))
        heads = product.view(len(hidden), -1, config.head_dim)
        num_rotated = config.num_heads + config.num_kv_heads
        if row_scale is not None and layer.q_norm is not None:
            heads.mul_(row_scale[:, :, None])
            row_scale = None
        if layer.q_norm is not None and layer.k_norm is not None:
            heads[:, : config.num_heads] = layer.q_norm(heads[:, : config.num_heads])
            keys = heads[:, config.num_heads : num_rotated]
            heads[:, config.num_heads : num_rotated] = layer.k_norm(keys)
        out = torch.empty_like(heads)
        values = heads[:, num_rotated:]
        if row_scale is None:
            out[:, num_rotated:] = values
        else:
            row_scale = row_scale[:, :, None]
            cos, sin = cos * row_scale, sin * row_scale
            torch.mul(values, row_scale, out=out[:, num_rotated:])
        rotate(heads[:, :num_rotated], cos, sin, out[:, :num_rotated])
        return out[:, : config.num_heads], out[:, config.num_heads :]


def _make_layer(
    config: ModelConfig, weights: Mapping[str, torch.Tensor], prefix: str, precision: Precision
) -> _Layer:
    def norm(name: str) -> RMSNorm:
        return RMSNorm(weights[f"{prefix}{name}.weight"], config.rms_norm_eps)

    return _Layer(
        input_norm=norm("input_norm"),
        qkv=make_linear(weights, prefix + "qkv", precision),
        q_norm=norm("q_norm") if config.qk_norm else None,
        k_norm=norm("k_norm") if config.qk_norm else None,
        o=make_linear(weights, prefix + "o", precision),
        post_norm=norm("post_norm"),
        gate_up=make_linear(weights, prefix + "gate_up", precision),
        down=make_linear(weights, prefix + "down", precision),
    )
