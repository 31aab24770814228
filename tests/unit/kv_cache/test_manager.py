"""SparseKVManager: block tables and the prefix cache."""

import pytest

from assay.engine.sequence import Sequence
from assay.engine.text import IncrementalDecoder
from assay.errors import CapacityError
from assay.kv_cache.manager import SparseKVManager
from assay.types import SamplingParams

BLOCK = 4


def sequence(seq_id: int, num_tokens: int, *, salt: str = "", first: int = 0) -> Sequence:
    return Sequence(
        seq_id,
        list(range(first, first + num_tokens)),
        SamplingParams(),
        IncrementalDecoder(lambda _: b""),
        cache_salt=salt,
    )


def compute(manager: SparseKVManager, computed: Sequence, num_tokens: int | None = None) -> None:
    computed.num_computed_tokens += num_tokens or computed.num_pending_tokens
    manager.commit(computed)


def spared(manager: SparseKVManager, allocated: Sequence) -> int:
    manager.allocate(allocated)
    return allocated.num_computed_tokens


def run_once(manager: SparseKVManager, done: Sequence) -> None:
    manager.allocate(done)
    compute(manager, done)
    manager.free(done)


def test_a_sequence_gets_blocks_for_all_its_tokens():
    manager = SparseKVManager(8, BLOCK)
    first = sequence(0, 9)
    assert spared(manager, first) == 0
    assert len(first.block_table) == 3
    manager.check_integrity([first])


def test_a_second_sequence_starts_from_the_full_blocks_of_the_first():
    manager = SparseKVManager(8, BLOCK)
    first, second = sequence(0, 10), sequence(1, 12)
    manager.allocate(first)
    compute(manager, first)
    assert spared(manager, second) == 8
    assert second.num_computed_tokens == 8
    assert second.block_table[:2] == first.block_table[:2]
    assert second.block_table[2] not in first.block_table
    manager.check_integrity([first, second])


def test_at_least_one_token_is_computed_even_if_all_are_cached():
    manager = SparseKVManager(8, BLOCK)
    run_once(manager, sequence(0, 8))
    again = sequence(1, 8)
    assert spared(manager, again) == 4
    assert again.num_pending_tokens == 4


def test_blocks_not_yet_computed_are_not_shared():
    manager = SparseKVManager(8, BLOCK)
    first, second = sequence(0, 12), sequence(1, 12)
    manager.allocate(first)
    compute(manager, first, 7)
    assert spared(manager, second) == 4


def test_different_salts_share_nothing():
    manager = SparseKVManager(8, BLOCK)
    run_once(manager, sequence(0, 9, salt="a"))
    assert spared(manager, sequence(1, 9, salt="b")) == 0
    assert spared(manager, sequence(2, 9, salt="a")) == 8


def test_without_prefix_caching_nothing_is_shared():
    manager = SparseKVManager(8, BLOCK, enable_prefix_caching=False)
    run_once(manager, sequence(0, 9))
    assert spared(manager, sequence(1, 9)) == 0


def test_room_counts_cached_blocks_as_room_unless_they_are_the_prefix_itself():
    manager = SparseKVManager(4, BLOCK)
    run_once(manager, sequence(0, 9))
    other = sequence(1, 4, first=100)
    manager.allocate(other)
    longer = sequence(2, 16)
    assert not manager.can_allocate(longer)
    with pytest.raises(CapacityError):
        manager.allocate(longer)
    manager.check_integrity([other])
    assert manager.can_allocate(sequence(3, 12))
    assert not manager.can_allocate(sequence(3, 12), num_spare_blocks=1)


def test_growth_takes_a_block_only_when_one_is_full():
    manager = SparseKVManager(2, BLOCK)
    grown = sequence(0, 3)
    manager.allocate(grown)
    grown.token_ids.append(7)
    manager.append(grown)
    assert len(grown.block_table) == 1
    grown.token_ids.append(7)
    assert manager.can_append(grown)
    manager.append(grown)
    assert len(grown.block_table) == 2
    grown.token_ids += [7] * 4
    assert not manager.can_append(grown)


def test_generated_tokens_are_shared_too():
    manager = SparseKVManager(8, BLOCK)
    first = sequence(0, 6)
    manager.allocate(first)
    compute(manager, first)
    first.token_ids += [50, 51]
    compute(manager, first)
    manager.free(first)
    longer = sequence(1, 6)
    longer.token_ids += [50, 51, 52]
    assert spared(manager, longer) == 8


def test_a_sequence_awaits_the_block_that_another_is_computing():
    manager = SparseKVManager(8, BLOCK)
    first, second = sequence(0, 12), sequence(1, 14)
    manager.allocate(first)
    awaited = manager.awaited(second)
    assert awaited is not None
    compute(manager, first, 4)
    assert not manager.is_being_computed(awaited)
    assert manager.awaited(second) not in (None, awaited)
    compute(manager, first)
    assert manager.awaited(second) is None


def test_nothing_is_awaited_from_a_sequence_that_is_gone():
    manager = SparseKVManager(8, BLOCK)
    first, second = sequence(0, 12), sequence(1, 14)
    manager.allocate(first)
    manager.free(first)
    assert manager.awaited(second) is None
    manager.check_integrity([])


def test_an_unrelated_sequence_awaits_nothing():
    manager = SparseKVManager(8, BLOCK)
    manager.allocate(sequence(0, 12))
    assert manager.awaited(sequence(1, 12, first=100)) is None


def test_a_freed_sequence_finds_its_own_blocks_again():
    manager = SparseKVManager(8, BLOCK)
    first = sequence(0, 10)
    manager.allocate(first)
    compute(manager, first)
    manager.free(first)
    assert (first.block_table, first.num_computed_tokens) == ([], 0)
    assert spared(manager, first) == 8
    manager.check_integrity([first])
