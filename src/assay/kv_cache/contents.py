"""What content is at hand, in whichever tier, and how it comes into live blocks.

Owns the pool, the slices and the tiers behind them. What the pool and the slice table give up is
saved to the tiers; what is looked up is found in either. Copies are not made here but written down
as moves, in order, to be made before the next step computes (`kv_cache/moves.py`). Torch-free.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from assay.kv_cache.block_pool import BlockHash, BlockPool
from assay.kv_cache.moves import BlockLoad, Move
from assay.kv_cache.slices import Slice, SliceKey, SliceTable, slice_block_key
from assay.kv_cache.statistics import BlockSource, CacheStatistics
from assay.kv_cache.tiers.tiers import Fetched, Tiers

# Blocks that are on their way to disk at once when all is saved.
_PERSISTED_AT_ONCE = 64


class BlockContents:
    """`block_size` is the number of tokens a block holds; without `tiers` what is given up is lost.

    Each method that hands out blocks raises `CapacityError` where they do not suffice, and has
    then taken none.
    """

    def __init__(self, num_blocks: int, block_size: int, tiers: Tiers | None = None) -> None:
        self.pool = BlockPool(num_blocks, self._save_block)
        self.slices = SliceTable(self.pool, self._save_slice)
        self.tiers = tiers or Tiers(1, host_bytes=0)
        self._block_size = block_size
        self._moves: list[Move] = []
        self._counts: Counter[str] = Counter()

    @property
    def num_obtainable(self) -> int:
        """Blocks that `obtain` can hand out: the free ones, the cached ones, those of slices."""
        return self.pool.num_free + self.slices.num_blocks

    @property
    def statistics(self) -> CacheStatistics:
        writer = self.tiers.writer
        return CacheStatistics(
            num_live=self._counts["live"],
            num_host=self._counts["host"],
            num_disk=self._counts["disk"],
            num_computed=self._counts["computed"],
            num_saved=self.tiers.num_saved,
            num_damaged=0 if writer is None else writer.disk.num_damaged,
            num_dropped=0 if writer is None else writer.num_dropped,
        )

    def obtain(self, num_blocks: int) -> list[int]:
        """Hands out blocks with nothing in them; cached blocks, then slices, give way."""
        self.slices.make_room(num_blocks)
        return self.pool.allocate(num_blocks)

    def has(self, block_hash: BlockHash) -> bool:
        return self.pool.lookup(block_hash) is not None or block_hash in self.tiers

    def num_found(self, hashes: Sequence[BlockHash]) -> int:
        """How many of `hashes` are at hand, up to the first that is not."""
        for index, block_hash in enumerate(hashes):
            if not self.has(block_hash):
                return index
        return len(hashes)

    def num_needed(self, hashes: Sequence[BlockHash], num_blocks: int) -> int:
        """How many obtainable blocks `take` needs at most.

        Blocks in use are shared at no cost, but what comes after a block to be loaded may have to
        be given up, should that one turn out damaged.
        """
        for block_hash in hashes:
            block = self.pool.lookup(block_hash)
            if block is None:
                break
            num_blocks -= self.pool.num_references(block) > 0
        return num_blocks

    def take(
        self, hashes: Sequence[BlockHash], num_blocks: int
    ) -> tuple[list[int], list[BlockSource]]:
        """A table of `num_blocks` blocks, one reference each. The first of them hold `hashes`, all
        up to one that is not at hand, found where the list says; the rest are to be filled by the
        caller.
        """
        places: list[int | Fetched] = []
        sources: list[BlockSource] = []
        for block_hash in hashes:
            block = self.pool.lookup(block_hash)
            if block is not None:
                places.append(block)
                sources.append("live")
                continue
            fetched = self.tiers.fetch(block_hash)
            if fetched is None:
                break
            places.append(fetched)
            sources.append(fetched.tier)
        shared = [place for place in places if isinstance(place, int)]
        self.pool.share(shared)
        try:
            new = self.obtain(num_blocks - len(shared))
        except Exception:
            self.pool.release(shared)
            raise
        table: list[int] = []
        for block_hash, place in zip(hashes, places, strict=False):
            if isinstance(place, int):
                table.append(place)
            else:
                table.append(new.pop(0))
                self._moves.append(BlockLoad(place.content, table[-1]))
                self.pool.publish(table[-1], block_hash, place.num_uses)
        self._counts.update(sources)
        self._counts["computed"] += num_blocks - len(places)
        return table + new, sources

    def has_slice(self, key: SliceKey) -> bool:
        return key in self.slices or slice_block_key(key, 0) in self.tiers

    def use_slice(
        self, key: SliceKey, position: int, num_tokens: int
    ) -> tuple[Slice, BlockSource] | None:
        """The slice of `key`, `num_tokens` tokens from `position`, in live blocks, and the furthest
        place that one of them was found in; None if it is not at hand."""
        item = self.slices.use(key)
        if item is not None:
            self._counts["live"] += len(item.blocks)
            return item, "live"
        if slice_block_key(key, 0) not in self.tiers:
            return None
        first_slot = position % self._block_size
        num_blocks = -(-(first_slot + num_tokens) // self._block_size)
        if num_blocks > self.num_obtainable:
            return None
        keys = [slice_block_key(key, index) for index in range(num_blocks)]
        found = [item for item in map(self.tiers.fetch, keys) if item is not None]
        if len(found) < num_blocks:
            # A slice is whole or of no use.
            for block_key in keys:
                self.tiers.discard(block_key)
            return None
        blocks = self.obtain(num_blocks)
        for block, fetched in zip(blocks, found, strict=True):
            self._moves.append(BlockLoad(fetched.content, block))
            self._counts[fetched.tier] += 1
        item = Slice(key, blocks, first_slot, position, num_tokens, found[0].num_uses)
        self.slices.add(item)
        return item, "disk" if any(fetched.tier == "disk" for fetched in found) else "host"

    def add_move(self, move: Move) -> None:
        """Has a move made after those before it."""
        self._moves.append(move)

    def take_moves(self) -> list[Move]:
        """The moves since the last call, for the caller to make in order and then to `settle`."""
        moves, self._moves = self._moves, []
        return moves

    def settle(self) -> None:
        """Says that the moves taken have been made."""
        self.tiers.settle()

    def forget(self) -> None:
        """Drops all live content and what waits to be moved: after a failed step. What is on disk
        stays."""
        self._moves.clear()
        self.slices.forget()
        self.pool.forget()
        self.tiers.forget()

    def close(self, make: Callable[[Sequence[Move]], None]) -> None:
        """Saves all content that no sequence holds to disk, where there is one, the most valuable
        last, and closes the tiers. `make` makes moves."""
        if self.tiers.writer is not None:
            for block, block_hash, num_uses in self.pool.cached():
                self._save_block(block, block_hash, num_uses)
                self._persist(make, _PERSISTED_AT_ONCE)
            for item in self.slices.ascending():
                self._save_slice(item)
                self._persist(make, _PERSISTED_AT_ONCE)
            self._persist(make, 1)
        self.tiers.close()

    def check_integrity(self) -> None:
        """Asserts the invariants of pool, slices and tiers."""
        self.pool.check_integrity()
        self.slices.check_integrity()
        self.tiers.check_integrity()

    def _persist(self, make: Callable[[Sequence[Move]], None], num_moves: int) -> None:
        if len(self._moves) >= num_moves:
            make(self.take_moves())
            self.tiers.settle(wait=True)

    def _save_block(self, block: int, block_hash: BlockHash, num_uses: int) -> None:
        self._save(block_hash, block, self._block_size, num_uses)

    def _save_slice(self, item: Slice) -> None:
        for index, block in enumerate(item.blocks):
            self._save(slice_block_key(item.key, index), block, item.tokens_a_block, item.num_uses)

    def _save(self, key: BlockHash, block: int, num_tokens: float, num_uses: int) -> None:
        move = self.tiers.save(key, block, num_tokens, num_uses)
        if move is not None:
            self._moves.append(move)
