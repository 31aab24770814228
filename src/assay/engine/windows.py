"""When a sequence's first tokens are left to a policy, and what becomes of its choice.

After each step every sequence that ran is looked at:

- a policy that acts in prefill decides on tokens as they pass out of the recent ones;
- any other decides once, when the prompt has been computed;
- one that refreshes decides anew every `interval` steps, each sequence in its turn, as long as the
  blocks that the window was made from are still in the prefix cache: nothing is held for it.

A sequence that finds no room for its window stays as it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from collections.abc import Sequence as Seq
from dataclasses import dataclass, field
from typing import Any

import torch

from assay.engine.queries import RecentQueries
from assay.engine.sequence import Sequence, SequenceStatus
from assay.kv_cache.manager import SparseKVManager
from assay.kv_cache.policies.base import Policy, View
from assay.kv_cache.window import Selection

# Keys and values of the first tokens in some blocks, each (num_layers, num_kv_heads, tokens, dim).
ReadPairs = Callable[[Seq[int], int], tuple[torch.Tensor, torch.Tensor]]


@dataclass(slots=True)
class Keeping:
    """What is known of a sequence that a policy decides on."""

    queries: RecentQueries = field(default_factory=RecentQueries)
    prepared: Any = None
    num_decided_tokens: int = 0
    num_preemptions: int = 0


class WindowKeeper:
    """Applies `policy`. `read_pairs` reads the storage (`BlockStorage.read`)."""

    def __init__(
        self,
        policy: Policy,
        manager: SparseKVManager,
        read_pairs: ReadPairs,
        *,
        interval: int = 16,
    ) -> None:
        self._policy = policy
        self._manager = manager
        self._read_pairs = read_pairs
        self._interval = interval
        self._granule = math.lcm(policy.granule, manager.block_size)
        self._num_steps = 0
        self.num_refreshed = 0

    def begin(self) -> Keeping:
        """For a sequence that has just arrived."""
        return Keeping()

    def look_after(self, sequences: Seq[Sequence]) -> None:
        """Decides for those that ran in a step and go on."""
        self._num_steps += 1
        for sequence in sequences:
            keeping = sequence.keeping
            if keeping is None or sequence.status is not SequenceStatus.RUNNING:
                continue
            if keeping.num_preemptions < sequence.num_preemptions:
                keeping.num_preemptions = sequence.num_preemptions
                keeping.num_decided_tokens = 0
            if self._may_decide(sequence, keeping):
                self._decide(sequence, keeping)
            elif self._is_due(sequence):
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
        keys, values = self._read_pairs(sequence.block_table, num_tokens)
        view = View(keys, values, keeping.queries.read(), end - first, first)
        if sequence.window is None:
            keeping.prepared = self._policy.prepare(view)
        selection = self._select(view, keeping)
        self._manager.compact(sequence, selection, view.num_candidates)

    def _is_due(self, sequence: Sequence) -> bool:
        turn = (self._num_steps + sequence.seq_id) % self._interval
        return self._policy.refreshes and sequence.window is not None and turn == 0

    def _refresh(self, sequence: Sequence, keeping: Keeping) -> None:
        blocks = self._manager.find_windowed_blocks(sequence)
        if blocks is None:
            return
        keys, values = self._read_pairs(blocks, sequence.num_windowed_tokens)
        view = View(keys, values, keeping.queries.read(), sequence.num_windowed_tokens)
        selection = self._select(view, keeping)
        self.num_refreshed += self._manager.windows.renew(sequence, selection, blocks)

    def _select(self, view: View, keeping: Keeping) -> Selection:
        return Selection.from_mask(self._policy.select(view, keeping.prepared).numpy())
