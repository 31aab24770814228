"""The dynamic retention window: the pairs that the tokens to come will attend to.

What a pair is worth is predicted from itself, once, and from the latest queries, again and again
while the answer grows, so that a pair that left comes back when its score rises. Heads compete for
the same share: some need most of their pairs, others hardly any. Without weights for the model the
attention of the latest queries is all there is to go by (SnapKV, https://arxiv.org/abs/2404.14469),
which says little from one head to the other: then each keeps as many.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from assay.kv_cache.policies.base import ScorePolicy, View
from assay.kv_cache.policies.scorer import Scorer


@dataclass(frozen=True, slots=True)
class Retention(ScorePolicy):
    """Keeps `share` of the pairs by predicted importance; the first `num_sinks` and the last
    `num_recent` tokens always. Sequences of fewer than `min_tokens` stay whole: there is little to
    leave out of them."""

    share: float = 0.25
    num_sinks: int = 16
    num_recent: int = 64
    min_tokens: int = 512
    granule: int = 1
    scorer: Scorer | None = None
    keeps_all: bool = False
    acts_in_prefill: bool = False
    refreshes: bool = True

    @property
    def ranks_heads_together(self) -> bool:
        return self.scorer is not None

    def prepare(self, view: View, /) -> torch.Tensor | None:
        if self.scorer is None:
            return None
        num_asked = view.num_candidates
        return self.scorer.static(view.pairs.keys(num_asked), view.pairs.values(num_asked))

    def score(self, view: View, prepared: torch.Tensor | None, /) -> torch.Tensor:
        attention = view.pairs.attention(view.num_candidates, view.queries)
        if self.scorer is None or prepared is None:
            return attention
        return self.scorer.combine(prepared, attention)
