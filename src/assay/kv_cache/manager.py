"""The blocks of each sequence, and what is shared between sequences: prefixes and slices.

Who holds a block when:

==============================  ============================================================
from .. to                      holder
==============================  ============================================================
`allocate` .. `free`            the sequence's `block_table`, one reference a block
`append` .. `free`              the same, for the blocks added
`append` .. `trim`              the same, for blocks added beyond the sequence's tokens
`commit` .. eviction            besides, the prefix cache hands the full blocks to others
`allocate` .. `commit`/`free`   a full block's hash is *being computed*; `awaited` tells others
`keep` .. eviction              the slice table: the blocks of the segment just computed
`compact` .. `free`             the sequence's `window`: pages for some pairs of the tokens before
                                its `block_table` (`kv_cache/window_table.py`)
eviction .. eviction            nobody; the tiers have a copy of the content, under its hash
==============================  ============================================================

`free` pairs with `allocate` once, whether the sequence finished, was cancelled or was
preempted. Only full blocks of a prefix are shared, and at least one token of a sequence is always
computed, since its logits are needed. Slices are not shared but copied (`kv_cache/slices.py`).
Cached blocks, then slices, give way to sequences; their contents move down to the tiers and come
back from there (`kv_cache/tiers`).

Whatever is to be copied for that joins the moves of `contents`, which are taken and made before a
step computes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from assay.kv_cache.block_pool import BlockHash, hash_block, parent_hash
from assay.kv_cache.contents import BlockContents
from assay.kv_cache.slices import PromptSegment, Slice, SlotCopy
from assay.kv_cache.statistics import BlockSource
from assay.kv_cache.tiers.tiers import Tiers
from assay.kv_cache.window import Selection, Window
from assay.kv_cache.window_table import WindowTable


class Cacheable(Protocol):
    """What the manager reads and writes of a sequence.

    The manager writes `block_table`, `block_hashes`, `num_published_blocks`, and at `allocate`
    and `free` also `num_computed_tokens` and `attached`, and once, at the first `allocate`,
    `origins`; the scheduler writes the rest.
    """

    seq_id: int
    cache_salt: str
    num_public_tokens: int
    token_ids: list[int]
    num_computed_tokens: int
    block_table: list[int]
    block_hashes: list[BlockHash]
    num_published_blocks: int
    window: Window | None
    num_windowed_tokens: int
    segments: tuple[PromptSegment, ...]
    makes: bytes | None
    attached: list[range]
    origins: list[tuple[range, BlockSource]] | None

    @property
    def num_shared_tokens(self) -> int: ...

    @property
    def num_exact_tokens(self) -> int: ...

    @property
    def is_whole(self) -> bool: ...


class SparseKVManager:
    """Gives blocks to sequences and finds computed ones that they can start from.

    `block_size` is the number of tokens a block holds. The first `num_recomputed` tokens of an
    attached slice are computed again in their place. `tiers` keep what live blocks give up. Windows
    are over `num_layers` and `num_kv_heads`. With a `lookahead`, a sequence that `is_whole` gets
    blocks for so many tokens beyond those computed, not for its whole prompt at once; of its last
    `num_unshared` tokens none is taken from the cache.
    """

    def __init__(
        self,
        num_blocks: int,
        block_size: int,
        *,
        enable_prefix_caching: bool = True,
        num_recomputed: int = 0,
        tiers: Tiers | None = None,
        num_layers: int = 1,
        num_kv_heads: int = 1,
        lookahead: int | None = None,
        num_unshared: int = 1,
    ) -> None:
        self.block_size = block_size
        self.enable_prefix_caching = enable_prefix_caching
        self.num_recomputed = num_recomputed
        self.contents = BlockContents(num_blocks, block_size, tiers)
        self.pool = self.contents.pool
        self.slices = self.contents.slices
        self.windows = WindowTable(self.contents, block_size, num_layers, num_kv_heads)
        self.lookahead = lookahead
        self.num_unshared = num_unshared
        self._computing: dict[BlockHash, int] = {}

    @property
    def num_held_blocks(self) -> int:
        """Blocks that sequences hold; those of slices and cached ones do not count."""
        return self.pool.num_blocks - self.contents.num_obtainable

    def num_blocks_for(self, num_tokens: int) -> int:
        return -(-num_tokens // self.block_size)

    def fits(self, num_tokens: int) -> bool:
        """Whether a sequence of this length can run when it has the pool to itself."""
        return self.num_blocks_for(num_tokens) <= self.pool.num_blocks

    def awaited(self, sequence: Cacheable) -> BlockHash | None:
        """The hash of the first block that `sequence` lacks and that another is computing now.

        Waiting until `is_being_computed` turns false saves computing the block twice.
        """
        if not self.enable_prefix_caching:
            return None
        num_found = len(self._find_prefix(sequence))
        if num_found == self._max_shared_blocks(sequence):
            return None
        block_hash = sequence.block_hashes[num_found]
        return block_hash if block_hash in self._computing else None

    def num_found_tokens(self, sequence: Cacheable) -> int:
        """How many of the sequence's first tokens it need not compute, were it admitted now."""
        return len(self._find_prefix(sequence)) * self.block_size

    def has_block(self, block_hash: BlockHash) -> bool:
        """Whether a block of this content is at hand."""
        return self.enable_prefix_caching and self.contents.has(block_hash)

    def is_being_computed(self, block_hash: BlockHash) -> bool:
        return block_hash in self._computing

    def can_allocate(self, sequence: Cacheable, num_spare_blocks: int = 0) -> bool:
        """Whether there is room for the sequence's tokens and `num_spare_blocks` more."""
        prefix = self._find_prefix(sequence)
        num_blocks = self._num_blocks_at(sequence, len(prefix) * self.block_size)
        num_needed = self.contents.num_needed(prefix, num_blocks)
        return num_needed + num_spare_blocks <= self.contents.num_obtainable

    def allocate(self, sequence: Cacheable) -> None:
        """Gives the sequence blocks for its tokens; sets `num_computed_tokens`, `attached`.

        The moves that make both true join those of `contents`.

        Raises:
            CapacityError: `can_allocate` is false; nothing was taken.
        """
        assert not sequence.block_table, f"sequence {sequence.seq_id} already has blocks"
        prefix = self._find_prefix(sequence)
        num_blocks = self._num_blocks_at(sequence, len(prefix) * self.block_size)
        sequence.block_table, sources = self.contents.take(prefix, num_blocks)
        num_found, size = len(sources), self.block_size
        sequence.num_published_blocks = num_found
        sequence.num_computed_tokens = num_found * size
        if self.enable_prefix_caching:
            num_exact = sequence.num_exact_tokens // size
            for block_hash in self._hashes(sequence)[num_found:num_exact]:
                self._computing.setdefault(block_hash, sequence.seq_id)
        origins = [(range(i * size, i * size + size), item) for i, item in enumerate(sources)]
        origins += self._attach(sequence)
        if sequence.origins is None:
            sequence.origins = origins

    def can_append(self, sequence: Cacheable, num_extra: int = 0) -> bool:
        """Whether there is room for the tokens that the sequence has gained, and `num_extra`."""
        return self._num_missing(sequence, num_extra) <= self.contents.num_obtainable

    def append(self, sequence: Cacheable, num_extra: int = 0) -> None:
        """Extends the block table to cover the sequence's tokens, and `num_extra` more.

        Raises:
            CapacityError: `can_append` is false; nothing was taken.
        """
        num_missing = self._num_missing(sequence, num_extra)
        if num_missing > 0:
            sequence.block_table += self.contents.obtain(num_missing)

    def trim(self, sequence: Cacheable) -> None:
        """Takes back the blocks that lie wholly past the sequence's tokens."""
        num_kept = self.num_blocks_for(len(sequence.token_ids) - sequence.num_windowed_tokens)
        self.pool.release(sequence.block_table[num_kept:])
        del sequence.block_table[num_kept:]

    def commit(self, sequence: Cacheable) -> None:
        """Publishes the blocks that have been filled by computation since the last call."""
        num_exact = min(sequence.num_computed_tokens, sequence.num_exact_tokens)
        num_full = num_exact // self.block_size
        if not self.enable_prefix_caching or num_full <= sequence.num_published_blocks:
            return
        hashes = self._hashes(sequence)
        for index in range(sequence.num_published_blocks, num_full):
            self.pool.publish(sequence.block_table[index], hashes[index])
            self._stop_computing(sequence, hashes[index])
        sequence.num_published_blocks = num_full

    def compact(self, sequence: Cacheable, selection: Selection, num_tokens: int) -> bool:
        """Puts the pairs of `selection` into the sequence's window, in the place of the next
        `num_tokens` tokens, and gives their blocks back. False if there is no room."""
        if not self.windows.grow(sequence, selection, num_tokens):
            return False
        for block_hash in sequence.block_hashes[sequence.num_published_blocks :]:
            self._stop_computing(sequence, block_hash)
        return True

    def find_windowed_blocks(self, sequence: Cacheable) -> list[int] | None:
        """Blocks that hold the tokens that the sequence's window stands for; None if one is not
        live any more. They are the caller's to read until blocks are handed out."""
        num_blocks = sequence.num_windowed_tokens // self.block_size
        found = [self.pool.lookup(item) for item in sequence.block_hashes[:num_blocks]]
        blocks = [block for block in found if block is not None]
        return blocks if len(blocks) == num_blocks else None

    def free(self, sequence: Cacheable) -> None:
        """Takes back all blocks of the sequence; published ones stay cached until evicted."""
        for block_hash in sequence.block_hashes[sequence.num_published_blocks :]:
            self._stop_computing(sequence, block_hash)
        self.pool.release(sequence.block_table)
        self.windows.release(sequence)
        sequence.block_table = []
        sequence.attached = []
        sequence.num_published_blocks = 0
        sequence.num_computed_tokens = 0

    def keep(self, sequence: Cacheable) -> None:
        """Makes a slice of the segment that a sequence was computed for; `free` takes the rest."""
        (segment,) = sequence.segments
        first = segment.start // self.block_size
        kept = sequence.block_table[first:]
        del sequence.block_table[first:]
        self.slices.add(
            Slice(
                segment.key,
                kept,
                first_slot=segment.start % self.block_size,
                position=segment.start,
                num_tokens=segment.end - segment.start,
            )
        )

    def forget(self) -> None:
        """Drops all cached content: after a failed step, or when the weights change."""
        self.contents.forget()

    def check_integrity(self, sequences: Sequence[Cacheable]) -> None:
        """Asserts that exactly the block tables and windows of `sequences` are held, and nothing
        leaked."""
        self.contents.check_integrity()
        held = [0] * self.pool.num_blocks
        for sequence in sequences:
            for block in sequence.block_table:
                held[block] += 1
        self.windows.check_integrity(sequences)
        for block in self.slices.held_blocks() + self.windows.pages.held_blocks():
            held[block] += 1
        for block, count in enumerate(held):
            references = self.pool.num_references(block)
            assert references == count, f"block {block}: {references} references, {count} holders"
        alive = {sequence.seq_id for sequence in sequences}
        assert set(self._computing.values()) <= alive, "a block is awaited from a dead sequence"

    def _attach(self, sequence: Cacheable) -> list[tuple[range, BlockSource]]:
        """Finds the sequence's segments among the slices; says where the slots attached were."""
        origins: list[tuple[range, BlockSource]] = []
        for segment in sequence.segments if sequence.makes is None else ():
            found = self.contents.use_slice(
                segment.key, sequence.segments[0].start, segment.end - segment.start
            )
            if found is None:
                continue
            item, source = found
            shift = segment.start - item.position
            num_skipped = self.num_recomputed if shift else 0
            if num_skipped >= item.num_tokens:
                continue
            start = segment.start + num_skipped
            sequence.attached.append(range(start, segment.end))
            origins.append((sequence.attached[-1], source))
            self.contents.add_move(
                SlotCopy(
                    tuple(item.blocks),
                    item.first_slot + num_skipped,
                    tuple(sequence.block_table),
                    start,
                    item.num_tokens - num_skipped,
                    shift,
                )
            )
        return origins

    def _num_missing(self, sequence: Cacheable, num_extra: int) -> int:
        num_blocks = self._num_blocks_at(sequence, sequence.num_computed_tokens, num_extra)
        return num_blocks - len(sequence.block_table)

    def _num_blocks_at(self, sequence: Cacheable, num_computed: int, num_extra: int = 0) -> int:
        """The blocks that the sequence needs when so many of its tokens are computed."""
        num_tokens = len(sequence.token_ids)
        if self.lookahead is not None and sequence.is_whole:
            num_tokens = min(num_tokens, num_computed + self.lookahead)
        return self.num_blocks_for(num_tokens + num_extra - sequence.num_windowed_tokens)

    def _max_shared_blocks(self, sequence: Cacheable) -> int:
        num_unshared = self.num_unshared if sequence.is_whole else 1
        num_tokens = min(len(sequence.token_ids) - num_unshared, sequence.num_shared_tokens)
        return max(0, num_tokens) // self.block_size

    def _find_prefix(self, sequence: Cacheable) -> list[BlockHash]:
        """The hashes of the sequence's first blocks as far as their contents are at hand."""
        if not self.enable_prefix_caching:
            return []
        hashes = self._hashes(sequence)[: self._max_shared_blocks(sequence)]
        return hashes[: self.contents.num_found(hashes)]

    def _hashes(self, sequence: Cacheable) -> list[BlockHash]:
        """The hashes of the sequence's full blocks, extended as its tokens grow."""
        hashes, size = sequence.block_hashes, self.block_size
        for index in range(len(hashes), len(sequence.token_ids) // size):
            parent = parent_hash(hashes, sequence.cache_salt, sequence.num_public_tokens // size)
            hashes.append(hash_block(parent, sequence.token_ids[index * size : (index + 1) * size]))
        return hashes

    def _stop_computing(self, sequence: Cacheable, block_hash: BlockHash) -> None:
        if self._computing.get(block_hash) == sequence.seq_id:
            del self._computing[block_hash]
