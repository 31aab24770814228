"""When a sequence's first tokens are left to a policy, and what becomes of its choice.

After each step every sequence that ran is looked at:

- a policy that acts in prefill decides on tokens as they pass out of the recent ones;
- any other decides once, when the prompt has been computed;
- one that refreshes decides anew every `interval` steps of the sequence, as long as the
  blocks that the window was made from are still in the prefix cache: nothing is held for it.

A sequence that finds no room for its window stays as it is. What is decided when a prompt has been
computed does not depend on how it was cut into chunks or what of it was cached; what is decided in
prefill does, since a chunk sees all that was not decided on before it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from collections.abc import Sequence as Seq
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from assay.engine.queries import NUM_RECENT_QUERIES, RecentQueries
from assay.engine.sequence import Sequence, SequenceStatus
from assay.kv_cache.block_pool import BlockHash
from assay.kv_cache.manager import SparseKVManager
from assay.kv_cache.policies.base import Pairs, Policy, View
from assay.kv_cache.window import Selection

# The pairs of the first tokens, as many as said, in some blocks, with hashes of the first blocks.
PairsOf = Callable[[Seq[int], int, Seq[BlockHash]], Pairs]


@dataclass(slots=True)
class Keeping:
    """What is known of a sequence that a policy decides on."""

    queries: RecentQueries = field(default_factory=RecentQueries)
    prepared: Any = None
    selection: Selection | None = None
    num_decided_tokens: int = 0
    num_preemptions: int = 0
    num_steps: int = 0


class WindowKeeper:
    """Applies `policy` to what `pairs_of` reads (`kv_cache.block_pairs.PairReader`)."""

    def __init__(
        self,
        policy: Policy,
        manager: SparseKVManager,
        pairs_of: PairsOf,
        *,
        interval: int = 16,
    ) -> None:
        assert not (policy.acts_in_prefill and policy.refreshes)
        self._policy = policy
        self._manager = manager
        self._pairs_of = pairs_of
        self._interval = interval
        self._granule = math.lcm(policy.granule, manager.block_size)
        self.num_refreshed = 0
        self.num_exchanged = 0

    def begin(self) -> Keeping:
        """For a sequence that has just arrived."""
        return Keeping()

    def look_after(self, sequences: Seq[Sequence]) -> None:
        """Decides for those that ran in a step and go on."""
        for sequence in sequences:
            keeping = sequence.keeping
            if keeping is None or sequence.status is not SequenceStatus.RUNNING:
                continue
            if keeping.num_preemptions < sequence.num_preemptions:
                keeping.num_preemptions = sequence.num_preemptions
                keeping.num_decided_tokens = 0
            if self._may_decide(sequence, keeping):
                self._decide(sequence, keeping)
            elif self._is_due(sequence, keeping):
                self._refresh(sequence, keeping)

    def _may_decide(self, sequence: Sequence, keeping: Keeping) -> bool:
        is_early = sequence.num_computed_tokens < sequence.num_prompt_tokens
        if self._policy.acts_in_prefill:
            may_decide = sequence.is_whole or not is_early
        else:
            may_decide = sequence.window is None and not is_early
        return may_decide and self._end(sequence) > keeping.num_decided_tokens

    def _end(self, sequence: Sequence) -> int:
        """How many tokens from the first are the policy's to decide on."""
        if sequence.num_computed_tokens < self._policy.min_tokens:
            return 0
        end = sequence.num_computed_tokens - self._policy.num_recent
        if sequence.num_chained_tokens is not None:
            # The others are in no cache to come back from.
            end = min(end, sequence.num_chained_tokens)
        return max(0, end // self._granule * self._granule)

    def _decide(self, sequence: Sequence, keeping: Keeping) -> None:
        first, end = sequence.num_windowed_tokens, self._end(sequence)
        keeping.num_decided_tokens = end
        num_tokens = sequence.num_computed_tokens - first
        pairs = self._pairs_of(sequence.block_table, num_tokens, self._hashes(sequence, end))
        view = View(pairs, keeping.queries.read(NUM_RECENT_QUERIES), end - first, first)
        if sequence.window is None:
            keeping.prepared = self._policy.prepare(view)
        selection = Selection.from_mask(self._select(view, keeping))
        if not self._manager.compact(sequence, selection, view.num_candidates):
            # Not to be asked again at every block.
            keeping.num_decided_tokens += self._policy.num_recent
        elif self._policy.refreshes:
            keeping.selection = selection
            # Prompts take their turns at different times, and the same one always at the same.
            keeping.num_steps = sum(sequence.token_ids[: sequence.num_prompt_tokens])

    def _hashes(self, sequence: Sequence, end: int) -> list[BlockHash]:
        """What names the content of the blocks of the first `end` tokens, if they are all there and
        it does."""
        if sequence.segments or sequence.num_windowed_tokens:
            return []
        return sequence.block_hashes[: end // self._manager.block_size]

    def _is_due(self, sequence: Sequence, keeping: Keeping) -> bool:
        if sequence.window is None or not self._policy.refreshes:
            return False
        keeping.num_steps += 1
        return keeping.num_steps % self._interval == 0

    def _refresh(self, sequence: Sequence, keeping: Keeping) -> None:
        blocks = self._manager.find_windowed_blocks(sequence)
        before = keeping.selection
        if blocks is None or before is None:
            return
        num_asked = sequence.num_windowed_tokens
        view = View(
            self._pairs_of(blocks, num_asked, ()),
            # One in the place of those since the last time: each would cost as much.
            keeping.queries.mean(self._interval),
            num_asked,
            counts=torch.from_numpy(before.counts),
        )
        goes, comes = before.exchange(self._select(view, keeping))
        self._manager.windows.renew(sequence, goes, comes, blocks)
        tokens = before.tokens.copy()
        tokens[goes] = comes.tokens
        keeping.selection = Selection(tokens, before.counts)
        self.num_refreshed += 1
        self.num_exchanged += len(comes.tokens)

    def _select(self, view: View, keeping: Keeping) -> NDArray[np.bool_]:
        kept: NDArray[np.bool_] = self._policy.select(view, keeping.prepared).numpy()
        return kept
