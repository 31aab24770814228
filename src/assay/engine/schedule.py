"""What one step of the engine computes: the scheduler writes it, the runner reads it.

Torch-free and immutable. Block ids belong to the scheduler's block pool; for the length of the
step the runner may write the blocks that cover `[start, start + len(token_ids))` and read the
ones before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.engine.scheduler import Chunk


@dataclass(frozen=True, slots=True)
class ScheduledSequence:
    """One sequence's share of a step: its tokens at positions `[start, start + len(token_ids))`.

    `start` is the number of tokens computed before the step. `block_table` holds the physical
    block ids that cover positions `[0, start + len(token_ids))`. The step returns the logits after
    each of the last `num_logits` of these tokens: none, one, or more to check a draft.
    """

    token_ids: Sequence[int]
    start: int
    block_table: Sequence[int]
    num_logits: int = 1

    @property
    def end(self) -> int:
        """One past the last position computed in this step."""
        return self.start + len(self.token_ids)


@dataclass(frozen=True, slots=True)
class Schedule:
    """The sequences of one step. Logits come back in this order, one row a token."""

    sequences: tuple[ScheduledSequence, ...]

    @property
    def num_tokens(self) -> int:
        return sum(len(sequence.token_ids) for sequence in self.sequences)


def as_schedule(chunks: Sequence[Chunk]) -> Schedule:
    """The step that computes `chunks`, in their order."""
    scheduled = []
    for chunk in chunks:
        sequence, start = chunk.sequence, chunk.sequence.num_computed_tokens
        token_ids = sequence.token_ids[start : start + chunk.num_tokens]
        if chunk.num_drafted:
            token_ids += sequence.draft
        scheduled.append(
            ScheduledSequence(
                token_ids=token_ids,
                start=start,
                block_table=sequence.block_table,
                num_logits=1 + chunk.num_drafted if chunk.is_last else 0,
            )
        )
    return Schedule(tuple(scheduled))
