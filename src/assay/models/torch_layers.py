"""A decoder layer and the output head out of PyTorch's operators, in any precision."""

from __future__ import annotations

from collections.abc import Mapping

import torch

from assay.models.config import ModelConfig
from assay.models.layers import (
    Precision,
    RMSNorm,
    add_gated_mlp,
    add_product,
    make_linear,
)


class TorchLayer:
    """The layer whose weights begin with `prefix` (`models.layers.DecoderLayer`)."""

    def __init__(
        self,
        config: ModelConfig,
        weights: Mapping[str, torch.Tensor],
        prefix: str,
        precision: Precision,
    ) -> None:
        def norm(name: str) -> RMSNorm:
            return RMSNorm(weights[f"{prefix}{name}.weight"], config.rms_norm_eps)

        self._config = config
        self._input_norm = norm("input_norm")
        self._qkv = make_linear(weights, prefix + "qkv", precision)
        self._head_norms = (norm("q_norm"), norm("k_norm")) if config.qk_norm else None
        self._o = make_linear(weights, prefix + "o", precision)
        self._post_norm = norm("post_norm")
        self._gate_up = make_linear(weights, prefix + "gate_up", precision)
        self._down = make_linear(weights, prefix + "down", precision)

    def project(self, hidden: torch.Tensor) -> torch.Tensor:
        config = self._config
        product, row_scale = self._qkv.product(self._input_norm(hidden))
        if row_scale is not None:
            product.mul_(row_scale)
        heads = product.view(len(hidden), -1, config.head_dim)
        if self._head_norms is not None:
            q_norm, k_norm = self._head_norms
            query = heads[:, : config.num_heads]
            key = heads[:, config.num_heads : config.num_heads + config.num_kv_heads]
            query.copy_(q_norm(query))
            key.copy_(k_norm(key))
        return heads

    def add_attended(self, hidden: torch.Tensor, attended: torch.Tensor) -> None:
        add_product(hidden, self._o, attended)

    def add_mlp(self, hidden: torch.Tensor) -> None:
        add_gated_mlp(hidden, self._gate_up, self._down, self._post_norm(hidden))


class TorchHead:
    """The final norm and the LM head (`models.layers.OutputHead`)."""

    def __init__(
        self, config: ModelConfig, weights: Mapping[str, torch.Tensor], precision: Precision
    ) -> None:
        self._norm = RMSNorm(weights["final_norm.weight"], config.rms_norm_eps)
        if config.tie_word_embeddings and precision != "int8":
            weights = {"lm_head.weight": weights["embedding.weight"]}
        self._lm_head = make_linear(weights, "lm_head", precision)

    def __call__(self, hidden: torch.Tensor) -> torch.Tensor:
        logits, row_scale = self._lm_head.product(self._norm(hidden))
        return logits if row_scale is None else logits.mul_(row_scale)
