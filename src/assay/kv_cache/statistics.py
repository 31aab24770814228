"""Where the blocks of prompts came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

# Where a block was found, from near to far.
BlockSource = Literal["live", "host", "disk"]


@dataclass(frozen=True, slots=True)
class CacheStatistics:
    """Counts of blocks since the engine started.

    Each time a sequence is given blocks, those of its prompt and of its slices are counted where
    they were found; `num_computed` are the blocks found nowhere. `num_saved` were copied to host
    memory; `num_damaged` were found damaged on disk and dropped, `num_dropped` were not written to
    disk, because it did not keep up or failed.
    """

    num_live: int = 0
    num_host: int = 0
    num_disk: int = 0
    num_computed: int = 0
    num_saved: int = 0
    num_damaged: int = 0
    num_dropped: int = 0
