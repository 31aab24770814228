"""Contents of blocks in host memory, by key, up to a number of bytes.

A content is a flat array of bytes, one allocation each: whoever still refers to it (a load in the
making, the writer of the disk) keeps it alive after it has left the tier. Torch-free.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from assay.kv_cache.block_pool import BlockHash
from assay.kv_cache.eviction import EvictionOrder

Content: TypeAlias = NDArray[np.uint8]


@dataclass(eq=False, slots=True)
class StoredBlock:
    """A block outside the pool. `num_tokens` is what would have to be computed again without it;
    a fraction where a slice fills its blocks in part."""

    key: BlockHash
    content: Content
    num_tokens: float
    num_uses: int = 0

    @property
    def weight(self) -> float:
        """What it is worth to keep; blocks are of one size."""
        return (1 + self.num_uses) * self.num_tokens


class HostTier:
    """At most `max_bytes` of contents of `block_bytes` each; 0 holds none."""

    def __init__(self, max_bytes: int, block_bytes: int) -> None:
        self.max_blocks = max_bytes // block_bytes
        self._blocks: dict[BlockHash, StoredBlock] = {}
        self._order: EvictionOrder[BlockHash] = EvictionOrder()

    def __len__(self) -> int:
        return len(self._blocks)

    def __contains__(self, key: BlockHash) -> bool:
        return key in self._blocks

    def put(self, block: StoredBlock) -> list[StoredBlock]:
        """Takes in a block whose key is not there; returns those that give way, perhaps itself."""
        self._blocks[block.key] = block
        self._order.add(block.key, block.weight)
        evicted = []
        while len(self._blocks) > self.max_blocks:
            evicted.append(self._blocks.pop(self._order.pop()))
        return evicted

    def use(self, key: BlockHash) -> StoredBlock | None:
        """The block of `key`, counted as used once more; None if it is not there."""
        block = self._blocks.get(key)
        if block is not None:
            block.num_uses += 1
            self._order.revalue(key, block.weight)
        return block

    def renew(self, key: BlockHash, num_uses: int) -> bool:
        """Values a block as if it came now, used `num_uses` times or as often as is known already;
        false if it is not there."""
        block = self._blocks.get(key)
        if block is None:
            return False
        block.num_uses = max(block.num_uses, num_uses)
        self._order.revalue(key, block.weight)
        return True

    def discard(self, key: BlockHash) -> None:
        """Drops a block; nothing if it is not there."""
        if self._blocks.pop(key, None) is not None:
            self._order.discard(key)

    def take_all(self) -> list[StoredBlock]:
        """Empties the tier; the least valuable come first."""
        taken = [self._blocks[key] for key in self._order.ascending()]
        self.forget()
        return taken

    def forget(self) -> None:
        self._blocks.clear()
        self._order.clear()

    def check_integrity(self) -> None:
        """Asserts that every block can be given up, and that the bytes are kept within."""
        assert sorted(self._blocks) == sorted(self._order.ascending()), "a block cannot be evicted"
        assert len(self._blocks) <= self.max_blocks, "more blocks than the tier may hold"
