"""The pairs of a sequence's tokens, read from its blocks as far as a policy asks for them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

import torch

from assay.kernels import stored
from assay.kv_cache.block_pool import BlockHash
from assay.kv_cache.policies.attention import keep_highest, query_attention
from assay.kv_cache.policies.sketch import rescore
from assay.kv_cache.storage import BlockStorage
from assay.models.layers import Kernels


class PairReader:
    """Reads `storage`, and remembers what was found out about blocks by their hashes: of as many
    blocks as there are in the storage, those asked about last."""

    def __init__(self, storage: BlockStorage, kernels: Kernels) -> None:
        self.storage = storage
        self.is_native = kernels == "native" and storage.suits_operators
        self._found: OrderedDict[BlockHash, torch.Tensor] = OrderedDict()

    def __call__(
        self, block_table: Sequence[int], num_tokens: int, hashes: Sequence[BlockHash] = ()
    ) -> BlockPairs:
        """The first `num_tokens` tokens in `block_table`; `hashes` name what the first blocks hold.
        Valid until the blocks are written to."""
        return BlockPairs(self, block_table, num_tokens, hashes)

    def recall(self, block_hash: BlockHash) -> torch.Tensor | None:
        """What is remembered of a block."""
        found = self._found.get(block_hash)
        if found is not None:
            self._found.move_to_end(block_hash)
        return found

    def remember(self, block_hash: BlockHash, found: torch.Tensor) -> None:
        self._found[block_hash] = found
        if len(self._found) > self.storage.num_blocks:
            self._found.popitem(last=False)


class BlockPairs:
    """`policies.base.Pairs`, made by a `PairReader`."""

    def __init__(
        self,
        reader: PairReader,
        block_table: Sequence[int],
        num_tokens: int,
        hashes: Sequence[BlockHash],
    ) -> None:
        self._reader = reader
        self._block_table = block_table
        self._hashes = hashes
        self.num_tokens = num_tokens

    def keys(self, num_tokens: int) -> torch.Tensor:
        return self._reader.storage.read(0, self._block_table, num_tokens)

    def values(self, num_tokens: int) -> torch.Tensor:
        return self._reader.storage.read(1, self._block_table, num_tokens)

    def attention(self, num_tokens: int, queries: torch.Tensor) -> torch.Tensor:
        if self._reader.is_native:
            blocks = self._reader.storage.blocks
            return stored.query_attention(blocks, self._block_table, num_tokens, queries)
        return query_attention(self.keys(num_tokens), queries)

    def highest(self, scores: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
        return (stored.keep_highest if self._reader.is_native else keep_highest)(scores, counts)

    def rescore(
        self,
        codes: torch.Tensor,
        static: torch.Tensor,
        queries: torch.Tensor,
        factor: float,
        least: float,
    ) -> torch.Tensor:
        operator = stored.rescore if self._reader.is_native else rescore
        return operator(codes, static, queries, factor, least)

    def describe(
        self, function: Callable[[torch.Tensor, torch.Tensor], torch.Tensor], num_tokens: int
    ) -> torch.Tensor:
        storage, size = self._reader.storage, self._reader.storage.block_size
        table = self._block_table[: -(-num_tokens // size)]
        parts = [self._reader.recall(item) for item in self._hashes[: len(table)]]
        parts += [None] * (len(table) - len(parts))
        missing = [place for place, part in enumerate(parts) if part is None]
        if missing:
            blocks = [table[place] for place in missing]
            pairs = [storage.read(kind, blocks, len(blocks) * size) for kind in (0, 1)]
            for place, part in zip(missing, torch.split(function(*pairs), size, -1), strict=True):
                parts[place] = part
                if place < len(self._hashes):
                    self._reader.remember(self._hashes[place], part.clone())
        found = [part for part in parts if part is not None]
        return torch.cat(found, -1)[..., :num_tokens]
