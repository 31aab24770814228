"""Fits the projections that sketch keys and queries (`kv_cache.policies.sketch` uses them).

Of all maps of a given rank they leave the least squared error in the products of queries and keys:
with covariances `Q` and `K`, the best approximation of `Q^(1/2) K^(1/2)`. Keys are centred, since
what they have in common adds the same to all scores of a query. Both are turned to several
positions, so that the projections serve there too.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray

from assay.models.config import ModelConfig
from assay.models.rotary import Rotary, rotate
from assay.training.recording import Recording

#: Positions that keys and queries are turned by.
TURNS = (0, 2000, 4000, 6000)
#: Of the greatest variance of a head; less counts as this much.
_LEAST_VARIANCE = 1e-5


class SketchFit:
    """Gathers covariances from recordings, then gives the projections."""

    def __init__(self, config: ModelConfig) -> None:
        shape = (config.num_layers, config.num_kv_heads, config.head_dim, config.head_dim)
        self._queries, self._keys = torch.zeros(shape), torch.zeros(shape)
        self._rotary = Rotary(config)

    def add(self, recording: Recording) -> None:
        """Counts a recording's keys and its questions' queries."""
        keys = recording.reading.keys
        _add_covariance(self._keys, keys - keys.mean(2, keepdim=True), self._rotary)
        for asked in recording.asked:
            grouped = asked.queries.reshape(*keys.shape[:2], -1, keys.shape[3])
            _add_covariance(self._queries, grouped, self._rotary)

    def weights(self, rank: int) -> Mapping[str, NDArray[np.float32]]:
        """The projections `query` and `key`, `(num_layers, num_kv_heads, head_dim, rank)`."""
        query_root, query_inverse = _roots(self._queries)
        key_root, key_inverse = _roots(self._keys)
        left, strengths, right = torch.linalg.svd(query_root @ key_root)
        shared = strengths[..., None, :rank].sqrt()
        return {
            "query": (query_inverse @ left[..., :rank] * shared).numpy(),
            "key": (key_inverse @ right.transpose(-1, -2)[..., :rank] * shared).numpy(),
        }


def _add_covariance(total: torch.Tensor, vectors: torch.Tensor, rotary: Rotary) -> None:
    for turn in TURNS:
        cos, sin = rotary.turns(torch.tensor([turn]))
        turned = rotate(vectors, cos, sin, torch.empty_like(vectors))
        total += turned.transpose(2, 3) @ turned / vectors.shape[2]


def _roots(covariances: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The square roots and those of the inverses."""
    variances, axes = torch.linalg.eigh(covariances)
    least = variances.amax(-1, keepdim=True) * _LEAST_VARIANCE
    roots = torch.maximum(variances, least).sqrt()[..., None, :]
    transposed = axes.transpose(-1, -2)
    return axes * roots @ transposed, axes / roots @ transposed
