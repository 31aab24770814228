"""Whether requests that use a model alike ask for alike things.

k-means on shares of importance (square roots, so that distances are Hellinger's); k is where the
mean silhouette is greatest. Clusters are held against labels by the adjusted Rand index
(https://doi.org/10.1007/BF01908075) and normalised mutual information. The p-value is how often
labels dealt out at random agree as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.errors import ConfigError

Floats = NDArray[np.float64]
MAX_CLUSTERS = 12
NUM_SHUFFLES = 999


@dataclass(frozen=True, slots=True)
class Clustering:
    """`labels` `(num_requests,)` from 0; the mean silhouette at each k that was tried."""

    labels: NDArray[np.int64]
    silhouettes: Mapping[int, float]

    @property
    def num_clusters(self) -> int:
        return int(self.labels.max()) + 1


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far clusters agree with labels: 1 fully; `rand` is 0 by chance, `information` a little
    more. `p_value` is that of `rand`."""

    rand: float
    information: float
    p_value: float
    num_labels: int


def cluster(shares: Floats, seed: int = 0) -> Clustering:
    """The clusters of requests by their shares `(num_requests, num_blocks)`.

    Raises:
        ConfigError: scikit-learn is not installed.
    """
    sklearn = _sklearn("cluster"), _sklearn("metrics")
    points = np.sqrt(shares)
    tried: dict[int, tuple[float, Any]] = {}
    for k in range(2, min(MAX_CLUSTERS, len(points) - 1) + 1):
        labels = sklearn[0].KMeans(k, n_init=10, random_state=seed).fit_predict(points)
        tried[k] = float(sklearn[1].silhouette_score(points, labels)), labels
    best = max(tried, key=lambda k: tried[k][0])
    return Clustering(
        np.asarray(tried[best][1], np.int64), {k: score for k, (score, _) in tried.items()}
    )


def agreement(clusters: NDArray[np.int64], labels: Sequence[str], seed: int = 0) -> Agreement:
    """How far clusters agree with labels."""
    metrics = _sklearn("metrics")
    _, coded = np.unique(np.asarray(labels), return_inverse=True)
    rand = float(metrics.adjusted_rand_score(coded, clusters))
    # With the sizes of clusters and labels given, the index grows with this sum.
    generator = np.random.default_rng(seed)
    reached = _pairs(coded, clusters)
    as_good = sum(
        _pairs(generator.permutation(coded), clusters) >= reached for _ in range(NUM_SHUFFLES)
    )
    return Agreement(
        rand,
        float(metrics.normalized_mutual_info_score(coded, clusters)),
        (1 + as_good) / (1 + NUM_SHUFFLES),
        int(coded.max()) + 1,
    )


def _pairs(labels: NDArray[np.int64], clusters: NDArray[np.int64]) -> int:
    """The sum of squares of how many requests have each label and cluster."""
    together = np.bincount(labels * (clusters.max() + 1) + clusters)
    return int((together**2).sum())


def embed(shares: Floats, seed: int = 0) -> Floats:
    """Places in the plane `(num_requests, 2)` by t-SNE
    (https://jmlr.org/papers/v9/vandermaaten08a.html); near ones are alike, far ones say little."""
    perplexity = min(30.0, (len(shares) - 1) / 3)
    made = _sklearn("manifold").TSNE(perplexity=perplexity, init="pca", random_state=seed)
    return np.asarray(made.fit_transform(np.sqrt(shares)), np.float64)


def _sklearn(module: str) -> ModuleType:
    """A module of scikit-learn, which takes a second to import."""
    import importlib

    try:
        return importlib.import_module(f"sklearn.{module}")
    except ImportError:
        raise ConfigError(
            "clusters need scikit-learn", remedy="pip install 'assay[study]'"
        ) from None
