"""The tensors that hold keys and values: all layers of a block side by side.

::

    (num_blocks, num_layers, 2, num_kv_heads, block_size, head_dim)      2: keys, values

Block-major, so that memory is touched in proportion to the blocks in use. The pages are the
system's zero pages until a block is first written: what a padded gather reads beside the tokens
that are there is finite, and a mask takes it out.

To a layer the storage is a table of rows: `(block, kind, head)` for gathering whole blocks,
`(block, kind, head, slot)` for writing tokens. Row numbers do not depend on the layer: a layer's
table is the same memory, entered at the layer's offset.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import torch

from assay.kernels import stored
from assay.kernels.native import HEAD_DIMS
from assay.kv_cache.slices import SlotCopy
from assay.kv_cache.tiers.host import Content
from assay.kv_cache.window import PairPlaces, Window, pages_for
from assay.models.config import ModelConfig
from assay.models.layers import Kernels
from assay.models.rotary import Rotary, rotate

# Tokens in a block. Larger ones gather little faster and share less.
DEFAULT_BLOCK_SIZE = 16
_PAGE_BYTES = 4096


def block_bytes(config: ModelConfig, block_size: int, dtype: torch.dtype) -> int:
    """Bytes that a block takes over all layers."""
    return _block_items(config, block_size) * dtype.itemsize


class BlockStorage:
    """Owns the memory of `num_blocks` blocks. Which block holds what is the block pool's to know.

    Blocks are written by the attention of the step that computes their tokens and by no one else.
    """

    def __init__(
        self,
        config: ModelConfig,
        num_blocks: int,
        block_size: int = DEFAULT_BLOCK_SIZE,
        dtype: torch.dtype = torch.bfloat16,
    ) -> None:
        self.num_blocks = num_blocks
        self.block_size = block_size
        self.dtype = dtype
        self.num_kv_heads = config.num_kv_heads
        self.head_dim = config.head_dim
        self.layer_block_bytes = (
            2 * config.num_kv_heads * block_size * config.head_dim * dtype.itemsize
        )
        # Elements from a block to the next.
        self.block_items = _block_items(config, block_size)
        self.nbytes = num_blocks * block_bytes(config, block_size, dtype)
        raw = _zeroed(self.nbytes)
        # The same memory by block, as bytes.
        self._contents: Content = raw.numpy().reshape(num_blocks, -1)
        memory = raw.view(dtype)
        self.blocks = memory.view(
            num_blocks, -1, 2, config.num_kv_heads, block_size, config.head_dim
        )
        self._heads_a_block = config.num_layers * 2 * config.num_kv_heads
        self._rows = memory.view(num_blocks * self._heads_a_block, block_size * config.head_dim)
        self._slots = memory.view(-1, config.head_dim)

    @property
    def suits_operators(self) -> bool:
        """Whether compiled operators take such keys and values."""
        return self.dtype == torch.bfloat16 and self.head_dim in HEAD_DIMS

    def write(self, layer: int, rows: torch.Tensor, key_value: torch.Tensor) -> None:
        """Stores `key_value` `(num_tokens, 2 * num_kv_heads, head_dim)`, keys first, at `rows`."""
        entry = layer * 2 * self.num_kv_heads * self.block_size
        stored = key_value.to(self.dtype, memory_format=torch.contiguous_format)
        self._slots[entry:].index_copy_(0, rows, stored.reshape(-1, self.head_dim))

    def save(self, block: int, content: Content) -> None:
        """Copies all of a block, as bytes, to `content`."""
        content[:] = self._contents[block]

    def load(self, content: Content, block: int) -> None:
        """Copies what `save` has saved to a block."""
        self._contents[block] = content

    def copy_slots(self, copies: Iterable[SlotCopy], rotary: Rotary, kernels: Kernels) -> None:
        """Makes the copies in order, in all layers; `rotary` turns the keys."""
        for copy in copies:
            turn = rotary.turns(torch.tensor([copy.shift])) if copy.shift else None
            if kernels == "native" and self.suits_operators:
                stored.copy_slots(
                    self.blocks,
                    (copy.source_blocks, copy.source_slot),
                    (copy.target_blocks, copy.target_slot),
                    copy.num_tokens,
                    turn,
                )
                continue
            # (tokens, layers, 2, heads, dimensions)
            moved = self.blocks[self._places(copy.source_blocks, copy.source_slot, copy.num_tokens)]
            if turn is not None:
                keys = moved[:, :, 0].reshape(-1, self.num_kv_heads, self.head_dim).float()
                turned = rotate(keys, *turn, torch.empty_like(keys))
                moved[:, :, 0] = turned.view_as(moved[:, :, 0]).to(self.dtype)
            self.blocks[self._places(copy.target_blocks, copy.target_slot, copy.num_tokens)] = moved

    def _places(
        self, blocks: Sequence[int], first_slot: int, num_tokens: int
    ) -> tuple[torch.Tensor | slice, ...]:
        """The index of `num_tokens` tokens, slots counted through the blocks."""
        slots = torch.arange(first_slot, first_slot + num_tokens)
        every = slice(None)
        block_of = torch.tensor(blocks)[slots // self.block_size]
        return block_of, every, every, every, slots % self.block_size

    @property
    def address(self) -> int:
        """Where block 0 begins in memory."""
        return self._slots.data_ptr()

    def gather(
        self, layer: int, rows: torch.Tensor, batch: int
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Copies blocks out: keys and values, each `(batch * num_kv_heads, num_keys, head_dim)`.

        `rows` are `block_rows` of a table of `batch` equally long rows of blocks.
        """
        entry = layer * 2 * self.num_kv_heads
        gathered = self._rows[entry:].index_select(0, rows)
        key, value = gathered.view(2, batch * self.num_kv_heads, -1, self.head_dim)
        return key, value

    def read(self, kind: int, block_table: Sequence[int], num_tokens: int) -> torch.Tensor:
        """Copies out the keys (0) or values (1) of the first `num_tokens` tokens in some blocks,
        `(num_layers, num_kv_heads, num_tokens, head_dim)`."""
        table = torch.tensor(block_table[: -(-num_tokens // self.block_size)])
        by_head = self.blocks[:, :, kind].permute(1, 2, 0, 3, 4)[:, :, table]
        return by_head.flatten(2, 3)[:, :, :num_tokens]

    def num_window_pages(self, layer: int, window: Window) -> int:
        """The most pages that a head of the layer has in a window."""
        return int(pages_for(window.counts[layer], self.block_size).max())

    def gather_window(self, layer: int, window: Window) -> tuple[torch.Tensor, torch.Tensor]:
        """Copies out what a window keeps in a layer: keys and values, each `(num_kv_heads,
        num_pairs, head_dim)`, where `num_pairs` fills the pages of the head that has most. What
        stands beyond a head's own count is finite."""
        pages = window.pages[layer, :, : self.num_window_pages(layer, window)].astype(np.int64)
        rows = torch.from_numpy(np.stack([pages, pages + self.num_kv_heads]).ravel())
        key, value = self._rows.index_select(0, rows).view(2, self.num_kv_heads, -1, self.head_dim)
        return key, value

    def move_pairs(self, sources: PairPlaces, targets: PairPlaces, kernels: Kernels) -> None:
        """Copies pairs: the `i`-th of `sources` to the `i`-th of `targets`. No place is both."""
        to_value = self.num_kv_heads * self.block_size
        source, target = (
            place.pages.astype(np.int64) * self.block_size + place.slots
            for place in (sources, targets)
        )
        if kernels == "native" and self.suits_operators:
            stored.move_pairs(self._slots, source, target, to_value)
            return
        for skip in (0, to_value):
            self._slots[target + skip] = self._slots[source + skip]

    def slot_rows(self, blocks: torch.Tensor, slots: torch.Tensor) -> torch.Tensor:
        """Rows to write tokens at: `slots[t]` of `blocks[t]`, both `(num_tokens,)` int64."""
        heads = blocks[:, None] * self._heads_a_block + torch.arange(2 * self.num_kv_heads)
        return (heads * self.block_size + slots[:, None]).view(-1)

    def block_rows(self, block_tables: torch.Tensor) -> torch.Tensor:
        """Rows to gather for `block_tables` `(batch, blocks_a_sequence)` int64."""
        heads = torch.arange(2 * self.num_kv_heads).view(2, 1, self.num_kv_heads, 1)
        return (block_tables[:, None, :] * self._heads_a_block + heads).view(-1)


def _zeroed(num_bytes: int) -> torch.Tensor:
    """Zeros that begin a page, so that no row of keys lies across cache lines needlessly.

    From numpy, which unlike torch takes zeroed memory from the system without touching it.
    """
    memory = np.zeros(num_bytes + _PAGE_BYTES, dtype=np.uint8)
    skip = -memory.ctypes.data % _PAGE_BYTES
    return torch.from_numpy(memory[skip : skip + num_bytes])


def _block_items(config: ModelConfig, block_size: int) -> int:
    return config.num_layers * 2 * config.num_kv_heads * block_size * config.head_dim
