"""Two policies, one after the other."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import torch

from assay.kv_cache.policies.base import Policy, View


@dataclass(frozen=True, slots=True)
class Composed:
    """`second` chooses among what `first` keeps. Where only one of them acts during prefill, both
    wait for its end. If `first` refreshes, so does `second`."""

    first: Policy
    second: Policy

    @property
    def keeps_all(self) -> bool:
        return self.first.keeps_all and self.second.keeps_all

    @property
    def acts_in_prefill(self) -> bool:
        return all(
            policy.keeps_all or policy.acts_in_prefill for policy in (self.first, self.second)
        )

    @property
    def refreshes(self) -> bool:
        return self.second.refreshes

    @property
    def num_recent(self) -> int:
        return max(self.first.num_recent, self.second.num_recent)

    @property
    def min_tokens(self) -> int:
        return max(self.first.min_tokens, self.second.min_tokens)

    @property
    def granule(self) -> int:
        return math.lcm(self.first.granule, self.second.granule)

    def prepare(self, view: View, /) -> tuple[Any, Any]:
        return self.first.prepare(view), self.second.prepare(view)

    def select(self, view: View, prepared: tuple[Any, Any], /) -> torch.Tensor:
        kept = self.first.select(view, prepared[0])
        return self.second.select(replace(view, allowed=kept), prepared[1])
