"""The pairs of a sequence's tokens, read from its blocks as far as a policy asks for them."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from assay.kernels import stored
from assay.kv_cache.policies.attention import keep_highest, query_attention
from assay.kv_cache.policies.sketch import rescore
from assay.kv_cache.storage import BlockStorage
from assay.models.layers import Kernels


class BlockPairs:
    """The first `num_tokens` tokens in `block_table` (`policies.base.Pairs`). Valid until the
    blocks are written to."""

    def __init__(
        self, storage: BlockStorage, kernels: Kernels, block_table: Sequence[int], num_tokens: int
    ) -> None:
        self._storage = storage
        self._is_native = kernels == "native" and storage.suits_operators
        self._block_table = block_table
        self.num_tokens = num_tokens

    def keys(self, num_tokens: int) -> torch.Tensor:
        return self._storage.read(0, self._block_table, num_tokens)

    def values(self, num_tokens: int) -> torch.Tensor:
        return self._storage.read(1, self._block_table, num_tokens)

    def attention(self, num_tokens: int, queries: torch.Tensor) -> torch.Tensor:
        if self._is_native:
            return stored.query_attention(
                self._storage.blocks, self._block_table, num_tokens, queries
            )
        return query_attention(self.keys(num_tokens), queries)

    def highest(self, scores: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
        return (stored.keep_highest if self._is_native else keep_highest)(scores, counts)

    def rescore(
        self,
        codes: torch.Tensor,
        static: torch.Tensor,
        queries: torch.Tensor,
        factor: float,
        least: float,
    ) -> torch.Tensor:
        work = stored.rescore if self._is_native else rescore
        return work(codes, static, queries, factor, least)
