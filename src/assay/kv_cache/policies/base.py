"""What a policy is given and what it answers.

::

    Policy          prepare, select      which pairs stay, at once for all layers and key heads
      ScorePolicy   score                the same from a number for each pair

A policy sees the keys and values of a sequence's first tokens and the queries of its last. What it
does not keep is given back: it takes no memory and no time from then on. The *tail*, the last
`num_recent` tokens and those after, is not the policy's to decide on: it stays in blocks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, Protocol

import torch


@dataclass(frozen=True, slots=True)
class View:
    """A sequence as a policy sees it.

    `keys` and `values` `(num_layers, num_kv_heads, num_tokens, head_dim)` are those of the tokens
    from `first_token` on, keys turned by their positions; `queries` `(num_layers, num_heads,
    num_queries, head_dim)` are those of the last of these tokens, turned alike and not scaled. It
    is asked about the first `num_candidates`. When asked again it may be shown those alone.
    """

    keys: torch.Tensor
    values: torch.Tensor
    queries: torch.Tensor
    num_candidates: int
    first_token: int = 0

    @property
    def num_tokens(self) -> int:
        return self.keys.shape[2]


class Policy(Protocol):
    """Chooses the pairs that stay. Immutable; what it finds out about a sequence is the caller's
    to keep (`prepare`)."""

    @property
    def keeps_all(self) -> bool:
        """Whether it never leaves anything out."""
        ...

    @property
    def acts_in_prefill(self) -> bool:
        """Whether it decides on tokens as soon as they are `num_recent` behind, once and for all;
        else when the prompt has been computed."""
        ...

    @property
    def refreshes(self) -> bool:
        """Whether it is asked again while the answer grows."""
        ...

    @property
    def num_recent(self) -> int:
        """Tokens at the end that it is not asked about."""
        ...

    @property
    def min_tokens(self) -> int:
        """Sequences shorter than this stay whole."""
        ...

    @property
    def granule(self) -> int:
        """It is asked about so many tokens at once, or a multiple."""
        ...

    def prepare(self, view: View, /) -> Any:
        """What does not change from one choice for a sequence to the next."""
        ...

    def select(self, view: View, prepared: Any, /) -> torch.Tensor:
        """Which candidates stay: `(num_layers, num_kv_heads, num_candidates)` bool."""
        ...


@dataclass(frozen=True, slots=True)
class Ranked:
    """What a `ScorePolicy` finds out about a sequence: how many pairs stay, a mean over the heads,
    and what `ScorePolicy.describe` said of them."""

    num_kept: int
    described: Any


class ScorePolicy(ABC):
    """Keeps the pairs with the highest scores: `share` of all when it is first asked, the tail and
    the first `num_sinks` tokens included."""

    share: float
    num_sinks: int

    @property
    @abstractmethod
    def ranks_heads_together(self) -> bool:
        """Whether the highest scores of all heads together stay, so that a head that needs more
        pairs keeps more; else as many in each head."""

    @abstractmethod
    def describe(self, view: View, /) -> Any:
        """What of the candidates' scores does not change."""

    @abstractmethod
    def score(self, view: View, described: Any, /) -> torch.Tensor:
        """What each candidate is worth: `(num_layers, num_kv_heads, num_candidates)` float32, the
        caller's to overwrite."""

    def prepare(self, view: View, /) -> Ranked:
        num_tail = view.num_tokens - view.num_candidates
        num_kept = max(self.num_sinks, round(self.share * view.num_tokens) - num_tail)
        return Ranked(min(num_kept, view.num_candidates), self.describe(view))

    def select(self, view: View, prepared: Ranked, /) -> torch.Tensor:
        scores = self.score(view, prepared.described)
        scores[..., : self.num_sinks] = float("inf")
        heads = scores.flatten(0, 1)
        rows = heads.view(1, -1) if self.ranks_heads_together else heads
        num_kept = prepared.num_kept * len(heads) // len(rows)
        best = rows.topk(num_kept, dim=-1, sorted=False).indices
        kept = torch.zeros_like(rows, dtype=torch.bool).scatter_(-1, best, value=True)
        return kept.view(scores.shape)
