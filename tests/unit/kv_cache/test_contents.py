"""BlockContents: found in any tier, brought into live blocks, in the right order."""

import numpy as np
import pytest
from tier_parts import BLOCK_BYTES, key_of

from assay.errors import CapacityError
from assay.kv_cache.contents import BlockContents
from assay.kv_cache.moves import BlockLoad, BlockSave
from assay.kv_cache.slices import Slice, slice_block_key
from assay.kv_cache.tiers.tiers import Tiers

A, B, C = map(key_of, "abc")


class Bench:
    """Two blocks, room for more in host memory, and a number as each block's content."""

    def __init__(self, num_blocks: int = 2, num_host_blocks: int = 8) -> None:
        tiers = Tiers(BLOCK_BYTES, host_bytes=num_host_blocks * BLOCK_BYTES)
        self.contents = BlockContents(num_blocks, 4, tiers)
        self.live = np.zeros((num_blocks, BLOCK_BYTES), dtype=np.uint8)

    def make_moves(self) -> None:
        for move in self.contents.take_moves():
            if isinstance(move, BlockSave):
                move.content[:] = self.live[move.block]
            elif isinstance(move, BlockLoad):
                self.live[move.block] = move.content
        self.contents.settle()

    def compute(self, **numbers: int) -> list[int]:
        """A table that holds `numbers` under those names, given back at once."""
        table, _ = self.contents.take([], len(numbers))
        self.make_moves()
        for block, (name, number) in zip(table, numbers.items(), strict=True):
            self.live[block] = number
            self.contents.pool.publish(block, key_of(name))
        self.contents.pool.release(table)
        return table


def test_what_was_given_up_comes_back_with_its_content_and_is_live_again():
    bench = Bench()
    bench.compute(a=1, b=2)
    bench.compute(c=3)
    assert bench.contents.pool.lookup(B) is None
    assert bench.contents.num_found([A, B]) == 2
    table, sources = bench.contents.take([A, B], 2)
    bench.make_moves()
    assert (sources, [int(bench.live[block][0]) for block in table]) == (["live", "host"], [1, 2])
    assert bench.contents.pool.lookup(B) == table[1]
    found = bench.contents.statistics
    assert (found.num_live, found.num_host, found.num_computed) == (1, 1, 3)
    bench.contents.check_integrity()


def test_a_block_that_comes_back_is_as_valuable_as_it_was():
    bench = Bench(num_blocks=3)
    bench.compute(a=1)
    for _ in range(2):
        bench.contents.pool.release(bench.contents.take([A], 1)[0])
    bench.contents.pool.release(bench.contents.obtain(3))
    bench.make_moves()
    bench.contents.pool.release(bench.contents.take([A], 1)[0])
    bench.make_moves()
    assert [num_uses for _, _, num_uses in bench.contents.pool.cached()] == [3]


def test_a_block_is_saved_before_it_is_loaded_into():
    bench = Bench(num_blocks=1)
    bench.compute(a=1)
    bench.compute(b=2)
    for name, number in [(A, 1), (B, 2), (A, 1)]:
        table, sources = bench.contents.take([name], 1)
        bench.make_moves()
        assert (len(sources), int(bench.live[table[0]][0])) == (1, number)
        bench.contents.pool.release(table)


def test_without_tiers_what_is_given_up_is_lost():
    contents = BlockContents(1, 4)
    table, _ = contents.take([], 1)
    contents.pool.publish(table[0], A)
    contents.pool.release(table)
    contents.obtain(1)
    assert not contents.has(A)
    assert contents.take_moves() == []


def test_only_blocks_in_use_before_the_first_to_be_loaded_cost_nothing():
    bench = Bench(num_blocks=3)
    bench.compute(a=1, b=2, c=3)
    held = [bench.contents.pool.lookup(name) for name in (A, C)]
    bench.contents.pool.share(held)
    bench.contents.obtain(1)
    assert bench.contents.num_found([A, B, C]) == 3
    assert bench.contents.num_needed([A, B, C], 3) == 2
    assert bench.contents.num_needed([A], 1) == 0


def test_a_block_lost_since_it_was_looked_up_ends_what_is_found():
    bench = Bench(num_blocks=3)
    bench.compute(a=1, b=2, c=3)
    bench.contents.pool.share([bench.contents.pool.lookup(A)])
    bench.contents.obtain(1)
    assert bench.contents.pool.lookup(C) is None
    bench.contents.tiers.discard(C)
    bench.contents.pool.release([bench.contents.pool.lookup(A)])
    _, sources = bench.contents.take([A, C, B], 2)
    assert sources == ["live"]


def test_a_slice_that_gave_way_comes_back_whole():
    bench = Bench(num_blocks=4)
    blocks = bench.contents.obtain(2)
    bench.live[blocks] = [[7], [8]]
    bench.contents.slices.add(Slice(A, blocks, 1, 5, 6))
    held = bench.contents.obtain(4)
    bench.make_moves()
    assert bench.contents.has_slice(A)
    bench.contents.pool.release(held)
    item, source = bench.contents.use_slice(A, 5, 6)
    bench.make_moves()
    assert source == "host"
    assert (item.first_slot, item.position, item.num_tokens) == (1, 5, 6)
    assert [int(bench.live[block][0]) for block in item.blocks] == [7, 8]
    assert bench.contents.statistics.num_host == 2
    bench.contents.check_integrity()


def test_a_slice_of_which_a_part_is_lost_is_dropped():
    bench = Bench(num_blocks=2)
    bench.contents.slices.add(Slice(A, bench.contents.obtain(2), 1, 5, 6))
    bench.contents.pool.release(bench.contents.obtain(2))
    bench.contents.tiers.discard(slice_block_key(A, 1))
    assert bench.contents.has_slice(A)
    assert bench.contents.use_slice(A, 5, 6) is None
    assert not bench.contents.has_slice(A)


def test_a_slice_for_which_there_are_no_blocks_stays_where_it_is():
    bench = Bench(num_blocks=2)
    bench.contents.slices.add(Slice(A, bench.contents.obtain(2), 1, 5, 6))
    bench.contents.obtain(2)
    assert bench.contents.use_slice(A, 5, 6) is None
    assert bench.contents.has_slice(A)


def test_asking_for_more_than_there_is_takes_nothing():
    bench = Bench(num_blocks=2)
    bench.compute(a=1)
    with pytest.raises(CapacityError):
        bench.contents.take([A], 3)
    assert bench.contents.num_obtainable == 2
    bench.contents.check_integrity()
