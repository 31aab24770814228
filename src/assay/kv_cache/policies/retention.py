"""The dynamic retention window: the pairs that the tokens to come will attend to.

What a pair is worth is predicted from itself, once, and from the latest queries, again and again
while the answer grows, so that a pair that left comes back when its score rises. Heads compete for
the same share: some need most of their pairs, others hardly any. Without weights for the model the
attention of the latest queries is all there is to go by (SnapKV, https://arxiv.org/abs/2404.14469),
which says little from one head to the other: then each keeps as many.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch

from assay.kv_cache.policies.base import ScorePolicy, View
from assay.kv_cache.policies.scorer import ATTENTION_FLOOR, Scorer
from assay.kv_cache.policies.sketch import Sketch, Sketcher


@dataclass(frozen=True, slots=True)
class Prepared:
    """What of the candidates' scores does not change, and what to find the rest from."""

    static: torch.Tensor
    sketch: Sketch | None


@dataclass(frozen=True, slots=True)
class Retention(ScorePolicy):
    """Keeps `share` of the pairs by predicted importance; the first `num_sinks` and the last
    `num_recent` tokens always. Sequences of fewer than `min_tokens` stay whole: there is little to
    leave out of them. With a `sketcher` it is chosen again without a look at the pairs."""

    share: float = 0.25
    num_sinks: int = 16
    num_recent: int = 64
    min_tokens: int = 512
    granule: int = 1
    scorer: Scorer | None = None
    sketcher: Sketcher | None = None
    keeps_all: bool = False
    acts_in_prefill: bool = False
    refreshes: bool = True

    @property
    def ranks_heads_together(self) -> bool:
        return self.scorer is not None

    def prepare(self, view: View, /) -> Prepared | None:
        if self.scorer is None:
            return None
        static = view.pairs.describe(self.scorer.static, view.num_candidates)
        if self.sketcher is None:
            return Prepared(static, None)
        return Prepared(static, self.sketcher.sketch(view.pairs.keys(view.num_candidates)))

    def score(self, view: View, prepared: Prepared | None, /) -> torch.Tensor:
        if self.scorer is None or prepared is None:
            return view.pairs.attention(view.num_candidates, view.queries)
        if view.counts is None or self.sketcher is None or prepared.sketch is None:
            attention = view.pairs.attention(view.num_candidates, view.queries)
            return self.scorer.combine(prepared.static, attention)
        return view.pairs.rescore(
            prepared.sketch.codes,
            prepared.static,
            self.sketcher.project(view.queries, prepared.sketch),
            self.scorer.attention_factor,
            math.log(ATTENTION_FLOOR),
        )
