"""Which cached pairs the tokens to come will attend to, as far as a small network can tell.

The importance of a pair to a KV head is the greatest attention probability that any later token
gives it (KVzip, https://arxiv.org/abs/2505.23416). Its logarithm is predicted in two parts:

- a *static* part from the pair alone, once, by an MLP for each layer and KV head (after KVzap,
  https://arxiv.org/abs/2601.07891). Beside the rotated key and the value it sees how long the key
  is in each of the planes that rotation turns, which no position changes.
- how far the queries of the moment favour the pair: the logarithm of their mean attention, the
  greatest of the heads that share the pair (SnapKV, https://arxiv.org/abs/2404.14469), less the
  mean over the head's pairs.

Scores can be compared between heads, and should be: heads differ so much in how many pairs they
need that one choice over all of them loses a fraction of what the same number in each head loses.

A `Scorer` is immutable. `assay train scorer` fits it (`assay.training`).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional as F

from assay.kv_cache.policies.attention import query_attention
from assay.kv_cache.policies.weights import load_weights
from assay.models.config import ModelConfig

#: Attention below this counts as none: it keeps the logarithm finite.
ATTENTION_FLOOR = 1e-5


class Scorer:
    """Predicts importance with the given weights, each `(num_layers, num_kv_heads, ...)`:

    `key` and `value` `(head_dim, hidden)`, `magnitude` `(head_dim / 2, hidden)`, `hidden_bias`
    `(1, hidden)`, `out` `(hidden, 1)`, `out_bias` `(1, 1)`; and `attention` `(1,)`, for all heads:
    the factor of the second part.
    """

    def __init__(self, weights: Mapping[str, NDArray[np.float32]]) -> None:
        self.num_parameters = sum(array.size for array in weights.values())
        self.attention_factor = float(weights["attention"][0])
        self._weights = {
            name: torch.from_numpy(array).flatten(0, 1)
            for name, array in weights.items()
            if name != "attention"
        }
        # The same in the type of the pairs, made when one is first seen.
        self._by_dtype: dict[torch.dtype, Mapping[str, torch.Tensor]] = {}

    @classmethod
    def load(cls, config: ModelConfig) -> Scorer | None:
        """The scorer for models of this shape; None if there is none.

        Raises:
            CorruptModelError: its file cannot be read.
        """
        weights = load_weights("scorer", config)
        return None if weights is None else cls(weights)

    def static(self, keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
        """The static part, float16 `(num_layers, num_kv_heads, num_tokens)`, of rotated `keys` and
        `values` `(num_layers, num_kv_heads, num_tokens, head_dim)` of one type."""
        shape = keys.shape[:3]
        weights = self._matrices(keys.dtype)
        key, value = keys.flatten(0, 1), values.flatten(0, 1)
        hidden = torch.baddbmm(weights["hidden_bias"], key, weights["key"])
        hidden.baddbmm_(magnitudes(key), weights["magnitude"])
        hidden.baddbmm_(value, weights["value"])
        out = torch.baddbmm(weights["out_bias"], F.gelu(hidden), weights["out"])
        return out.view(shape).to(torch.float16)

    def score(
        self, static: torch.Tensor, keys: torch.Tensor, queries: torch.Tensor
    ) -> torch.Tensor:
        """The logarithm of each pair's importance, float32 `(num_layers, num_kv_heads,
        num_tokens)`, to what comes after `queries` `(num_layers, num_heads, num_queries,
        head_dim)`, rotated like the keys, of the latest tokens."""
        return self.combine(static, query_attention(keys, queries))

    def combine(self, static: torch.Tensor, attention: torch.Tensor) -> torch.Tensor:
        """As `score`, from the pairs' `query_attention`, which is overwritten."""
        logs = attention.add_(ATTENTION_FLOOR).log_()
        logs -= logs.mean(-1, keepdim=True)
        return torch.add(static.float(), logs, alpha=self.attention_factor)

    def _matrices(self, dtype: torch.dtype) -> Mapping[str, torch.Tensor]:
        if dtype not in self._by_dtype:
            self._by_dtype[dtype] = {
                name: weight.to(dtype) for name, weight in self._weights.items()
            }
        return self._by_dtype[dtype]


def magnitudes(keys: torch.Tensor) -> torch.Tensor:
    """The lengths of keys in the planes that rotation turns, `(..., head_dim / 2)`."""
    first, second = keys.chunk(2, dim=-1)
    return (first * first).addcmul_(second, second).sqrt_()
