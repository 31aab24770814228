"""A sequence: one request's tokens and how far they have come.

Owners of its parts: the scheduler writes `status` and `num_computed_tokens`; the KV cache manager
writes the block fields; the engine appends tokens and records. Torch-free.

A sequence that `makes` something computes on behalf of others and gives no answer: the slice of its
one segment, or a window of a chain. Others that need it wait. The `ordered` slots of a prompt were
computed on its behalf; `origins` are where the others that it need not compute were found first.
`places` are the slots of its document's segments, by their numbers.

A prompt that attaches blocks of a chain has gaps between positions: `offsets` are (slot, offset)
pairs, ascending, and from that slot on a token's position is its slot plus `offset`. The first
`num_chained_tokens` are those of attached blocks, whose hashes are given; only `num_head_tokens` of
them, before the first gap, would come out the same if this sequence had to compute them itself.

Of the first `num_windowed_tokens` a `window` holds what a policy kept (`keeping` is what it knows
of the sequence); `block_table` begins behind them, and what is computed from then on is nobody
else's to share.

Whole blocks of the first `num_public_tokens` are shared between all salts.

`token_ids` is the prompt and the answer so far. `token_ids[num_computed_tokens:]` are *pending*:
they have no keys and values yet, save those in `attached`, which were copied from slices. After
prefill one token is pending in each step, or a whole run where tokens were forced. `draft` is a
guess at the tokens after those; it is computed with them and becomes part of `token_ids` only as
far as the model chooses the same.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from dataclasses import dataclass, field
from enum import Enum
from random import Random
from typing import TYPE_CHECKING, Protocol

from assay.decoding.drafts import PromptLookup
from assay.engine.text import IncrementalDecoder
from assay.kv_cache.slices import PromptSegment
from assay.kv_cache.statistics import BlockSource
from assay.kv_cache.window import Window
from assay.types import GeneratedToken, SamplingParams

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from assay.engine.pairs import PairCount
    from assay.engine.windows import Keeping


class Constraint(Protocol):
    """What the engine needs of a matcher (`decoding.Matcher` is one). Owned by one sequence."""

    @property
    def is_accepting(self) -> bool: ...

    @property
    def is_finished(self) -> bool: ...

    def fill_mask(self, mask_row: NDArray[np.int32]) -> None: ...

    def advance(self, *token_ids: int) -> None: ...

    def rollback(self, num_tokens: int) -> None: ...

    def forced_tokens(self) -> list[int]: ...


class SequenceStatus(Enum):
    """`WAITING` holds no blocks; `RUNNING` does; `FINISHED` is final."""

    WAITING = "waiting"
    RUNNING = "running"
    FINISHED = "finished"


@dataclass(slots=True, eq=False)
class Sequence:
    """Mutable; identity is `seq_id`, which also tells the order of arrival.

    `random` is this sequence's own stream: one draw a sampled token, so that an answer does not
    depend on what else runs.
    """

    seq_id: int
    token_ids: list[int]
    sampling: SamplingParams
    decoder: IncrementalDecoder
    cache_salt: str = ""
    num_public_tokens: int = 0
    priority: int = 0
    constraint: Constraint | None = None

    status: SequenceStatus = SequenceStatus.WAITING
    num_prompt_tokens: int = field(init=False)
    num_computed_tokens: int = 0
    num_cached_tokens: int = 0
    num_preemptions: int = 0
    block_table: list[int] = field(default_factory=list)
    block_hashes: list[bytes] = field(default_factory=list)
    num_published_blocks: int = 0
    awaited: bytes | None = None
    segments: tuple[PromptSegment, ...] = ()
    attached: list[range] = field(default_factory=list)
    makes: bytes | None = None
    needs: frozenset[bytes] = frozenset()
    ordered: list[range] = field(default_factory=list)
    origins: list[tuple[range, BlockSource]] | None = None
    places: Seq[tuple[int, range]] = ()
    pairs: PairCount | None = None
    offsets: tuple[tuple[int, int], ...] = ((0, 0),)
    num_chained_tokens: int | None = None
    num_head_tokens: int = 0
    window: Window | None = None
    num_windowed_tokens: int = 0
    keeping: Keeping | None = None
    draft: list[int] = field(default_factory=list)
    lookup: PromptLookup | None = None

    random: Random = field(init=False)
    records: list[GeneratedToken] = field(default_factory=list)
    num_decoded_tokens: int = 0
    num_forced_tokens: int = 0

    def __post_init__(self) -> None:
        assert self.token_ids, "a sequence starts with at least one token"
        self.num_prompt_tokens = len(self.token_ids)
        self.random = Random(self.sampling.seed)

    @property
    def num_pending_tokens(self) -> int:
        return len(self.token_ids) - self.num_computed_tokens - sum(map(len, self.attached))

    @property
    def num_shared_tokens(self) -> int:
        """The first tokens, of which this sequence may share whole blocks that others computed."""
        if self.num_chained_tokens is not None:
            return self.num_chained_tokens
        return self.segments[0].start if self.segments else len(self.token_ids)

    @property
    def num_exact_tokens(self) -> int:
        """The first tokens whose keys and values, computed here, are what their hashes name."""
        if self.window is not None:
            return 0
        if self.num_chained_tokens is not None and self.makes is None:
            return self.num_head_tokens
        return self.num_shared_tokens

    @property
    def num_ordered_tokens(self) -> int:
        return sum(map(len, self.ordered))

    @property
    def is_whole(self) -> bool:
        """Whether it is computed from its start, one token after the other, with nothing attached
        but a prefix."""
        return not self.segments and self.num_chained_tokens is None

    @property
    def order(self) -> tuple[int, int]:
        """Lower runs first: priority, then arrival."""
        return (self.priority, self.seq_id)

    @property
    def max_num_tokens(self) -> int:
        """The length that the sequence may grow to."""
        return self.num_prompt_tokens + self.sampling.max_tokens

    def pending_ranges(self, num_tokens: int) -> list[tuple[range, int]]:
        """The slots of the next `num_tokens` pending tokens, each stretch with its offset."""
        ranges, start = [], self.num_computed_tokens
        for hole in [*self.attached, range(len(self.token_ids), len(self.token_ids))]:
            stop = min(hole.start, start + num_tokens)
            if stop > start:
                ranges += self._between_gaps(range(start, stop))
                num_tokens -= stop - start
            start = hole.stop
        return ranges

    def _between_gaps(self, slots: range) -> list[tuple[range, int]]:
        ends = [slot for slot, _ in self.offsets[1:]]
        parts = []
        for (first, offset), end in zip(self.offsets, [*ends, slots.stop], strict=True):
            part = range(max(first, slots.start), min(end, slots.stop))
            if part:
                parts.append((part, offset))
        return parts

    def advance(self, num_tokens: int) -> None:
        """Counts the next pending tokens as computed, and what is attached right behind them."""
        self.num_computed_tokens += num_tokens
        while self.attached and self.attached[0].start <= self.num_computed_tokens:
            self.num_computed_tokens += len(self.attached.pop(0))

    def append(self, record: GeneratedToken) -> None:
        """Adds a token of the answer that was decided on; it is pending until it is computed."""
        self.token_ids.append(record.token_id)
        self.records.append(record)
        self.num_decoded_tokens += 1

    def append_forced(self, records: list[GeneratedToken]) -> None:
        """Adds tokens of the answer that nothing was decided on."""
        self.token_ids += [record.token_id for record in records]
        self.records += records
        self.num_forced_tokens += len(records)
