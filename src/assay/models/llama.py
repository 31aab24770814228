"""The Llama family: Llama, SmolLM2, Mistral, Qwen2, Qwen3, told apart by `ModelConfig` alone.

Pre-norm decoder with rotary, grouped-query attention and a gated MLP. Qwen2 adds a bias to the
projections of queries, keys and values (`qkv_bias`), Qwen3 a norm on each head of queries and
keys (`qk_norm`), Mistral a sliding window (`sliding_window`, the attention's business).

The model owns no cache: `forward` hands each layer's queries, keys and values to an `Attention`.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch.nn import functional as F

from assay.errors import CorruptModelError
from assay.models.config import ModelConfig
from assay.models.layers import Attention, DecoderLayer, Kernels, OutputHead, Precision
from assay.models.rotary import Rotary
from assay.models.term_rows import TermRows


class LlamaModel:
    """A decoder over packed `weights` (names as in `models/config.py`), which it never writes to.

    `precision` is that of weights and products; attention runs in `kv_dtype`, all else in float32.
    `kernels` "native" takes compiled operators where there are any for the precision; the caller
    has made sure that they run here (`assay.kernels.library.why_not`).

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
        kernels: Kernels = "torch",
    ) -> None:
        self.config = config
        self.precision: Precision = precision
        self.kernels: Kernels = kernels
        self.kv_dtype = kv_dtype(precision)
        self.rotary = Rotary(config)
        #: What tokens beyond the vocabulary stand for, once there are any.
        self.term_rows: TermRows | None = None
        try:
            self._embedding = weights["embedding.weight"]
            self._layers, self._head = _make_layers(config, weights, precision, kernels)
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
        order that `attention` was made for. The logits are valid until the next call.
        """
        if self.term_rows is None:
            hidden = F.embedding(token_ids, self._embedding).to(torch.float32)
        else:
            hidden = self.term_rows.embed(token_ids, self._embedding)
        cos, sin = self.rotary.tables(positions)
        last = self.config.num_layers - 1
        for index, layer in enumerate(self._layers):
            attended = attention(index, layer.project(hidden), cos, sin)
            if index == last:
                hidden, attended = hidden[wanted], attended[wanted]
                if len(wanted) == 0:
                    return hidden.new_empty(0, self.config.vocab_size)
            layer.add_attended(hidden, attended)
            layer.add_mlp(hidden)
        return self._head(hidden)


def kv_dtype(precision: Precision) -> torch.dtype:
    """The type of cached keys and values."""
    return torch.float32 if precision == "float32" else torch.bfloat16


def _make_layers(
    config: ModelConfig,
    weights: Mapping[str, torch.Tensor],
    precision: Precision,
    kernels: Kernels,
) -> tuple[list[DecoderLayer], OutputHead]:
    prefixes = [f"layers.{index}." for index in range(config.num_layers)]
    if kernels == "native" and precision == "int8":
        from assay.kernels.workspace import Workspace
        from assay.models.native_layers import NativeHead, NativeLayer

        workspace = Workspace()
        native = [NativeLayer(config, weights, prefix, workspace) for prefix in prefixes]
        return list(native), NativeHead(config, weights, workspace)
    from assay.models.torch_layers import TorchHead, TorchLayer

    layers = [TorchLayer(config, weights, prefix, precision) for prefix in prefixes]
    return list(layers), TorchHead(config, weights, precision)
