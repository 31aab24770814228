"""How importance is spread over blocks, and how far two orders of blocks agree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def shares_of(importance: Floats) -> Floats:
    """Importances `(num_requests, num_blocks)` as shares: each row sums to 1."""
    return np.asarray(importance / importance.sum(axis=1, keepdims=True))


def blocks_needed(shares: Floats, mass: float) -> NDArray[np.int64]:
    """How many blocks, the greatest first, each row needs to have `mass` (0 to 1) of its sum."""
    ordered = np.sort(shares, axis=1)[:, ::-1].cumsum(axis=1)
    return np.asarray((ordered < mass - 1e-9).sum(axis=1) + 1)


def rank_correlation(one: Floats, other: Floats) -> float:
    """Spearman's correlation of two vectors, without regard to ties."""
    ranks = (one.argsort().argsort(), other.argsort().argsort())
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])
