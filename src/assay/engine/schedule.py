"""What one step of the engine computes: the scheduler writes it, the runner reads it.

Torch-free and immutable. Block ids belong to the scheduler's block pool; for the length of the
step the runner may write the blocks that cover `[start, start + len(token_ids))` and read the
ones before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from assay.kv_cache.moves import Move
from assay.kv_cache.window import Window

if TYPE_CHECKING:
    import torch

    from assay.engine.pairs import PairCount
    from assay.engine.queries import RecentQueries
    from assay.engine.scheduler import Plan


@dataclass(frozen=True, slots=True)
class ScheduledSequence:
    """One sequence's share of a step: its tokens in slots `[start, start + len(token_ids))`.

    `start` is the number of slots computed before. `block_table` holds the physical block ids that
    cover slots `[0, start + len(token_ids))`. The token in slot `i` stands at position
    `i + offset`: more than `i` where tokens before it were left out. It sees the whole `window`, if
    there is one, and the slots up to its own. With a model whose attention has a sliding window,
    slots are positions: `offset` is 0 and `window` None. The step returns the logits after each of
    the last `num_logits` of these tokens: none, one, or more to check a draft. `queries`, if given,
    takes up the queries of the last tokens but the draft's. `pairs`, if given, is where its share
    of the step's attention is counted besides.
    """

    token_ids: Sequence[int]
    start: int
    block_table: Sequence[int]
    num_logits: int = 1
    offset: int = 0
    window: Window | None = None
    queries: RecentQueries | None = None
    pairs: PairCount | None = None

    @property
    def end(self) -> int:
        """One past the last slot computed in this step."""
        return self.start + len(self.token_ids)

    @property
    def positions(self) -> range:
        """Where the tokens stand in their text."""
        return range(self.start + self.offset, self.end + self.offset)


@dataclass(frozen=True, slots=True)
class Schedule:
    """One step: moves, made first and in order, and sequences. Logits come back in the order of
    the sequences, one row a token. Where a sequence computes several stretches of tokens, each is
    an entry with the same block table, in ascending order.
    """

    sequences: tuple[ScheduledSequence, ...]
    moves: tuple[Move, ...] = ()

    @property
    def num_tokens(self) -> int:
        return sum(len(sequence.token_ids) for sequence in self.sequences)


class ModelRunner(Protocol):
    """What the engine needs of a runner (`engine.runner.Runner` is one)."""

    def run(self, schedule: Schedule) -> torch.Tensor:
        """Logits `(num_rows, vocab_size)`, float32: of each sequence in turn as many rows as it
        wants."""
        ...

    def move(self, moves: Sequence[Move]) -> None:
        """Makes moves outside of a step."""
        ...


def as_schedule(plan: Plan) -> Schedule:
    """The step that a plan comes to, chunks in their order."""
    scheduled = []
    for chunk in plan.chunks:
        sequence = chunk.sequence
        ranges = sequence.pending_ranges(chunk.num_tokens)
        for part, offset in ranges:
            token_ids = sequence.token_ids[part.start : part.stop]
            num_logits = 0
            if part is ranges[-1][0] and chunk.is_last and sequence.makes is None:
                token_ids += sequence.draft[: chunk.num_drafted]
                num_logits = 1 + chunk.num_drafted
            scheduled.append(
                ScheduledSequence(
                    token_ids=token_ids,
                    start=part.start - sequence.num_windowed_tokens,
                    block_table=sequence.block_table,
                    num_logits=num_logits,
                    offset=offset + sequence.num_windowed_tokens,
                    window=sequence.window,
                    queries=None if sequence.keeping is None else sequence.keeping.queries,
                    pairs=sequence.pairs,
                )
            )
    return Schedule(tuple(scheduled), tuple(plan.moves))
