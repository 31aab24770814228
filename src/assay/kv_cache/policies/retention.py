"""The dynamic retention window: the pairs that the tokens to come will attend to.

What a pair is worth is predicted from itself, once, and from the latest queries, again and again
while the answer grows, so that a pair that left comes back when its score rises. Heads compete for
the same share: some need most of their pairs, others hardly any. Without weights for the model the
attention of the latest queries is all there is to go by (SnapKV, https://arxiv.org/abs/2404.14469),
which says little from one head to the other: then each keeps as many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import torch

from assay.kv_cache.policies.attention import query_attention
from assay.kv_cache.policies.base import ScorePolicy, View


class PairScorer(Protocol):
    """What is asked of a trained scorer."""

    def static(self, keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
        """What pairs are worth by themselves, `(num_layers, num_kv_heads, num_tokens)`."""
        ...

    def score(
        self, static: torch.Tensor, keys: torch.Tensor, queries: torch.Tensor
    ) -> torch.Tensor:
        """What they are worth to the tokens after `queries`; the same shape."""
        ...


@dataclass(frozen=True, slots=True)
class Retention(ScorePolicy):
    """Keeps `share` of the pairs by predicted importance; the first `num_sinks` and
    the last `num_recent` tokens always. Sequences of fewer than `min_tokens` stay whole: there is
    little to leave out of them."""

    share: float = 0.25
    num_sinks: int = 16
    num_recent: int = 64
    min_tokens: int = 512
    granule: int = 1
    scorer: PairScorer | None = None
    keeps_all: bool = False
    acts_in_prefill: bool = False
    refreshes: bool = True

    @property
    def ranks_heads_together(self) -> bool:
        return self.scorer is not None

    def describe(self, view: View, /) -> torch.Tensor | None:
        if self.scorer is None:
            return None
        asked = slice(view.num_candidates)
        return self.scorer.static(view.keys[:, :, asked], view.values[:, :, asked])

    def score(self, view: View, described: torch.Tensor | None, /) -> torch.Tensor:
        keys = view.keys[:, :, : view.num_candidates]
        if self.scorer is None or described is None:
            return query_attention(keys, view.queries)
        return self.scorer.score(described, keys, view.queries)
