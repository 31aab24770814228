"""Contents of blocks on disk, by key, up to a number of bytes; they outlive the process.

`blocks` is a row of slots of one block each, `index` says what is in them. A slot changes hands so:

==========  =====================================  ==========================
step        written                                found by `read` after it
==========  =====================================  ==========================
1           the record is erased                   neither
2           the content                            neither
3           the record, with the new checksum      the new block
==========  =====================================  ==========================

Whatever is left by a crash between two bytes of it is found out by a checksum (CRC-32 of key and
content: an eighth of the time of BLAKE2b, and it need not stand up to forgers, who would need this
user's rights). A damaged block is dropped and counted, and is computed again.

Blocks are read and written by call, not through a mapping: a file that is cut short, or a disk that
is full or failing, then ends in an error to handle, not in SIGBUS.

One thread writes and one reads. The lock is held for a slot's bookkeeping and for reading, never
while a content is written. Torch-free.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from dataclasses import replace
from threading import Lock
from zlib import crc32

import numpy as np

from assay.errors import ConfigError
from assay.kv_cache.block_pool import BlockHash
from assay.kv_cache.eviction import EvictionOrder
from assay.kv_cache.tiers.folder import CacheFolder
from assay.kv_cache.tiers.host import Content, StoredBlock
from assay.kv_cache.tiers.index_file import (
    HEADER_BYTES,
    RECORD_BYTES,
    IndexFile,
    Record,
    write_all,
)

_logger = logging.getLogger(__name__)


class DiskTier:
    """At most `max_bytes` of blocks of `block_bytes` each in `folder`, which it closes.

    Raises:
        ConfigError: `max_bytes` does not hold a block, or the files cannot be used.
    """

    def __init__(self, folder: CacheFolder, block_bytes: int, max_bytes: int) -> None:
        self.block_bytes = block_bytes
        self.max_blocks = (max_bytes - HEADER_BYTES) // (block_bytes + RECORD_BYTES)
        self.num_damaged = 0
        self._folder = folder
        self._lock = Lock()
        self._slots: dict[BlockHash, tuple[int, Record]] = {}
        self._order: EvictionOrder[BlockHash] = EvictionOrder()
        self._serial = 0
        # The slot that is between two contents.
        self._written_to: int | None = None
        try:
            if self.max_blocks < 1:
                raise ConfigError(
                    f"disk_cache_bytes: {max_bytes} do not hold a block of {block_bytes} bytes"
                )
            self._index = IndexFile(folder.index, block_bytes, folder.path)
            self._free = self._recover()
        except OSError as error:
            folder.close()
            raise ConfigError(
                f"disk_cache_dir: {folder.path} cannot be used: {error.strerror}"
            ) from error
        except ConfigError:
            folder.close()
            raise

    def __len__(self) -> int:
        return len(self._slots)

    def __contains__(self, key: BlockHash) -> bool:
        return key in self._slots

    def write(self, block: StoredBlock) -> None:
        """Stores a block whose key is not there, in the place of the least valuable if need be.

        Raises:
            OSError: the disk is full or failing; the block is not stored, the others are.
        """
        with self._lock:
            if block.key in self._slots:
                return
            slot = self._free.pop() if self._free else self._evict()
            self._written_to = slot
            self._serial += 1
            serial = self._serial
        data = block.content.data
        try:
            write_all(self._folder.blocks, data, slot * self.block_bytes)
            checksum = crc32(data, crc32(block.key))
            record = Record(block.key, serial, block.num_tokens, block.num_uses, checksum)
            with self._lock:
                self._index.write(slot, record)
                self._written_to = None
                self._slots[block.key] = slot, record
                self._order.add(block.key, block.weight)
        except OSError:
            with self._lock:
                self._written_to = None
                self._free.append(slot)
            raise

    def read(self, key: BlockHash) -> StoredBlock | None:
        """The block of `key`, its checksum verified, counted as used once more; None if it is not
        there, or no longer good."""
        with self._lock:
            found = self._slots.get(key)
            if found is None:
                return None
            slot, record = found
            content = np.empty(self.block_bytes, dtype=np.uint8)
            if not self._fill(content, slot) or crc32(content.data, crc32(key)) != record.checksum:
                self._drop(key)
                return None
            block = StoredBlock(key, content, record.num_tokens, record.num_uses + 1)
            # The index learns of it when the block is written again, if ever.
            self._slots[key] = slot, replace(record, num_uses=block.num_uses)
            self._order.revalue(key, block.weight)
        return block

    def discard(self, key: BlockHash) -> None:
        """Drops a block; nothing if it is not there."""
        with self._lock:
            if key in self._slots:
                self._order.discard(key)
                self._release(key)

    def close(self) -> None:
        """Closes the files and lets others in; what was written stays. Idempotent."""
        with self._lock:
            self._folder.close()

    def check_integrity(self) -> None:
        """Asserts that each slot holds one block, is free or written to, and that each block can be
        given up."""
        with self._lock:
            used = [slot for slot, _ in self._slots.values()]
            used += [] if self._written_to is None else [self._written_to]
            assert sorted(used + self._free) == list(range(self.max_blocks)), "a slot is lost"
            assert sorted(self._slots) == sorted(self._order.ascending()), "a block stays for ever"

    def _recover(self) -> list[int]:
        """Reads the index; returns the free slots, the first last."""
        num_present = os.fstat(self._folder.blocks).st_size // self.block_bytes
        found: list[tuple[int, Record]] = []
        for slot, record in self._index.records(self.max_blocks):
            if record is None or slot >= num_present:
                self.num_damaged += 1
                self._index.erase(slot)
            else:
                found.append((slot, record))
        self._index.cut(self.max_blocks)
        if num_present > self.max_blocks:
            os.truncate(self._folder.blocks, self.max_blocks * self.block_bytes)
        for slot, record in sorted(found, key=lambda item: item[1].serial):
            if record.key in self._slots:
                # Left by a crash of the machine that lost the erasure of the older one.
                self._order.discard(record.key)
                self._index.erase(self._slots[record.key][0])
            self._slots[record.key] = slot, record
            self._order.add(record.key, (1 + record.num_uses) * record.num_tokens)
            self._serial = record.serial
        taken = {slot for slot, _ in self._slots.values()}
        return [slot for slot in range(self.max_blocks - 1, -1, -1) if slot not in taken]

    def _fill(self, content: Content, slot: int) -> bool:
        """Reads a slot; false if the file is cut short or the disk failing."""
        try:
            num_read = os.preadv(self._folder.blocks, [content.data], slot * self.block_bytes)
        except OSError:
            return False
        return num_read == self.block_bytes

    def _drop(self, key: BlockHash) -> None:
        """Takes out a block that is damaged."""
        if self.num_damaged == 0:
            _logger.warning("the disk cache is damaged: what is, will be computed again")
        self.num_damaged += 1
        self._order.discard(key)
        # On a disk that cannot be written the record stays, and is as damaged the next time.
        with suppress(OSError):
            self._release(key)

    def _evict(self) -> int:
        self._release(self._order.pop())
        return self._free.pop()

    def _release(self, key: BlockHash) -> None:
        slot, _ = self._slots.pop(key)
        self._free.append(slot)
        self._index.erase(slot)
