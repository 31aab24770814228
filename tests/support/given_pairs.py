"""Pairs that a test has at hand, for what a policy reads."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from assay.kv_cache.policies.attention import keep_highest, query_attention
from assay.kv_cache.policies.base import PairFunction
from assay.kv_cache.policies.sketch import rescore


@dataclass(frozen=True, slots=True)
class GivenPairs:
    """Pairs at hand, `(num_layers, num_kv_heads, num_tokens, head_dim)` each."""

    given_keys: torch.Tensor
    given_values: torch.Tensor

    @property
    def num_tokens(self) -> int:
        return self.given_keys.shape[2]

    def keys(self, num_tokens: int) -> torch.Tensor:
        return self.given_keys[:, :, :num_tokens]

    def values(self, num_tokens: int) -> torch.Tensor:
        return self.given_values[:, :, :num_tokens]

    def attention(self, num_tokens: int, queries: torch.Tensor) -> torch.Tensor:
        return query_attention(self.keys(num_tokens), queries)

    def highest(self, scores: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
        return keep_highest(scores, counts)

    def describe(self, function: PairFunction, num_tokens: int) -> torch.Tensor:
        return function(self.keys(num_tokens), self.values(num_tokens))

    def rescore(
        self,
        codes: torch.Tensor,
        static: torch.Tensor,
        queries: torch.Tensor,
        factor: float,
        least: float,
    ) -> torch.Tensor:
        return rescore(codes, static, queries, factor, least)
