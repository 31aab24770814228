"""Behind the live blocks: host memory, and behind that disk.

===================  ==========================================================================
a block's content    when
===================  ==========================================================================
live -> host         the pool or the slice table gives the block up (`save`)
host -> disk         host memory is full: the least valuable are handed to the writer (`settle`)
host, disk -> live   a sequence or a slice needs it (`fetch`); what comes from disk is then in
                     host memory too
===================  ==========================================================================

A block that goes up is kept below, so that it need not be moved down again. Contents are copied by
the moves of a step (`kv_cache/moves.py`); `settle` is called when they have been made, and until
then nothing saved is handed to the disk. Keys hold the salt of their tenant, save for what is
public: no two ever share. Torch-free.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from assay.kv_cache.block_pool import BlockHash
from assay.kv_cache.moves import BlockSave
from assay.kv_cache.tiers.host import Content, HostTier, StoredBlock
from assay.kv_cache.tiers.writer import DiskWriter

TierName = Literal["host", "disk"]


class Fetched(NamedTuple):
    """A content, how often it was used, and where it was found."""

    content: Content
    num_uses: int
    tier: TierName


class Tiers:
    """Finds and keeps the contents of blocks of `block_bytes` each; owns `writer`.

    At most `host_bytes` are held in host memory, besides what is on its way to the disk.
    """

    def __init__(
        self, block_bytes: int, *, host_bytes: int, writer: DiskWriter | None = None
    ) -> None:
        self.host = HostTier(host_bytes, block_bytes)
        self.writer = writer
        self.num_saved = 0
        self._block_bytes = block_bytes
        # Given up by host memory, perhaps not filled yet.
        self._leaving: dict[BlockHash, StoredBlock] = {}

    @property
    def is_empty_handed(self) -> bool:
        """Whether nothing is ever kept: then there is no point in saving."""
        return self.host.max_blocks == 0 and self.writer is None

    def __contains__(self, key: BlockHash) -> bool:
        return (
            key in self.host
            or key in self._leaving
            or (self.writer is not None and key in self.writer)
        )

    def save(
        self, key: BlockHash, block: int, num_tokens: float, num_uses: int
    ) -> BlockSave | None:
        """Keeps what is in a live block that is given up; None if it is there already, else the
        move that does it, to be made before the block is written to."""
        if self.is_empty_handed:
            return None
        if self.host.renew(key, num_uses) or key in self._leaving:
            return None
        content = np.empty(self._block_bytes, dtype=np.uint8)
        self.num_saved += 1
        self._put(StoredBlock(key, content, num_tokens, num_uses))
        return BlockSave(block, content)

    def fetch(self, key: BlockHash) -> Fetched | None:
        """The content of `key`, counted as used once more; None if it is nowhere, or damaged.

        The content is there once the moves before have been made; it is not to be written to.
        """
        held = self.host.use(key)
        if held is None and (held := self._leaving.get(key)) is not None:
            held.num_uses += 1
        if held is not None:
            return Fetched(held.content, held.num_uses, "host")
        read = None if self.writer is None else self.writer.read(key)
        if read is None:
            return None
        self._put(read)
        return Fetched(read.content, read.num_uses, "disk")

    def discard(self, key: BlockHash) -> None:
        """Drops a block in every tier; nothing if it is not there."""
        self.host.discard(key)
        self._leaving.pop(key, None)
        if self.writer is not None:
            self.writer.discard(key)

    def settle(self, *, wait: bool = False) -> None:
        """Says that every move has been made: what host memory gave up goes to the disk. With
        `wait`, waits for the disk where it does not keep up."""
        if self._leaving and self.writer is not None:
            self.writer.offer(self._leaving.values(), wait=wait)
        self._leaving.clear()

    def forget(self) -> None:
        """Drops what host memory holds, since moves may have failed. The disk has only what was
        settled."""
        self.host.forget()
        self._leaving.clear()

    def close(self) -> None:
        """Writes to disk what host memory holds, and closes the disk. Idempotent."""
        if self.writer is not None:
            self.settle(wait=True)
            self.writer.offer(self.host.take_all(), wait=True)
            self.writer.close()

    def check_integrity(self) -> None:
        """Asserts the invariants of each tier."""
        self.host.check_integrity()
        assert not any(key in self.host for key in self._leaving), "a block leaves and stays"
        if self.writer is not None:
            self.writer.disk.check_integrity()

    def _put(self, block: StoredBlock) -> None:
        for evicted in self.host.put(block):
            self._leaving[evicted.key] = evicted
