"""How the sequences of a step are put together for attention. Torch-free.

- Sequences with about equally many new tokens and equally long contexts go together, the shorter
  padded, as long as little of the tile is padding and its keys fit the processor's cache.
- A long chunk is a tile alone, and so is a sequence with a window.
"""

from __future__ import annotations

from collections.abc import Sequence

from assay.engine.schedule import ScheduledSequence

# Chunks longer than this are tiles alone.
MAX_BATCHED_QUERIES = 64
# At most this share of a tile's keys is padding, beyond a block a sequence.
_MAX_PADDING = 0.25


def group_into_tiles(
    sequences: Sequence[ScheduledSequence], block_size: int, max_blocks: int
) -> list[list[int]]:
    """Partitions the indices of `sequences`; every tile of several holds at most `max_blocks`
    blocks, counted after padding."""
    blocks = [-(-sequence.end // block_size) for sequence in sequences]
    classes = [
        _query_class(len(sequence.token_ids)) if sequence.window is None else -1 - index
        for index, sequence in enumerate(sequences)
    ]
    order = sorted(range(len(sequences)), key=lambda index: (classes[index], -blocks[index]))
    tiles: list[list[int]] = []
    longest = held = 0
    for index in order:
        is_short = len(sequences[index].token_ids) <= MAX_BATCHED_QUERIES
        if tiles and is_short and classes[index] == classes[tiles[-1][0]]:
            count = len(tiles[-1]) + 1
            needed = held + blocks[index]
            padded = longest * count
            if padded <= max_blocks and padded <= needed * (1 + _MAX_PADDING) + count:
                tiles[-1].append(index)
                held = needed
                continue
        tiles.append([index])
        longest = held = blocks[index]
    return tiles


def _query_class(num_queries: int) -> int:
    """Chunks of one class are padded to a common length: 1, 2, 4, 8 … tokens."""
    return (num_queries - 1).bit_length()
