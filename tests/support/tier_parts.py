"""Small contents, and tiers over a folder, for tests of the tiers."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from assay.kv_cache.tiers.disk import DiskTier
from assay.kv_cache.tiers.folder import CacheFolder
from assay.kv_cache.tiers.host import StoredBlock
from assay.kv_cache.tiers.index_file import HEADER_BYTES, RECORD_BYTES

BLOCK_BYTES = 32


def key_of(name: str) -> bytes:
    return name.encode().ljust(16, b".")


def content_of(name: str) -> np.ndarray:
    """Bytes that tell whose they are, wherever they are cut."""
    return np.frombuffer((name * BLOCK_BYTES)[:BLOCK_BYTES].encode(), dtype=np.uint8).copy()


def stored(name: str, num_tokens: float = 4, num_uses: int = 0) -> StoredBlock:
    return StoredBlock(key_of(name), content_of(name), num_tokens, num_uses)


def open_disk(cache_dir: Path, num_blocks: int = 8, block_bytes: int = BLOCK_BYTES) -> DiskTier:
    folder = CacheFolder.open(cache_dir, "model")
    assert folder is not None, "the folder is in use"
    max_bytes = HEADER_BYTES + num_blocks * (block_bytes + RECORD_BYTES)
    return DiskTier(folder, block_bytes, max_bytes)
