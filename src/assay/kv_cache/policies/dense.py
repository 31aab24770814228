"""Everything stays: plain attention, and what others are measured against."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from assay.kv_cache.policies.base import View


@dataclass(frozen=True, slots=True)
class Dense:
    """Keeps all pairs, in the blocks that they were computed in."""

    keeps_all: bool = True
    acts_in_prefill: bool = False
    refreshes: bool = False
    num_recent: int = 0
    min_tokens: int = 0
    granule: int = 1

    def prepare(self, _view: View, /) -> None:
        return None

    def select(self, view: View, _prepared: None, /) -> torch.Tensor:
        return torch.ones(view.pairs.keys(view.num_candidates).shape[:3], dtype=torch.bool)
