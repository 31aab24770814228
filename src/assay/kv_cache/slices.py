"""Slices: the keys and values of a segment, kept for prompts to come.

A slice is computed once, right after the preamble of a prompt, and then *attached* to any prompt
with that preamble, wherever the segment stands in it: copied into the prompt's own blocks, its keys
turned by the difference of positions. What a segment says of those before it is lost; its first
tokens may be computed again in their place to make up for that (EPIC, https://arxiv.org/abs/
2410.15332; Block-attention, https://arxiv.org/abs/2409.15355).

The table owns the blocks of its slices, one reference each. The least valuable slices go first
when blocks run out: uses times tokens by blocks (`kv_cache/eviction.py`). Torch-free.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from assay.kv_cache.block_pool import BlockHash, BlockPool, hash_block, root_hash
from assay.kv_cache.eviction import EvictionOrder

SliceKey = BlockHash


def slice_key(salt: str, preamble: Sequence[int], segment: Sequence[int]) -> SliceKey:
    """What a slice is found by: whose it is, what it was computed after, and its tokens."""
    return hash_block(hash_block(root_hash(f"slice {salt}"), preamble), segment)


def slice_block_key(key: SliceKey, index: int) -> BlockHash:
    """What the block `index` of a slice is found by outside the pool."""
    return hash_block(key, [index])


@dataclass(frozen=True, slots=True)
class PromptSegment:
    """The tokens `[start, end)` of a prompt, whose keys and values are the slice of `key`."""

    start: int
    end: int
    key: SliceKey


@dataclass(eq=False, slots=True)
class Slice:
    """`num_tokens` tokens from `position`, the first in slot `first_slot` of the first of `blocks`,
    which nobody else holds."""

    key: SliceKey
    blocks: list[int]
    first_slot: int
    position: int
    num_tokens: int
    num_uses: int = 0

    @property
    def tokens_a_block(self) -> float:
        return self.num_tokens / len(self.blocks)

    @property
    def weight(self) -> float:
        """What it saves for the blocks it takes."""
        return (1 + self.num_uses) * self.tokens_a_block


@dataclass(frozen=True, slots=True)
class SlotCopy:
    """The keys and values of `num_tokens` tokens, all layers, are to be copied from slot
    `source_slot` on of `source_blocks` to `target_slot` on of `target_blocks`, slots counted
    through the blocks, and the keys turned by `shift` positions."""

    source_blocks: Sequence[int]
    source_slot: int
    target_blocks: Sequence[int]
    target_slot: int
    num_tokens: int
    shift: int


class SliceTable:
    """The slices at hand, by key. `on_evict` is told of each that gives way, before its blocks are
    given back."""

    def __init__(self, pool: BlockPool, on_evict: Callable[[Slice], None] | None = None) -> None:
        self._pool = pool
        self._on_evict = on_evict
        self._slices: dict[SliceKey, Slice] = {}
        self._order: EvictionOrder[SliceKey] = EvictionOrder()
        self._num_blocks = 0

    def __len__(self) -> int:
        return len(self._slices)

    def __contains__(self, key: SliceKey) -> bool:
        return key in self._slices

    @property
    def num_blocks(self) -> int:
        """The blocks that all slices together hold; all can be had by `make_room`."""
        return self._num_blocks

    def add(self, item: Slice) -> None:
        """Takes over the references to `item.blocks`. Of equal slices the first is kept."""
        if item.key in self._slices:
            self._pool.release(item.blocks)
            return
        self._slices[item.key] = item
        self._num_blocks += len(item.blocks)
        self._order.add(item.key, item.weight)

    def use(self, key: SliceKey) -> Slice | None:
        """The slice of `key`, counted as used once more; None if it is not there."""
        item = self._slices.get(key)
        if item is not None:
            item.num_uses += 1
            self._order.revalue(key, item.weight)
        return item

    def make_room(self, num_free: int) -> None:
        """Gives slices back, the least valuable first, until the pool has `num_free` free blocks
        or no slice is left."""
        while self._pool.num_free < num_free and self._slices:
            item = self._slices.pop(self._order.pop())
            if self._on_evict is not None:
                self._on_evict(item)
            self._num_blocks -= len(item.blocks)
            self._pool.release(item.blocks)

    def ascending(self) -> list[Slice]:
        """All slices, the least valuable first."""
        return [self._slices[key] for key in self._order.ascending()]

    def forget(self) -> None:
        """Gives all back: after a failed step, or when the weights change."""
        for item in self._slices.values():
            self._pool.release(item.blocks)
        self._slices.clear()
        self._order.clear()
        self._num_blocks = 0

    def held_blocks(self) -> list[int]:
        """The blocks of all slices, for the books."""
        return [block for item in self._slices.values() for block in item.blocks]

    def check_integrity(self) -> None:
        """Asserts that each slice can be evicted once."""
        assert sorted(self._order.ascending()) == sorted(self._slices), "a slice is not evictable"
        held = self.held_blocks()
        assert len(held) == len(set(held)) == self._num_blocks, "slices share blocks"
