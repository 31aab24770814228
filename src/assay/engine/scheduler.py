"""Which sequences run in the next step, and how many tokens of each.

Continuous batching: each step takes one token of every decoding sequence, then fills the rest of
`max_num_batched_tokens` with prefill, in chunks. A forced run counts as prefill. Order is
priority, then arrival; between tenants of equal priority, the one that has been served least is
admitted next (`engine/fairness.py`).

- A sequence is *admitted* when there are blocks for all of its tokens, and one more for each that
  runs already. The first that does not fit holds back those behind it, so that long prompts do
  not starve.
- A sequence whose next prompt block is being computed by a running one is *deferred* until the
  block can be shared: many questions on one document cost one prefill.
- When blocks run out the last in order is *preempted*: its blocks are freed, its tokens kept and
  computed again later. Every sequence fits the pool alone (checked in `add`), so the first in
  order always advances.
- A sequence that needs what others are making, slices or a chain's windows, is deferred until they
  are done.
- A sequence's draft is computed with the last of its pending tokens where budget and blocks are
  left over.

The scheduler owns the sequences from `add` to `finish` or `cancel`. Torch-free.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence as Seq
from dataclasses import dataclass
from heapq import heappop, heappush

from assay.engine.fairness import FairShare
from assay.engine.sequence import Sequence, SequenceStatus
from assay.errors import PromptTooLongError
from assay.kv_cache.manager import SparseKVManager
from assay.kv_cache.moves import Move


@dataclass(frozen=True, slots=True)
class Chunk:
    """The next `num_tokens` pending tokens of a sequence, to be computed in this step, and after
    them the `num_drafted` tokens of its draft: all or none."""

    sequence: Sequence
    num_tokens: int
    num_drafted: int = 0

    @property
    def is_last(self) -> bool:
        """Whether nothing stays pending: the logits after it choose the next token."""
        return self.num_tokens == self.sequence.num_pending_tokens


@dataclass(frozen=True, slots=True)
class Plan:
    """A step: the moves to make, in order, and then the chunks to compute."""

    chunks: list[Chunk]
    moves: list[Move]


class Scheduler:
    """Owns the waiting and the running sequences.

    With `enable_fast_forward` off, the tokens of an answer are computed one a step even where
    several are pending.
    """

    def __init__(
        self,
        manager: SparseKVManager,
        *,
        max_num_seqs: int,
        max_num_batched_tokens: int,
        enable_fast_forward: bool = True,
    ) -> None:
        assert max_num_batched_tokens >= max_num_seqs > 0
        self.manager = manager
        self.max_num_seqs = max_num_seqs
        self.max_num_batched_tokens = max_num_batched_tokens
        self.enable_fast_forward = enable_fast_forward
        self.num_preemptions = 0
        self._waiting: dict[str, list[Sequence]] = {}
        self._share = FairShare()
        self._running: list[Sequence] = []
        self._by_id: dict[int, Sequence] = {}
        self._making: dict[bytes, int] = {}

    @property
    def has_work(self) -> bool:
        return bool(self._by_id)

    @property
    def num_waiting(self) -> int:
        return len(self._by_id) - len(self._running)

    @property
    def num_running(self) -> int:
        return len(self._running)

    def add(self, sequence: Sequence) -> None:
        """Queues a sequence.

        Raises:
            PromptTooLongError: prompt and answer do not fit the whole pool.
        """
        if not self.manager.fits(sequence.max_num_tokens):
            room = self.manager.pool.num_blocks * self.manager.block_size
            raise PromptTooLongError(
                f"{sequence.num_prompt_tokens} prompt tokens and an answer of up to "
                f"{sequence.sampling.max_tokens} do not fit a KV cache of {room} tokens",
                remedy="shorten the prompt, lower max_tokens, or raise kv_cache_bytes",
            )
        self._by_id[sequence.seq_id] = sequence
        if sequence.makes is not None:
            self._making[sequence.makes] = sequence.seq_id
        self._share.arrive(sequence.cache_salt)
        self._enqueue(sequence)

    def is_in_the_making(self, key: bytes) -> bool:
        """Whether a sequence that `makes` this has not finished yet."""
        return key in self._making

    def schedule(self) -> Plan:
        """What the next step computes; nothing only if there is no work.

        All blocks are held when this returns. `commit` is called with the same chunks once they are
        computed, then `settle` for each that has a draft and `keep` for each finished slice.
        """
        num_preempted = self._make_room()
        chunks: list[Chunk] = []
        decoding = [item for item in self._running if self._chunk_limit(item) == 1]
        prefilling = [item for item in self._running if self._chunk_limit(item) > 1]
        budget = self.max_num_batched_tokens - len(decoding)
        for sequence in decoding:
            budget -= self._take(sequence, 1 + budget, chunks) - 1
        for sequence in prefilling:
            if budget == 0:
                break
            budget -= self._take(sequence, budget, chunks)
        if num_preempted == 0:
            self._admit(budget, chunks)
        for chunk in chunks:
            self._share.charge(chunk.sequence.cache_salt, chunk.num_tokens + chunk.num_drafted)
        return Plan(chunks, self.manager.contents.take_moves())

    def commit(self, chunks: Seq[Chunk]) -> None:
        """Records that a step has been made: that `chunks` have been computed, whose full blocks
        others may now share, and the moves before them."""
        self.manager.contents.settle()
        for chunk in chunks:
            chunk.sequence.advance(chunk.num_tokens)
            self.manager.commit(chunk.sequence)

    def settle(self, sequence: Sequence, num_accepted: int) -> None:
        """Ends a sequence's draft: its first `num_accepted` tokens have become the sequence's and
        are computed; the blocks of the rest are given back."""
        sequence.draft = []
        sequence.num_computed_tokens += num_accepted
        self.manager.commit(sequence)
        self.manager.trim(sequence)

    def keep(self, sequence: Sequence) -> None:
        """As `finish`, for one that computed on behalf of others: what it made stays."""
        if sequence.segments:
            self.manager.keep(sequence)
        self.finish(sequence)

    def finish(self, sequence: Sequence) -> None:
        """Takes a sequence out, waiting or running, and frees its blocks at once."""
        del self._by_id[sequence.seq_id]
        if sequence.makes is not None:
            del self._making[sequence.makes]
        self._share.leave(sequence.cache_salt)
        if sequence.status is SequenceStatus.RUNNING:
            self._running.remove(sequence)
            self.manager.free(sequence)
        else:
            self._dequeue(sequence)
        sequence.status = SequenceStatus.FINISHED

    def cancel(self, seq_id: int) -> bool:
        """As `finish`, by number; false if there is no such sequence any more."""
        sequence = self._by_id.get(seq_id)
        if sequence is None:
            return False
        self.finish(sequence)
        return True

    def sequences(self) -> list[Sequence]:
        """All that are waiting or running, in order of arrival."""
        return list(self._by_id.values())

    def check_integrity(self) -> None:
        """Asserts that every sequence is in one place and every block is accounted for."""
        waiting = [sequence for queue in self._waiting.values() for sequence in queue]
        for sequence in waiting:
            assert sequence.status is SequenceStatus.WAITING
            assert not sequence.block_table, "a waiting sequence holds blocks"
        for sequence in self._running:
            assert sequence.status is SequenceStatus.RUNNING
            assert 0 <= sequence.num_computed_tokens <= len(sequence.token_ids)
            num_held = self.manager.num_blocks_for(len(sequence.token_ids))
            assert len(sequence.block_table) <= num_held, "blocks of a rejected draft are held"
        placed = [sequence.seq_id for sequence in waiting + self._running]
        assert sorted(placed) == sorted(self._by_id), "a sequence is lost, or in two places"
        assert len(self._running) <= self.max_num_seqs
        self.manager.check_integrity(self._running)

    def _chunk_limit(self, sequence: Sequence) -> int:
        """The most tokens of the sequence that one step may take."""
        if self.enable_fast_forward:
            return sequence.num_pending_tokens
        num_answered = len(sequence.token_ids) - sequence.num_prompt_tokens
        return max(1, sequence.num_pending_tokens - num_answered)

    def _take(self, sequence: Sequence, budget: int, chunks: list[Chunk]) -> int:
        """Adds a chunk of at most `budget` tokens; returns how many it has, drafted ones too."""
        num_tokens = min(self._chunk_limit(sequence), budget)
        num_drafted = 0
        if num_tokens == sequence.num_pending_tokens:
            num_drafted = self._take_draft(sequence, budget - num_tokens)
        chunks.append(Chunk(sequence, num_tokens, num_drafted))
        return num_tokens + num_drafted

    def _take_draft(self, sequence: Sequence, budget: int) -> int:
        """Gives blocks to the sequence's draft where that costs nobody theirs, or drops it."""
        num_drafted = len(sequence.draft)
        if num_drafted == 0:
            return 0
        if num_drafted > budget or not self.manager.can_append(sequence, num_drafted):
            sequence.draft = []
            return 0
        self.manager.append(sequence, num_drafted)
        return num_drafted

    def _make_room(self) -> int:
        """Gives each running sequence blocks for its pending tokens, preempting from the end."""
        num_preempted = 0
        index = 0
        while index < len(self._running):
            sequence = self._running[index]
            if self.manager.can_append(sequence):
                self.manager.append(sequence)
                index += 1
            else:
                self._preempt(self._running[-1])
                num_preempted += 1
        return num_preempted

    def _preempt(self, sequence: Sequence) -> None:
        self._running.remove(sequence)
        self.manager.free(sequence)
        sequence.status = SequenceStatus.WAITING
        sequence.draft = []
        sequence.num_preemptions += 1
        self.num_preemptions += 1
        self._enqueue(sequence)

    def _enqueue(self, sequence: Sequence) -> None:
        queue = self._waiting.setdefault(sequence.cache_salt, [])
        insort(queue, sequence, key=lambda queued: queued.order)

    def _dequeue(self, sequence: Sequence) -> None:
        queue = self._waiting[sequence.cache_salt]
        queue.remove(sequence)
        if not queue:
            del self._waiting[sequence.cache_salt]

    def _admit(self, budget: int, chunks: list[Chunk]) -> None:
        if budget == 0 or len(self._running) >= self.max_num_seqs:
            return
        ready = {
            tenant: (item for item in tuple(queue) if not self._is_deferred(item))
            for tenant, queue in self._waiting.items()
        }
        taken = dict.fromkeys(ready, 0)
        heads: list[tuple[tuple[int, int, int], Sequence]] = []

        def show(tenant: str) -> None:
            sequence = next(ready[tenant], None)
            if sequence is not None:
                served = self._share.served(tenant) + taken[tenant]
                heappush(heads, ((sequence.priority, served, sequence.seq_id), sequence))

        for tenant in ready:
            show(tenant)
        while heads and budget > 0 and len(self._running) < self.max_num_seqs:
            _, sequence = heappop(heads)
            if not self.manager.can_allocate(sequence, num_spare_blocks=len(self._running)):
                break
            self.manager.allocate(sequence)
            if sequence.num_preemptions == 0:
                sequence.num_cached_tokens = _num_spared(sequence)
            sequence.advance(0)
            sequence.status = SequenceStatus.RUNNING
            insort(self._running, sequence, key=lambda running: running.order)
            self._dequeue(sequence)
            num_tokens = self._take(sequence, budget, chunks)
            budget -= num_tokens
            taken[sequence.cache_salt] += num_tokens
            show(sequence.cache_salt)

    def _is_deferred(self, sequence: Sequence) -> bool:
        if any(key in self._making for key in sequence.needs):
            return True
        if sequence.awaited is None or not self.manager.is_being_computed(sequence.awaited):
            sequence.awaited = self.manager.awaited(sequence)
        return sequence.awaited is not None


def _num_spared(sequence: Sequence) -> int:
    """The prompt tokens that a sequence just admitted need not compute, nor has had computed."""
    found = min(sequence.num_computed_tokens, sequence.num_prompt_tokens)
    found += sum(map(len, sequence.attached))
    return max(0, found - sequence.num_ordered_tokens)
