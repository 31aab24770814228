"""The latest queries of a sequence: what tells which pairs matter to the tokens that come."""

from __future__ import annotations

import torch

NUM_RECENT_QUERIES = 32


class RecentQueries:
    """The queries of the last tokens that a sequence computed, at most `NUM_RECENT_QUERIES`.

    Written by the runner after each step, read between steps.
    """

    def __init__(self) -> None:
        self._parts: list[torch.Tensor] = []

    def add(self, queries: torch.Tensor) -> None:
        """Takes up those of the latest tokens, `(num_layers, num_tokens, num_heads, head_dim)`,
        turned by their positions and not scaled, and copies none."""
        self._parts.append(queries)
        while sum(part.shape[1] for part in self._parts[1:]) >= NUM_RECENT_QUERIES:
            del self._parts[0]

    def read(self, num_tokens: int) -> torch.Tensor:
        """The latest `num_tokens`, or all there are, `(num_layers, num_heads, num_tokens,
        head_dim)`, the last one last."""
        if not self._parts:
            return torch.empty(0, 0, 0, 0)
        recent = torch.cat(self._parts, 1)[:, -NUM_RECENT_QUERIES:]
        self._parts = [recent]
        return recent[:, -num_tokens:].transpose(1, 2).contiguous()

    def mean(self, num_tokens: int) -> torch.Tensor:
        """Over the latest `num_tokens`, or all there are: `(num_layers, num_heads, 1, head_dim)`,
        float32."""
        total, num_left = torch.zeros(1, 1), num_tokens
        for part in reversed(self._parts):
            latest = part[:, max(0, part.shape[1] - num_left) :]
            total = total + (latest[:, 0] if latest.shape[1] == 1 else latest.float().sum(1))
            num_left -= latest.shape[1]
            if num_left == 0:
                break
        return (total / max(1, num_tokens - num_left))[..., None, :]
