"""What a policy is given and what it answers.

::

    Policy          prepare, select      which pairs stay, at once for all layers and key heads
      ScorePolicy   describe, score      the same from a number for each pair

A policy sees the keys and values of a sequence's first tokens and the queries of its last. What it
does not keep is given back: it takes no memory and no time from then on. The *tail*, the last
`num_recent` tokens and those after, is not the policy's to decide on: it stays in blocks.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import torch

PairFunction = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


class Pairs(Protocol):
    """A sequence's pairs, from its first token or a later one on."""

    @property
    def num_tokens(self) -> int: ...

    def keys(self, num_tokens: int) -> torch.Tensor:
        """Those of the first tokens, turned by their positions: `(num_layers, num_kv_heads,
        num_tokens, head_dim)`."""
        ...

    def values(self, num_tokens: int) -> torch.Tensor:
        """As `keys`."""
        ...

    def attention(self, num_tokens: int, queries: torch.Tensor) -> torch.Tensor:
        """`attention.query_attention` of the first tokens, the caller's to overwrite."""
        ...

    def highest(self, scores: torch.Tensor, counts: torch.Tensor) -> torch.Tensor:
        """`attention.keep_highest`."""
        ...

    def describe(self, function: PairFunction, num_tokens: int) -> torch.Tensor:
        """`function` of the first tokens' keys and values, `(num_layers, num_kv_heads,
        num_tokens)`: what it says of a pair depends on that pair alone, so that it need not be
        asked again about blocks seen before. One function only."""
        ...

    def rescore(
        self,
        codes: torch.Tensor,
        static: torch.Tensor,
        queries: torch.Tensor,
        factor: float,
        least: float,
    ) -> torch.Tensor:
        """`sketch.rescore`, the caller's to overwrite. Reads no pairs."""
        ...


@dataclass(frozen=True, slots=True)
class View:
    """A sequence as a policy sees it: the pairs of the tokens from `first_token` on, and `queries`
    `(num_layers, num_heads, num_queries, head_dim)` of the last of them, turned alike and not
    scaled. It is asked about the first `num_candidates`.

    Of candidates that are not `allowed` (as `Policy.select` answers) none can stay. When it is
    asked again, `counts` `(num_layers, num_kv_heads)` are how many of each head were kept; pairs
    may then be those of the candidates alone.
    """

    pairs: Pairs
    queries: torch.Tensor
    num_candidates: int
    first_token: int = 0
    allowed: torch.Tensor | None = None
    counts: torch.Tensor | None = None


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
        """Whether it is asked again while the answer grows. It then keeps as many as before. None
        that acts in prefill does."""
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


class ScorePolicy(ABC):
    """Keeps the pairs with the highest scores: `share` of all pairs when it is first asked, those
    of the tail counted, and among them the first `num_sinks` tokens. From then on each head keeps
    its number.
    """

    share: float
    num_sinks: int

    @property
    @abstractmethod
    def ranks_heads_together(self) -> bool:
        """Whether the highest scores of all heads together stay, so that a head that needs more
        pairs keeps more; else as many in each head."""

    @abstractmethod
    def prepare(self, view: View, /) -> Any:
        """What of the candidates' scores does not change."""

    @abstractmethod
    def score(self, view: View, prepared: Any, /) -> torch.Tensor:
        """What each candidate is worth: `(num_layers, num_kv_heads, num_candidates)` float32, the
        caller's to overwrite."""

    def select(self, view: View, prepared: Any, /) -> torch.Tensor:
        scores = self.score(view, prepared)
        scores[..., : self.num_sinks] = float("inf")
        if view.allowed is not None:
            scores.masked_fill_(~view.allowed, float("-inf"))
        if view.counts is not None:
            return view.pairs.highest(scores, view.counts)
        num_tail = view.pairs.num_tokens - view.num_candidates
        num_kept = max(self.num_sinks, round(self.share * view.pairs.num_tokens) - num_tail)
        heads = scores.flatten(0, 1)
        rows = heads.view(1, -1) if self.ranks_heads_together else heads
        num_kept = min(num_kept, view.num_candidates) * len(heads) // len(rows)
        best = rows.topk(num_kept, dim=-1, sorted=False).indices
        kept = torch.zeros_like(rows, dtype=torch.bool).scatter_(-1, best, value=True)
        kept = kept.view(scores.shape)
        return kept if view.allowed is None else kept & view.allowed
