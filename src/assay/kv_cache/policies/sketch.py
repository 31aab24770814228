"""Keys in four bytes: enough to tell which pairs a query favours, without reading the keys.

A query's scores are its products with keys. Two projections for each KV head, of queries and of
keys, keep most of what tells one product from another in a few dimensions (`assay.training.sketch`
fits them); of a key they leave a few int8. A window that is chosen again reads those: 1/32 of the
keys.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from assay.kv_cache.policies.weights import load_weights
from assay.models.config import ModelConfig


@dataclass(frozen=True, slots=True)
class Sketch:
    """Some keys: `codes` int8 `(num_layers, num_kv_heads, rank, num_tokens)`, to be multiplied by
    `scales` `(num_layers, num_kv_heads)`."""

    codes: torch.Tensor
    scales: torch.Tensor


class Sketcher:
    """Sketches with the weights `query` and `key`, `(num_layers, num_kv_heads, head_dim, rank)`.
    Immutable."""

    def __init__(self, weights: Mapping[str, NDArray[np.float32]]) -> None:
        self._query = torch.from_numpy(weights["query"])
        self._key = torch.from_numpy(weights["key"])

    @classmethod
    def load(cls, config: ModelConfig) -> Sketcher | None:
        """The sketcher for models of this shape; None if there is none.

        Raises:
            CorruptModelError: its file cannot be read.
        """
        weights = load_weights("sketch", config)
        return None if weights is None else cls(weights)

    def sketch(self, keys: torch.Tensor) -> Sketch:
        """Sketches rotated keys `(num_layers, num_kv_heads, num_tokens, head_dim)`, less what those
        of a head have in common."""
        projected = (keys @ self._key.to(keys.dtype)).float().transpose(-1, -2).contiguous()
        projected -= projected.mean(-1, keepdim=True)
        scales = (projected.abs().amax((-1, -2)) / 127).clamp_min(1e-12)
        codes = projected.div_(scales[..., None, None]).round_().to(torch.int8)
        return Sketch(codes, scales)

    def project(self, queries: torch.Tensor, sketch: Sketch) -> torch.Tensor:
        """The latest of `queries` `(num_layers, num_heads, num_queries, head_dim)`, such that its
        products with `sketch.codes` are scores: `(num_layers, num_kv_heads, group, rank)`."""
        head_dim = queries.shape[3]
        latest = queries[:, :, -1].float().view(*self._query.shape[:2], -1, head_dim)
        factors = sketch.scales * head_dim**-0.5
        return (latest @ self._query).mul_(factors[..., None, None])


def rescore(
    codes: torch.Tensor, static: torch.Tensor, queries: torch.Tensor, factor: float, least: float
) -> torch.Tensor:
    """`static` plus `factor` times how far `queries` (of `Sketcher.project`) favour the pairs of
    `codes`: the logarithm of their attention, at least `least`, the greatest of the heads that
    share a pair, less its mean over a head's pairs. `(num_layers, num_kv_heads, num_tokens)`,
    float32."""
    logs = torch.log_softmax(queries @ codes.float(), dim=-1).amax(2).clamp_min_(least)
    logs -= logs.mean(-1, keepdim=True)
    return torch.add(static.float(), logs, alpha=factor)
