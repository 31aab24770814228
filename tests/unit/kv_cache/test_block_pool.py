"""BlockPool: allocation, sharing, eviction."""

import pytest

from assay.errors import CapacityError
from assay.kv_cache.block_pool import BlockPool, hash_block, root_hash


def block_hash(*token_ids: int, salt: str = "") -> bytes:
    return hash_block(root_hash(salt), token_ids)


def test_blocks_handed_out_are_distinct_and_counted():
    pool = BlockPool(4)
    blocks = pool.allocate(3)
    assert len(set(blocks)) == 3
    assert pool.num_free == 1
    pool.check_integrity()


def test_asking_for_more_than_is_free_takes_nothing():
    pool = BlockPool(4)
    pool.allocate(3)
    with pytest.raises(CapacityError, match="2 KV blocks wanted, 1 free"):
        pool.allocate(2)
    assert pool.num_free == 1


def test_a_shared_block_stays_until_its_last_holder_releases_it():
    pool = BlockPool(2)
    blocks = pool.allocate(1)
    pool.share(blocks)
    pool.release(blocks)
    assert pool.num_free == 1
    pool.release(blocks)
    assert pool.num_free == 2


def test_a_released_published_block_can_be_found_and_taken_back():
    pool = BlockPool(2)
    blocks = pool.allocate(1)
    pool.publish(blocks[0], block_hash(1, 2))
    pool.release(blocks)
    assert (pool.num_free, pool.num_cached) == (2, 1)
    assert pool.lookup(block_hash(1, 2)) == blocks[0]
    pool.share(blocks)
    assert (pool.num_free, pool.num_cached) == (1, 0)
    pool.check_integrity()


def test_free_blocks_are_used_before_cached_ones_are_evicted():
    pool = BlockPool(3)
    blocks = pool.allocate(1)
    pool.publish(blocks[0], block_hash(1))
    pool.release(blocks)
    pool.allocate(2)
    assert pool.lookup(block_hash(1)) == blocks[0]
    pool.allocate(1)
    assert pool.lookup(block_hash(1)) is None
    pool.check_integrity()


def test_the_least_recently_used_block_is_evicted_first():
    pool = BlockPool(3)
    old, new, reused = pool.allocate(3)
    for token, block in enumerate((old, new, reused)):
        pool.publish(block, block_hash(token))
    for block in (reused, old, new):
        pool.release([block])
    pool.share([reused])
    pool.release([reused])
    assert [pool.allocate(1)[0] for _ in range(3)] == [old, new, reused]


def test_the_end_of_a_table_is_evicted_before_its_start():
    pool = BlockPool(3)
    blocks = pool.allocate(3)
    for token, block in enumerate(blocks):
        pool.publish(block, block_hash(token))
    pool.release(blocks)
    assert pool.allocate(3) == blocks[::-1]


def test_content_published_twice_is_kept_once():
    pool = BlockPool(2)
    first, second = pool.allocate(2)
    pool.publish(first, block_hash(1))
    pool.publish(second, block_hash(1))
    pool.release([first, second])
    assert pool.num_cached == 1
    assert pool.lookup(block_hash(1)) == first
    pool.check_integrity()


def test_forgetting_makes_cached_content_unfindable_and_keeps_every_block():
    pool = BlockPool(3)
    cached, held = pool.allocate(2)
    pool.publish(cached, block_hash(1))
    pool.publish(held, block_hash(2))
    pool.release([cached])
    pool.forget()
    assert pool.lookup(block_hash(1)) is None
    assert pool.lookup(block_hash(2)) is None
    assert pool.num_free == 2
    pool.release([held])
    pool.check_integrity()


def test_a_hash_tells_tokens_their_order_what_precedes_them_and_the_salt():
    hashes = [
        block_hash(1, 2),
        block_hash(2, 1),
        block_hash(1, 2, salt="tenant"),
        hash_block(block_hash(1, 2), (1, 2)),
    ]
    assert len(set(hashes)) == 4
    assert block_hash(1, 2) == hashes[0]


def test_a_leak_is_noticed():
    pool = BlockPool(2)
    pool.allocate(1)
    pool._num_references[1] = pool._num_references[0] = 0
    with pytest.raises(AssertionError, match="leaked"):
        pool.check_integrity()


def test_releasing_twice_is_noticed():
    pool = BlockPool(2)
    blocks = pool.allocate(1)
    pool.release(blocks)
    with pytest.raises(AssertionError, match="released twice"):
        pool.release(blocks)
