"""What a sequence keeps of its first tokens: other pairs in every layer and for every key head.

A *pair* is the key and the value of one token for one head in one layer. A *page* is room for
`block_size` of them: page `((block * num_layers + layer) * 2) * num_kv_heads + head` is where a
block has the keys of that head in that layer, and its values stand `num_kv_heads` pages further. So
a page may hold the pairs of any layer and head, and pages are carved out of blocks
(`kv_cache/pages.py`). Keys are kept turned by their positions, as they were computed.

Torch-free.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Pages = NDArray[np.int32]


class PairPlaces(NamedTuple):
    """Where some pairs lie: the page of each and the slot in it, both `(num_pairs,)` int32."""

    pages: Pages
    slots: NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """Pairs chosen of a sequence: `counts` `(num_layers, num_kv_heads)` of them, and the token of
    each, `tokens` `(num_pairs,)`, head by head, layer by layer. Both int32."""

    tokens: NDArray[np.int32]
    counts: NDArray[np.int32]

    @classmethod
    def from_mask(cls, kept: NDArray[np.bool_]) -> Selection:
        """`kept` is `(num_layers, num_kv_heads, num_tokens)`."""
        return cls._from_flat(np.flatnonzero(kept), kept.shape)

    @classmethod
    def _from_flat(cls, pairs: NDArray[np.int64], shape: tuple[int, ...]) -> Selection:
        """`pairs` ascending, numbered through a mask of this shape."""
        num_layers, num_kv_heads, num_tokens = shape
        ends = np.searchsorted(pairs, np.arange(num_layers * num_kv_heads + 1) * num_tokens)
        counts = np.diff(ends)
        tokens = pairs - np.repeat(np.arange(counts.size) * num_tokens, counts)
        return cls(
            tokens.astype(np.int32), counts.astype(np.int32).reshape(num_layers, num_kv_heads)
        )

    def exchange(self, kept: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], Selection]:
        """From these pairs to as many others of each head, `kept` `(num_layers, num_kv_heads,
        num_tokens)`: which of these go, and the pairs that come in their place, in order."""
        num_tokens = kept.shape[2]
        firsts = np.arange(self.counts.size, dtype=np.int64) * num_tokens
        pairs = np.repeat(firsts, self.counts.ravel()) + self.tokens
        comes = kept.reshape(-1).copy()
        goes = ~comes[pairs]
        comes[pairs] = False
        selection = Selection._from_flat(np.flatnonzero(comes), kept.shape)
        gone = np.diff(np.searchsorted(pairs[goes], np.append(firsts, kept.size)))
        assert np.array_equal(gone, selection.counts.ravel()), "not as many pairs as before"
        return goes, selection

    def places(self, block_table: Sequence[int], block_size: int) -> PairPlaces:
        """Where the pairs lie in blocks that hold the tokens from the first on."""
        num_layers, num_kv_heads = self.counts.shape
        rows = np.arange(num_layers * 2 * num_kv_heads, dtype=np.int32)
        of_head = rows.reshape(num_layers, 2, num_kv_heads)[:, 0].ravel()
        blocks, slots = np.divmod(self.tokens, np.int32(block_size))
        pages = np.asarray(block_table, dtype=np.int32)[blocks] * np.int32(len(rows))
        return PairPlaces(pages + np.repeat(of_head, self.counts.ravel()), slots)


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """`counts` `(num_layers, num_kv_heads)` pairs, in `pages` `(num_layers, num_kv_heads,
    max_pages)`, of which the first `ceil(count / block_size)` count. They come before all tokens in
    the sequence's blocks, and all of those see them. Both arrays are contiguous int32 and are not
    written to any more.
    """

    pages: Pages
    counts: NDArray[np.int32]
    # What compiled operators take: `AssayWindow` of kernels/native/attention.hpp.
    addresses: tuple[int, int, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        for array in (self.pages, self.counts):
            assert array.dtype == np.int32
            assert array.flags.c_contiguous
        assert self.pages.shape[:2] == self.counts.shape
        addresses = (self.pages.ctypes.data, self.counts.ctypes.data, self.pages.shape[2])
        object.__setattr__(self, "addresses", addresses)

    @property
    def num_pairs(self) -> int:
        """Pairs kept, over all layers and heads."""
        return int(self.counts.sum())

    def taken_pages(self, block_size: int) -> Pages:
        """The pages that hold something, head by head, layer by layer."""
        return self.pages[_first(pages_for(self.counts, block_size), self.pages.shape[2])]

    def places(self, block_size: int, skipped: NDArray[np.int32] | None = None) -> PairPlaces:
        """Where the pairs lie, head by head, layer by layer; of each head but the first `skipped`
        `(num_layers, num_kv_heads)`."""
        held, counts = _first(self.counts, self.pages.shape[2] * block_size), self.counts
        if skipped is not None:
            held, counts = held & ~_first(skipped, held.shape[2]), counts - skipped
        pages, slots = np.divmod(np.nonzero(held)[2].astype(np.int32), np.int32(block_size))
        heads = np.repeat(np.arange(counts.size), counts.ravel())
        return PairPlaces(self.pages.reshape(counts.size, -1)[heads, pages], slots)

    def places_of(self, pairs: NDArray[np.int64], block_size: int) -> PairPlaces:
        """Where some of the pairs lie, numbered in the order of `places`."""
        ends = np.cumsum(self.counts)
        heads = np.searchsorted(ends, pairs, side="right")
        within = (pairs - (ends - self.counts.ravel())[heads]).astype(np.int32)
        pages, slots = np.divmod(within, np.int32(block_size))
        return PairPlaces(self.pages.reshape(self.counts.size, -1)[heads, pages], slots)

    def extended(self, counts: NDArray[np.int32], pages: Pages, block_size: int) -> Window:
        """This and `counts` more pairs, on its own pages and as many more as they take."""
        total = self.counts + counts
        held, needed = pages_for(self.counts, block_size), pages_for(total, block_size)
        length = int(needed.max(initial=0))
        table = np.zeros((*total.shape, length), dtype=np.int32)
        table[..., : self.pages.shape[2]] = self.pages
        table[_first(needed, length) & ~_first(held, length)] = pages
        return Window(table, total)


def pages_for(counts: NDArray[np.int32], block_size: int) -> NDArray[np.int32]:
    """How many pages so many pairs take."""
    return -(-counts // np.int32(block_size))


def make_window(counts: NDArray[np.int32], pages: Pages, block_size: int) -> Window:
    """A window of `counts` pairs on `pages`, as many as they take, dealt out in order."""
    nothing = np.zeros(counts.shape, dtype=np.int32)
    empty = Window(np.zeros((*counts.shape, 0), dtype=np.int32), nothing)
    return empty.extended(counts, pages, block_size)


def _first(counts: NDArray[np.int32], length: int) -> NDArray[np.bool_]:
    """True in the first `counts` `(num_layers, num_kv_heads)` of `length` places."""
    mask: NDArray[np.bool_] = np.arange(length, dtype=np.int32) < counts[..., None]
    return mask
