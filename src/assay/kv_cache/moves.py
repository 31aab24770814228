"""What is to be done to the contents of blocks before a step computes.

The manager writes moves as it hands blocks out; they are made strictly in its order, so that each
sees what the ones before it left: a block is saved before it is filled anew, and a slice is loaded
before it is copied from. Torch-free.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from assay.kv_cache.slices import SlotCopy
from assay.kv_cache.tiers.host import Content
from assay.kv_cache.window import PairPlaces


@dataclass(frozen=True, slots=True, eq=False)
class BlockSave:
    """The content of `block`, all layers, is to be copied to `content`."""

    block: int
    content: Content


@dataclass(frozen=True, slots=True, eq=False)
class BlockLoad:
    """`content` is to be copied to `block`, all layers."""

    content: Content
    block: int


@dataclass(frozen=True, slots=True, eq=False)
class PairMove:
    """The pairs in `sources` are to be copied to `targets`; no place is both."""

    sources: PairPlaces
    targets: PairPlaces


Move: TypeAlias = BlockSave | BlockLoad | SlotCopy | PairMove
