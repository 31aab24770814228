"""The windows of sequences: from blocks to pages, and back to the pool.

====================  ==========================================================================
from .. to            holder
====================  ==========================================================================
`grow` .. `release`   the sequence's `window`: its pages; the blocks of the tokens that it stands
                      for are given back at `grow`
`renew`               the same; some pairs are overwritten by others
====================  ==========================================================================

Pairs are copied by the moves of the next step. What they are copied from may have been given back
by then, but nothing is written before them. Torch-free.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from assay.kv_cache.contents import BlockContents
from assay.kv_cache.moves import PairMove
from assay.kv_cache.pages import PagePool
from assay.kv_cache.window import Selection, Window, make_window, pages_for


class Windowed(Protocol):
    """What is read and written of a sequence: `block_table` covers the tokens from
    `num_windowed_tokens` on, `window` stands for those before."""

    block_table: list[int]
    window: Window | None
    num_windowed_tokens: int


class WindowTable:
    """Makes, renews and gives back windows. `num_refused` counts those that found no room."""

    def __init__(
        self, contents: BlockContents, block_size: int, num_layers: int, num_kv_heads: int
    ) -> None:
        self._contents = contents
        self._block_size = block_size
        self.pages = PagePool(contents.pool, num_layers, num_kv_heads, contents.obtain)
        self.num_refused = 0

    def grow(self, sequence: Windowed, selection: Selection, num_tokens: int) -> bool:
        """Puts the pairs that `selection` names in the place of the next `num_tokens` tokens, whole
        blocks, which it counts from 0. False, and nothing done, if there is no room."""
        size, old = self._block_size, sequence.window
        held = np.zeros_like(selection.counts) if old is None else old.counts
        needed = pages_for(held + selection.counts, size) - pages_for(held, size)
        if not self._has_room(int(needed.sum())):
            return False
        pages = self.pages.allocate(int(needed.sum()))
        if old is None:
            window = make_window(selection.counts, pages, size)
        else:
            window = old.extended(selection.counts, pages, size)
        left = sequence.block_table[: num_tokens // size]
        sources, targets = selection.places(left, size), window.places(size, held)
        self._contents.add_move(PairMove(sources, targets))
        del sequence.block_table[: len(left)]
        self._contents.pool.release(left)
        sequence.window = window
        sequence.num_windowed_tokens += num_tokens
        return True

    def renew(
        self,
        sequence: Windowed,
        goes: NDArray[np.bool_],
        selection: Selection,
        blocks: Sequence[int],
    ) -> None:
        """Puts the pairs of `selection` in the place of those of the window that `goes` tells, in
        order. `blocks` hold the tokens that the window stands for."""
        assert sequence.window is not None
        targets = sequence.window.places_of(np.flatnonzero(goes), self._block_size)
        self._contents.add_move(PairMove(selection.places(blocks, self._block_size), targets))

    def release(self, sequence: Windowed) -> None:
        """Takes the window's pages back."""
        if sequence.window is not None:
            self.pages.release(sequence.window.taken_pages(self._block_size))
        sequence.window = None
        sequence.num_windowed_tokens = 0

    def check_integrity(self, sequences: Iterable[Windowed]) -> None:
        """Asserts that exactly the pages of the windows of `sequences` are out."""
        taken = [np.empty(0, dtype=np.int32)]
        for sequence in sequences:
            assert (sequence.window is None) == (sequence.num_windowed_tokens == 0)
            if sequence.window is not None:
                taken.append(sequence.window.taken_pages(self._block_size))
        self.pages.check_integrity(np.concatenate(taken))

    def _has_room(self, num_pages: int) -> bool:
        has_room = self.pages.num_blocks_for(num_pages) <= self._contents.num_obtainable
        self.num_refused += not has_room
        return has_room
