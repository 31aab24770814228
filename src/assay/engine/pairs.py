"""How much of dense attention the steps do, in pairs of a query and a key. Torch-free."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from assay.engine.schedule import ScheduledSequence


@dataclass(slots=True)
class PairCount:
    """Over `num_heads` key heads, those of all layers: the pairs attended by `num_queries`, and
    those that would be if each query saw all positions up to its own."""

    num_heads: int
    num_queries: int = 0
    num_attended: int = 0
    num_dense: int = 0

    def add(self, sequences: Iterable[ScheduledSequence]) -> None:
        """Counts a step, here and where each sequence has its own."""
        for item in sequences:
            self._count(item)
            if item.pairs is not None:
                item.pairs._count(item)

    def _count(self, item: ScheduledSequence) -> None:
        num_queries = len(item.token_ids)
        within = num_queries * (num_queries + 1) // 2
        before = num_queries * item.start
        self.num_queries += num_queries
        self.num_attended += (before + within) * self.num_heads
        self.num_dense += (before + within + num_queries * item.offset) * self.num_heads
        if item.window is not None:
            self.num_attended += num_queries * item.window.num_pairs
