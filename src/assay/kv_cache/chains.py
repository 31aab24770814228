"""Chained slices: a document computed in its own order, attached segment by segment, no copy.

A *chain* is a preamble and the whole document behind it, laid out in blocks as one long prompt. Its
blocks are ordinary blocks of the prefix cache, exact and immutable, each found by the hash of all
that it was computed after. A prompt *attaches* the blocks that cover its chosen segments: their
numbers go into its block table, in order, and what lies between them is left out. Keys keep the
positions that they were computed at, so a prompt's own tokens stand behind a gap.

A chain is computed in *windows* of whole blocks, each after the head (the blocks that cover the
preamble) and nothing else, so that a question on a long document computes only the windows it
needs, and a document may be longer than the model has positions. The first window goes on where the
head ends: a document of one window is computed exactly as a plain prompt is. Each window stands at
its own position in the document; where positions run out they start again, so that far windows may
share them (Parallel Context Windows, https://arxiv.org/abs/2212.10947). Torch-free.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assay.kv_cache.block_pool import BlockHash, hash_block, parent_hash


@dataclass(frozen=True, slots=True)
class ChainLayout:
    """How chains are cut: tokens a block, blocks a window, blocks that have positions."""

    block_size: int
    window_blocks: int
    max_blocks: int


@dataclass(frozen=True, slots=True)
class ChainWindow:
    """Blocks `[first, last)` of a chain, computed together. In a sequence of the head and them, a
    token of theirs in slot `i` stands at position `i + offset`."""

    first: int
    last: int
    offset: int


@dataclass(frozen=True, slots=True)
class Attachment:
    """The blocks of a chain that a prompt attaches, ascending, the head's first.

    `offsets` are (slot, offset) pairs, ascending: in the prompt, a token from that slot on stands
    `offset` positions behind its slot, up to the next pair. `rest` are the chain's last tokens, too
    few for a block, if they are wanted: the prompt's own to compute.
    """

    blocks: tuple[int, ...]
    offsets: tuple[tuple[int, int], ...]
    rest: tuple[int, ...]


class Chain:
    """`segments` (the tokens of each, its separator included) behind `preamble`, under `salt`; if
    `is_public`, all salts share the blocks that lie wholly in the preamble.

    Immutable. Hashing is linear in the tokens, so a chain is made once a document.
    """

    def __init__(
        self,
        salt: str,
        preamble: Sequence[int],
        segments: Sequence[Sequence[int]],
        layout: ChainLayout,
        *,
        is_public: bool = False,
    ) -> None:
        self.layout = layout
        self.token_ids = list(preamble)
        self._starts = []
        for segment in segments:
            self._starts.append(len(self.token_ids))
            self.token_ids += segment
        self._starts.append(len(self.token_ids))
        self.num_blocks = len(self.token_ids) // layout.block_size
        self.num_head_blocks = min(-(-len(preamble) // layout.block_size), self.num_blocks)
        self.windows = self._cut()
        num_public = len(preamble) // layout.block_size if is_public else 0
        self.hashes = self._hash_all(salt, num_public)

    def window_of(self, block: int) -> ChainWindow | None:
        """The window that a block is computed in; None for the head's."""
        beyond = block - self.num_head_blocks
        return None if beyond < 0 else self.windows[beyond // self.layout.window_blocks]

    def tokens_of(self, blocks: Iterable[int]) -> list[int]:
        size = self.layout.block_size
        return [
            token for block in blocks for token in self.token_ids[block * size : (block + 1) * size]
        ]

    def attach(self, chosen: Iterable[int]) -> Attachment:
        """What a prompt attaches that reads the segments numbered in `chosen`, and the head."""
        size, head = self.layout.block_size, self.num_head_blocks
        wanted = set(range(head))
        takes_rest = False
        for number in chosen:
            start, end = self._starts[number], self._starts[number + 1]
            wanted.update(range(start // size, min(-(-end // size), self.num_blocks)))
            takes_rest = takes_rest or end > self.num_blocks * size
        blocks = tuple(sorted(wanted))
        offsets = [(0, 0)]
        for place, block in enumerate(blocks):
            window = self.window_of(block)
            offset = 0
            if window is not None:
                offset = window.offset + (head + block - window.first - place) * size
            if offsets[-1][1] != offset:
                offsets.append((place * size, offset))
        rest = self.token_ids[self.num_blocks * size :] if takes_rest else ()
        return Attachment(blocks, tuple(offsets), tuple(rest))

    def places(self, attachment: Attachment) -> list[tuple[int, range]]:
        """The slots of each segment's tokens among those that a prompt attaches, and of `rest`,
        behind them; segments that have none are left out."""
        size = self.layout.block_size
        slot_of = {block: place * size for place, block in enumerate(attachment.blocks)}
        if attachment.rest:
            slot_of[self.num_blocks] = len(attachment.blocks) * size
        places = []
        for number, (start, end) in enumerate(pairwise(self._starts)):
            held = [block for block in range(start // size, -(-end // size)) if block in slot_of]
            parts = [range(max(start, i * size), min(end, (i + 1) * size)) for i in held]
            if parts:
                # They adjoin in the prompt: what lies between them is not attached.
                slot = slot_of[held[0]] + parts[0].start - held[0] * size
                places.append((number, range(slot, slot + sum(map(len, parts)))))
        return places

    def _cut(self) -> tuple[ChainWindow, ...]:
        head, size = self.num_head_blocks, self.layout.window_blocks
        # As many whole windows as have positions of their own.
        cycle = max(1, (self.layout.max_blocks - head) // size) * size
        return tuple(
            ChainWindow(
                first,
                min(first + size, self.num_blocks),
                (first - head) % cycle * self.layout.block_size,
            )
            for first in range(head, self.num_blocks, size)
        )

    def _hash_all(self, salt: str, num_public: int) -> list[BlockHash]:
        hashes: list[BlockHash] = []
        for block in range(self.num_head_blocks):
            parent = parent_hash(hashes, salt, num_public)
            hashes.append(hash_block(parent, self.tokens_of((block,))))
        behind_head = parent_hash(hashes, salt, num_public)
        for window in self.windows:
            parent = behind_head
            if window.offset:
                parent = hash_block(behind_head, (-1, window.offset))
            for block in range(window.first, window.last):
                parent = hash_block(parent, self.tokens_of((block,)))
                hashes.append(parent)
        return hashes
