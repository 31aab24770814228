"""Writes blocks to disk on a thread of its own, so that no step waits for the disk.

A block on its way is found like one that has arrived. What is on its way is bounded: where the disk
does not keep up, blocks are dropped and counted. The first failure (a full disk, say) is said once;
after it nothing more is written, and what is there can still be read. Torch-free.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import replace
from threading import Condition, Thread

from assay.kv_cache.block_pool import BlockHash
from assay.kv_cache.tiers.disk import DiskTier
from assay.kv_cache.tiers.host import StoredBlock

_logger = logging.getLogger(__name__)

MAX_WAITING_BYTES = 64 * 2**20


class DiskWriter:
    """Owns `disk` and the thread; all calls come from one other thread."""

    def __init__(self, disk: DiskTier, max_waiting_bytes: int = MAX_WAITING_BYTES) -> None:
        self.disk = disk
        self.num_dropped = 0
        self._max_waiting = max(1, max_waiting_bytes // disk.block_bytes)
        self._waiting: OrderedDict[BlockHash, StoredBlock] = OrderedDict()
        self._changed = Condition()
        self._has_failed = False
        self._is_closing = False
        self._thread = Thread(target=self._run, name="assay-disk-cache", daemon=True)
        self._thread.start()

    def __contains__(self, key: BlockHash) -> bool:
        return key in self._waiting or key in self.disk

    def offer(self, blocks: Iterable[StoredBlock], *, wait: bool = False) -> None:
        """Has blocks written that are not on disk. With `wait`, waits for room instead of dropping
        what there is no room for."""
        for block in blocks:
            if block.key in self:
                continue
            with self._changed:
                if wait:
                    self._changed.wait_for(lambda: self._has_room)
                if not self._has_room or self._has_failed:
                    self.num_dropped += 1
                    continue
                self._waiting[block.key] = block
                self._changed.notify_all()

    def read(self, key: BlockHash) -> StoredBlock | None:
        """The block of `key`, on its way or on disk, counted as used once more."""
        with self._changed:
            waiting = self._waiting.get(key)
        if waiting is None:
            return self.disk.read(key)
        return replace(waiting, num_uses=waiting.num_uses + 1)

    def discard(self, key: BlockHash) -> None:
        """Drops a block; one on its way may still arrive."""
        with self._changed:
            self._waiting.pop(key, None)
        self.disk.discard(key)

    def flush(self) -> None:
        """Waits until nothing is on its way."""
        with self._changed:
            self._changed.wait_for(lambda: not self._waiting)

    def close(self) -> None:
        """Writes what is on its way, ends the thread and closes the files. Idempotent."""
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        self._thread.join()
        self.disk.close()

    @property
    def _has_room(self) -> bool:
        return len(self._waiting) < self._max_waiting

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._is_closing)
                if not self._waiting:
                    return
                key, block = next(iter(self._waiting.items()))
            try:
                if not self._has_failed:
                    self.disk.write(block)
            except Exception as error:  # noqa: BLE001  whatever it is, nobody may wait for ever
                self._has_failed = True
                _logger.warning("the disk cache is no longer written to: %s", error)
            with self._changed:
                if self._has_failed:
                    self.num_dropped += 1
                self._waiting.pop(key, None)
                self._changed.notify_all()
