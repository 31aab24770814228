"""The index of a disk tier: which slot of the file of blocks holds what.

::

    header    64 bytes: magic, format version, bytes a block, CRC-32 of those
    records   64 bytes each, one a slot, in the order of slots; zeros where a slot is free

A record names its block by key and carries the CRC-32 of key and content, and one of itself. A
record that was written in part, or whose block was, is thus told from a good one after any crash,
in whatever order the system wrote its pages: nothing needs to be forced to disk.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from assay.errors import ConfigError
from assay.kv_cache.block_pool import BlockHash
from assay.kv_cache.tiers.folder import FORMAT_VERSION

_HEADER = struct.Struct("<8sIQ40xI")
_RECORD = struct.Struct("<16sQfII24xI")
_MAGIC = b"assay-kv"
HEADER_BYTES, RECORD_BYTES = _HEADER.size, _RECORD.size


@dataclass(frozen=True, slots=True)
class Record:
    """What a slot holds. Records are numbered by `serial` as they are written."""

    key: BlockHash
    serial: int
    num_tokens: float
    num_uses: int
    checksum: int


class IndexFile:
    """Reads and writes records through an open file, which it does not close."""

    def __init__(self, descriptor: int, block_bytes: int, folder: Path) -> None:
        """Checks the header, or writes it to an empty file. `folder` is for what is said of it.

        Raises:
            ConfigError: the file is not an index of blocks of this size.
            OSError: it cannot be read or written.
        """
        self._descriptor = descriptor
        body = _HEADER.pack(_MAGIC, FORMAT_VERSION, block_bytes, 0)[:-4]
        header = body + struct.pack("<I", crc32(body))
        found = os.pread(descriptor, HEADER_BYTES, 0)
        if not found or (len(found) < HEADER_BYTES and header.startswith(found)):
            write_all(descriptor, header, 0)
        elif found != header:
            raise ConfigError(
                f"disk_cache_dir: the index in {folder} was not written by this version of Assay",
                remedy="remove that folder, or choose another",
            )

    def records(self, num_slots: int) -> Iterator[tuple[int, Record | None]]:
        """Slot and record of the first `num_slots` slots that are not free; None for a record that
        is damaged."""
        data = os.pread(self._descriptor, num_slots * RECORD_BYTES, HEADER_BYTES)
        for slot in range(-(-len(data) // RECORD_BYTES)):
            packed = data[slot * RECORD_BYTES : (slot + 1) * RECORD_BYTES]
            if any(packed):
                yield slot, _unpack(packed)

    def write(self, slot: int, record: Record) -> None:
        fields = (record.key, record.serial, record.num_tokens, record.num_uses, record.checksum)
        body = _RECORD.pack(*fields, 0)[:-4]
        self._put(slot, body + struct.pack("<I", crc32(body)))

    def erase(self, slot: int) -> None:
        self._put(slot, bytes(RECORD_BYTES))

    def cut(self, num_slots: int) -> None:
        """Drops the records from slot `num_slots` on."""
        end = HEADER_BYTES + num_slots * RECORD_BYTES
        if os.fstat(self._descriptor).st_size > end:
            os.truncate(self._descriptor, end)

    def _put(self, slot: int, packed: bytes) -> None:
        write_all(self._descriptor, packed, HEADER_BYTES + slot * RECORD_BYTES)


def write_all(descriptor: int, data: bytes | memoryview, offset: int) -> None:
    """Writes all of `data`, where `os.pwrite` may write a part."""
    view = memoryview(data)
    while view:
        written = os.pwrite(descriptor, view, offset)
        view, offset = view[written:], offset + written


def _unpack(packed: bytes) -> Record | None:
    if len(packed) < RECORD_BYTES or crc32(packed[:-4]) != int.from_bytes(packed[-4:], "little"):
        return None
    return Record(*_RECORD.unpack(packed)[:5])
