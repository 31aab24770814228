"""Which layers and KV heads need the whole context, and which make do with less.

Three modes, from cheap to dear: *local* (the first tokens and a recent window), *global* (these and
one key node of each run of tokens) and *full*. A linear softmax layer for each KV head picks one
from the mean query of its heads; `assay train scorer` fits it to the cheapest mode that covers
enough of the attention.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum

import numpy as np
import torch
from numpy.typing import NDArray

from assay.kv_cache.policies.weights import load_weights
from assay.models.config import ModelConfig


class Mode(IntEnum):
    """What a KV head may attend to. A greater mode sees all that a smaller one does."""

    LOCAL = 0
    GLOBAL = 1
    FULL = 2


class Router:
    """Picks modes with the weights `linear` `(num_layers, num_kv_heads, group * head_dim, 3)` and
    `bias` `(num_layers, num_kv_heads, 3)`. Immutable."""

    def __init__(self, weights: Mapping[str, NDArray[np.float32]]) -> None:
        self._linear = torch.from_numpy(weights["linear"])
        self._bias = torch.from_numpy(weights["bias"])
        self.num_parameters = sum(array.size for array in weights.values())

    @classmethod
    def load(cls, config: ModelConfig) -> Router | None:
        """The router for models of this shape; None if there is none.

        Raises:
            CorruptModelError: its file cannot be read.
        """
        weights = load_weights("router", config)
        return None if weights is None else cls(weights)

    def modes(self, queries: torch.Tensor) -> torch.Tensor:
        """A `Mode` for each head, int8 `(num_layers, num_kv_heads)`, after `queries` `(num_layers,
        num_heads, num_queries, head_dim)`, rotated, of the latest tokens."""
        features = mean_queries(queries, self._bias.shape[1])
        logits = (features[..., None, :] @ self._linear)[..., 0, :] + self._bias
        return logits.argmax(-1).to(torch.int8)


def mean_queries(queries: torch.Tensor, num_kv_heads: int) -> torch.Tensor:
    """The mean query of each head, those of a group side by side: float32 `(num_layers,
    num_kv_heads, group * head_dim)`."""
    return queries.float().mean(2).view(len(queries), num_kv_heads, -1)
