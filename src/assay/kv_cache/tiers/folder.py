"""The folder of a disk tier: one for each kind of content, held by one process at a time.

::

    CACHE_DIR/FINGERPRINT/      0700; the fingerprint tells model, precision, layout and format
        lock                    flock, held as long as the tier is open
        index, blocks           `tiers/disk.py`

The files hold what a model made of tenants' documents: they are readable by their owner alone, and
links are not followed. The system drops the lock when its process ends, however it ends.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from fcntl import LOCK_EX, LOCK_NB, flock
from hashlib import blake2b
from pathlib import Path

from assay.errors import ConfigError

FORMAT_VERSION = 1
_LOCK, _INDEX, _BLOCKS = "lock", "index", "blocks"


def fingerprint(facts: Mapping[str, object]) -> str:
    """A folder's name for contents that can be used where all of `facts` are the same."""
    text = json.dumps({"format": FORMAT_VERSION, **facts}, sort_keys=True, default=str)
    return blake2b(text.encode(), digest_size=16).hexdigest()


class CacheFolder:
    """Open files of a folder that this process has to itself, until `close`."""

    def __init__(self, path: Path, lock: int) -> None:
        self.path = path
        self.index, self.blocks = -1, -1
        self._lock = lock
        self.index = _open(path / _INDEX)
        self.blocks = _open(path / _BLOCKS)

    @classmethod
    def open(cls, cache_dir: Path, name: str) -> CacheFolder | None:
        """Opens a folder, making it where it is not there; None while another process holds it.

        Raises:
            ConfigError: it cannot be made, read or written.
        """
        path = cache_dir / name
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.chmod(0o700)
            lock = _open(path / _LOCK)
            try:
                flock(lock, LOCK_EX | LOCK_NB)
                return cls(path, lock)
            except BlockingIOError:
                os.close(lock)
                return None
            except OSError:
                os.close(lock)
                raise
        except OSError as error:
            raise ConfigError(
                f"disk_cache_dir: {path} cannot be used: {error.strerror}",
                remedy="choose a folder that this user can write to",
            ) from error

    def close(self) -> None:
        """Closes the files and lets others in. Idempotent."""
        for descriptor in (self.index, self.blocks, self._lock):
            if descriptor >= 0:
                os.close(descriptor)
        self.index = self.blocks = self._lock = -1


def _open(path: Path) -> int:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    os.fchmod(descriptor, 0o600)
    return descriptor
