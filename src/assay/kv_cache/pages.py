"""Pages for windows, carved out of the pool's blocks.

=========================  =====================================================================
a block is                 while
=========================  =====================================================================
held by the page pool      a page of it is out; one reference to it, taken from the block pool
given back                 its last page comes back
=========================  =====================================================================

A page is out from `allocate` to `release`, which is called once for it. Blocks already broken into
are used up first. Torch-free.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.kv_cache.block_pool import BlockPool
from assay.kv_cache.window import Pages


class PagePool:
    """Hands out pages (`kv_cache/window.py`), `num_layers * num_kv_heads` a block.

    `obtain` gives that many blocks of `pool`, or raises `CapacityError`: the manager's way to make
    room first.
    """

    def __init__(
        self,
        pool: BlockPool,
        num_layers: int,
        num_kv_heads: int,
        obtain: Callable[[int], list[int]] | None = None,
    ) -> None:
        self._pool = pool
        self._obtain = obtain or pool.allocate
        # A block's pages count on from the block's number times the rows that it has.
        rows = np.arange(num_layers * 2 * num_kv_heads, dtype=np.int32)
        self._pages_of_block = rows.reshape(num_layers, 2, num_kv_heads)[:, 0].ravel()
        self._rows_a_block = len(rows)
        # The free pages of each block that is held, in the order in which blocks were broken into.
        self._free: dict[int, Pages] = {}

    @property
    def pages_a_block(self) -> int:
        return len(self._pages_of_block)

    @property
    def num_blocks(self) -> int:
        """Blocks that pages are carved out of."""
        return len(self._free)

    @property
    def num_free(self) -> int:
        """Pages that can be had without another block."""
        return sum(map(len, self._free.values()))

    def num_blocks_for(self, num_pages: int) -> int:
        """The blocks that `allocate` would take from the pool."""
        return max(0, -(-(num_pages - self.num_free) // self.pages_a_block))

    def allocate(self, num_pages: int) -> Pages:
        """That many pages.

        Raises:
            CapacityError: there are not enough blocks; nothing was handed out.
        """
        for block in self._obtain(self.num_blocks_for(num_pages)):
            self._free[block] = self._pages_of_block + np.int32(block * self._rows_a_block)
        parts, missing = [np.empty(0, dtype=np.int32)], num_pages
        for block, free in self._free.items():
            if missing == 0:
                break
            taken = min(missing, len(free))
            parts.append(free[:taken])
            self._free[block] = free[taken:]
            missing -= taken
        return np.concatenate(parts)

    def release(self, pages: Pages) -> None:
        """Takes pages back, and gives back the blocks that are whole again."""
        blocks = pages // self._rows_a_block
        order = np.argsort(blocks, kind="stable")
        found, starts = np.unique(blocks[order], return_index=True)
        for block, part in zip(found.tolist(), np.split(pages[order], starts)[1:], strict=True):
            free = np.concatenate([self._free[block], part])
            assert len(free) <= self.pages_a_block, f"a page of block {block} released twice"
            if len(free) < self.pages_a_block:
                self._free[block] = free
                continue
            del self._free[block]
            self._pool.release([block])

    def held_blocks(self) -> list[int]:
        """The blocks held, for the books."""
        return list(self._free)

    def check_integrity(self, taken: Pages) -> None:
        """Asserts that exactly the pages `taken` are out."""
        free = np.concatenate([np.empty(0, dtype=np.int32), *self._free.values()])
        every = [self._pages_of_block + block * self._rows_a_block for block in self._free]
        known = np.sort(np.concatenate([taken, free]))
        expected = np.sort(np.concatenate([np.empty(0, dtype=np.int32), *every]))
        assert np.array_equal(known, expected), "a page is lost, or in two places"
        for block, pages in self._free.items():
            assert len(pages) < self.pages_a_block, f"block {block} is held for nothing"
            assert self._pool.num_references(block) == 1, f"block {block} of pages is shared"
