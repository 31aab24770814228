"""A decoder layer and the output head out of compiled operators, in int8.

As `models/torch_layers.py` with the precision int8, but for how a row with a few values far above
the rest is rounded: those values alone get a second digit, so that the others keep fine steps.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch

from assay.kernels import native
from assay.kernels.workspace import Workspace
from assay.models.config import ModelConfig


class NativeLayer:
    """The layer whose weights begin with `prefix` (`models.layers.DecoderLayer`).

    What `project` returns lies in `workspace`, which all layers of a model share.
    """

    def __init__(
        self,
        config: ModelConfig,
        weights: Mapping[str, torch.Tensor],
        prefix: str,
        workspace: Workspace,
    ) -> None:
        self._config = config
        self._workspace = workspace
        self._input_norm = weights[f"{prefix}input_norm.weight"]
        self._qkv = _make_matrix(weights, prefix + "qkv")
        self._head_norms = (
            (weights[f"{prefix}q_norm.weight"], weights[f"{prefix}k_norm.weight"])
            if config.qk_norm
            else None
        )
        self._o = _make_matrix(weights, prefix + "o")
        self._post_norm = weights[f"{prefix}post_norm.weight"]
        self._gate_up = _make_matrix(weights, prefix + "gate_up", gated=True)
        self._down = _make_matrix(weights, prefix + "down")

    def project(self, hidden: torch.Tensor) -> torch.Tensor:
        config = self._config
        out = self._workspace.take("heads", len(hidden), self._qkv.out_features)
        eps = config.rms_norm_eps
        product = native.linear(self._qkv, hidden, self._input_norm, eps, out=out)
        heads = product.view(len(hidden), -1, config.head_dim)
        if self._head_norms is not None:
            q_norm, k_norm = self._head_norms
            native.normalise_heads(heads, 0, config.num_heads, q_norm, eps)
            native.normalise_heads(heads, config.num_heads, config.num_kv_heads, k_norm, eps)
        return heads

    def add_attended(self, hidden: torch.Tensor, attended: torch.Tensor) -> None:
        native.add_linear(hidden, self._o, attended)

    def add_mlp(self, hidden: torch.Tensor) -> None:
        eps = self._config.rms_norm_eps
        native.add_gated_mlp(hidden, self._gate_up, self._down, self._post_norm, eps)


class NativeHead:
    """The final norm and the LM head (`models.layers.OutputHead`). Logits lie in `workspace`."""

    def __init__(
        self, config: ModelConfig, weights: Mapping[str, torch.Tensor], workspace: Workspace
    ) -> None:
        self._workspace = workspace
        self._norm = weights["final_norm.weight"]
        self._eps = config.rms_norm_eps
        self._lm_head = _make_matrix(weights, "lm_head")

    def __call__(self, hidden: torch.Tensor) -> torch.Tensor:
        out = self._workspace.take("logits", len(hidden), self._lm_head.out_features)
        return native.linear(self._lm_head, hidden, self._norm, self._eps, out=out)


def _make_matrix(
    weights: Mapping[str, torch.Tensor], name: str, *, gated: bool = False
) -> native.Int8Matrix:
    return native.Int8Matrix(
        weights[f"{name}.int8"], weights[f"{name}.scale"], weights.get(f"{name}.bias"), gated=gated
    )
