"""Scheduler: what runs in a step, who waits, who is preempted."""

import pytest

from assay.engine.scheduler import Chunk, Scheduler
from assay.engine.sequence import Sequence, SequenceStatus
from assay.engine.text import IncrementalDecoder
from assay.errors import PromptTooLongError
from assay.kv_cache.manager import SparseKVManager
from assay.types import GeneratedToken, SamplingParams


class Bench:
    """A scheduler whose steps are 'computed' at once."""

    def __init__(self, num_blocks=64, block_size=4, max_num_seqs=8, budget=32, **options) -> None:
        self.manager = SparseKVManager(num_blocks, block_size)
        self.scheduler = Scheduler(
            self.manager, max_num_seqs=max_num_seqs, max_num_batched_tokens=budget, **options
        )
        self.num_made = 0

    def add(self, num_tokens, *, priority=0, max_tokens=4, first=None, salt="") -> Sequence:
        seq_id = self.num_made
        self.num_made += 1
        first = 1000 * seq_id if first is None else first
        added = Sequence(
            seq_id,
            list(range(first, first + num_tokens)),
            SamplingParams(max_tokens=max_tokens),
            IncrementalDecoder(lambda _: b""),
            cache_salt=salt,
            priority=priority,
        )
        self.scheduler.add(added)
        return added

    def step(self) -> dict[int, int]:
        """Runs a step; one token is sampled for each sequence that got to its end."""
        chunks = self.scheduler.schedule().chunks
        self.scheduler.check_integrity()
        sampled = [chunk.sequence for chunk in chunks if chunk.is_last]
        self.scheduler.commit(chunks)
        for sequence in sampled:
            extend(sequence, 1)
        return {chunk.sequence.seq_id: chunk.num_tokens for chunk in chunks}


def extend(sequence: Sequence, num_tokens: int) -> None:
    for _ in range(num_tokens):
        token = GeneratedToken(9, "", 0.0, forced=False)
        sequence.append(token)


def test_prompts_share_a_step_up_to_the_budget():
    bench = Bench(budget=32)
    for num_tokens in (10, 12, 20):
        bench.add(num_tokens)
    assert bench.step() == {0: 10, 1: 12, 2: 10}
    assert bench.step() == {0: 1, 1: 1, 2: 10}
    assert bench.step() == {0: 1, 1: 1, 2: 1}


def test_a_long_prompt_is_computed_in_chunks_and_wants_logits_after_the_last():
    bench = Bench(budget=16)
    long = bench.add(40)
    seen: list[Chunk] = []
    for _ in range(3):
        chunks = bench.scheduler.schedule().chunks
        seen += [(chunk.num_tokens, chunk.is_last) for chunk in chunks]
        bench.scheduler.commit(chunks)
    assert seen == [(16, False), (16, False), (8, True)]
    assert long.num_pending_tokens == 0


def test_decoding_goes_before_prefill():
    bench = Bench(budget=8)
    bench.add(4)
    bench.step()
    bench.add(20)
    assert bench.step() == {0: 1, 1: 7}


def test_a_forced_run_is_computed_in_one_chunk():
    bench = Bench()
    forced = bench.add(4)
    bench.step()
    extend(forced, 6)
    assert bench.step() == {0: 7}


def test_without_fast_forward_a_forced_run_takes_a_step_a_token():
    bench = Bench(enable_fast_forward=False)
    forced = bench.add(4, max_tokens=20)
    extend(forced, 3)
    assert [bench.step()[0] for _ in range(5)] == [4, 1, 1, 1, 1]


def test_no_more_than_max_num_seqs_run():
    bench = Bench(max_num_seqs=2)
    for _ in range(3):
        bench.add(4)
    assert list(bench.step()) == [0, 1]
    assert (bench.scheduler.num_running, bench.scheduler.num_waiting) == (2, 1)


def test_lower_priority_numbers_are_admitted_first():
    bench = Bench(max_num_seqs=2)
    for priority in (1, 0, -1):
        bench.add(4, priority=priority)
    assert set(bench.step()) == {1, 2}


def test_a_sequence_that_could_never_fit_is_refused():
    bench = Bench(num_blocks=4, block_size=4)
    bench.add(12, max_tokens=4)
    with pytest.raises(PromptTooLongError, match="KV cache of 16 tokens"):
        bench.add(12, max_tokens=5)
    assert bench.scheduler.num_waiting == 1


def test_what_does_not_fit_now_waits_and_holds_back_those_behind_it():
    bench = Bench(num_blocks=8, block_size=4)
    first = bench.add(20)
    bench.add(16)
    bench.add(4)
    assert list(bench.step()) == [0]
    bench.scheduler.finish(first)
    assert list(bench.step()) == [1, 2]


def test_a_sequence_is_not_admitted_into_the_last_block_that_a_running_one_needs_to_grow():
    bench = Bench(num_blocks=4, block_size=4)
    bench.add(7, max_tokens=4)
    bench.step()
    second = bench.add(8, max_tokens=4)
    assert bench.step() == {0: 1}
    assert (second.status, second.num_preemptions) == (SequenceStatus.WAITING, 0)


def test_when_blocks_run_out_the_last_in_order_is_preempted_and_loses_nothing():
    bench = Bench(num_blocks=5, block_size=4)
    first = bench.add(7, max_tokens=8)
    second = bench.add(7, max_tokens=8)
    while not second.num_preemptions:
        bench.step()
    assert second.status is SequenceStatus.WAITING
    assert first.num_preemptions == 0
    kept = list(second.token_ids)
    bench.scheduler.finish(first)
    bench.step()
    assert second.status is SequenceStatus.RUNNING
    assert second.token_ids[: len(kept)] == kept
    assert second.num_computed_tokens == len(kept)


def test_the_least_urgent_is_preempted_even_if_it_came_first():
    bench = Bench(num_blocks=5, block_size=4)
    first = bench.add(7, max_tokens=8, priority=1)
    second = bench.add(7, max_tokens=8, priority=0)
    while not bench.scheduler.num_preemptions:
        bench.step()
    assert (first.num_preemptions, second.num_preemptions) == (1, 0)


def test_a_preempted_sequence_starts_again_from_its_cached_blocks():
    bench = Bench(num_blocks=16, block_size=4)
    bench.add(4, max_tokens=30)
    second = bench.add(9, max_tokens=10)
    bench.step()
    bench.scheduler._preempt(second)
    bench.scheduler.schedule()
    assert second.num_computed_tokens == 8
    assert second.num_cached_tokens == 0, "its own blocks are no saving"


def test_cancelling_frees_blocks_at_once():
    bench = Bench()
    running = bench.add(9)
    bench.step()
    waiting = bench.add(4)
    assert bench.scheduler.cancel(running.seq_id)
    assert bench.scheduler.cancel(waiting.seq_id)
    assert bench.manager.pool.num_free == 64
    assert not bench.scheduler.has_work
    assert not bench.scheduler.cancel(running.seq_id)
    bench.scheduler.check_integrity()


def test_a_prompt_whose_start_is_being_computed_waits_and_then_shares_it():
    bench = Bench(budget=16)
    bench.add(34, first=0)
    bench.add(36, first=0)
    other = bench.add(4)
    assert bench.step() == {0: 16}
    assert bench.step() == {0: 16}
    assert bench.step() == {0: 2, 1: 4, 2: 4}
    assert other.num_cached_tokens == 0
    assert [item.num_cached_tokens for item in bench.scheduler.sequences()] == [0, 32, 0]


def test_those_behind_a_deferred_prompt_are_not_held_back():
    bench = Bench(budget=32)
    bench.add(30, first=0)
    bench.add(30, first=0)
    bench.add(2)
    assert bench.step() == {0: 30, 2: 2}


def test_a_deferred_prompt_goes_ahead_if_the_other_is_cancelled():
    bench = Bench(budget=16)
    first = bench.add(34, first=0)
    bench.add(36, first=0)
    bench.step()
    bench.scheduler.cancel(first.seq_id)
    assert bench.step() == {1: 16}
    assert bench.scheduler.sequences()[0].num_computed_tokens == 32


def test_a_forced_run_shares_a_step_with_the_prefill_of_others():
    bench = Bench(budget=32)
    forced = bench.add(4, max_tokens=20)
    bench.step()
    extend(forced, 6)
    bench.add(20)
    assert bench.step() == {0: 7, 1: 20}


def test_tenants_take_turns_however_many_requests_one_has():
    bench = Bench(max_num_seqs=1, budget=32)
    many = [bench.add(8, salt="many") for _ in range(6)]
    few = [bench.add(8, salt="few") for _ in range(2)]
    admitted = []
    for _ in range(4):
        (seq_id,) = bench.step()
        admitted.append(seq_id)
        bench.scheduler.cancel(seq_id)
    assert admitted == [many[0].seq_id, few[0].seq_id, many[1].seq_id, few[1].seq_id]


def test_turns_go_by_tokens_not_by_requests():
    bench = Bench(num_blocks=64, max_num_seqs=1, budget=64)
    for _ in range(2):
        bench.add(40, salt="long")
    for _ in range(6):
        bench.add(10, salt="short")
    order = []
    for _ in range(7):
        (seq_id,) = bench.step()
        order.append("long" if seq_id < 2 else "short")
        bench.scheduler.cancel(seq_id)
    assert order == ["long", "short", "short", "short", "short", "long", "short"]


def test_priority_goes_before_fairness():
    bench = Bench(max_num_seqs=1)
    bench.add(8, salt="a", priority=1)
    bench.add(8, salt="b", priority=1)
    bench.add(8, salt="a", priority=0)
    bench.add(8, salt="a", priority=0)
    order = []
    for _ in range(4):
        (seq_id,) = bench.step()
        order.append(seq_id)
        bench.scheduler.cancel(seq_id)
    assert order == [2, 3, 1, 0]


def test_a_draft_is_computed_with_the_token_before_it_and_settled_after():
    bench = Bench(num_blocks=64, block_size=4)
    drafted = bench.add(7, max_tokens=20)
    bench.step()
    drafted.draft = [1, 2, 3, 4, 5]
    chunks = bench.scheduler.schedule().chunks
    assert [(chunk.num_tokens, chunk.num_drafted) for chunk in chunks] == [(1, 5)]
    assert len(drafted.block_table) == 4, "8 tokens and 5 drafted ones"
    bench.scheduler.commit(chunks)
    extend(drafted, 3)
    bench.scheduler.settle(drafted, 2)
    assert (drafted.num_computed_tokens, len(drafted.token_ids)) == (10, 11)
    assert len(drafted.block_table) == 3
    assert drafted.draft == []
    bench.scheduler.check_integrity()


def test_what_a_draft_got_wrong_is_never_shared():
    """The block that the rejected tokens were written to holds other tokens when it is full."""
    bench = Bench(num_blocks=64, block_size=4)
    drafted = bench.add(7, max_tokens=20)
    bench.step()
    drafted.draft = [1, 2, 3, 4, 5]
    bench.scheduler.commit(bench.scheduler.schedule().chunks)
    extend(drafted, 1)
    bench.scheduler.settle(drafted, 0)
    assert drafted.num_published_blocks == 2
    assert len(drafted.block_hashes) == 2
    assert bench.manager.pool.num_free == 64 - 3


def test_a_draft_gives_way_where_blocks_or_budget_are_short():
    short_of_blocks = Bench(num_blocks=3, block_size=4)
    short_of_budget = Bench(num_blocks=64, budget=8)
    for bench in (short_of_blocks, short_of_budget):
        sequence = bench.add(7, max_tokens=5)
        bench.step()
        sequence.draft = [1] * 8
        (chunk,) = bench.scheduler.schedule().chunks
        assert (chunk.num_tokens, chunk.num_drafted) == (1, 0)
        assert sequence.draft == []
        bench.scheduler.commit([chunk])
        bench.scheduler.check_integrity()


def test_a_preempted_sequence_loses_its_draft():
    bench = Bench(num_blocks=16, block_size=4)
    bench.add(4, max_tokens=30)
    second = bench.add(9, max_tokens=10)
    bench.step()
    second.draft = [1, 2]
    bench.scheduler._preempt(second)
    assert second.draft == []
