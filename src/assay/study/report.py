"""A study of activations from requests to figures."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.study.clusters import Agreement, Clustering, agreement, cluster, embed
from assay.study.importance import BlockMeter, measure_all
from assay.study.requests import LabelledRequest
from assay.study.shares import blocks_needed, rank_correlation, shares_of

Floats = NDArray[np.float64]
#: Of so many requests the estimate is held against taking the blocks out.
NUM_CHECKED = 8


@dataclass(frozen=True, slots=True)
class ActivationStudy:
    """What was found. `shares` `(num_requests, num_blocks)` are of importance, `places`
    `(num_requests, 2)` those of t-SNE. `needed` counts the blocks that have `mass` of a request's
    importance; `common` are those among them for every request. `agreements` are by what the
    clusters are held against. `estimate` is the mean rank correlation of importance with what
    taking the block out costs, over some of the requests."""

    requests: tuple[LabelledRequest, ...]
    num_layers: int
    num_groups: int
    mass: float
    shares: Floats
    needed: NDArray[np.int64]
    common: tuple[int, ...]
    clustering: Clustering
    agreements: Mapping[str, Agreement]
    places: Floats
    estimate: float

    def as_json(self) -> dict[str, Any]:
        """What `assay study activations --json` prints."""
        return {
            "num_requests": len(self.requests),
            "num_layers": self.num_layers,
            "num_blocks": self.shares.shape[1],
            "mass": self.mass,
            "blocks_needed": {
                "mean": round(float(self.needed.mean()), 2),
                "least": int(self.needed.min()),
                "most": int(self.needed.max()),
            },
            "blocks_common": list(self.common),
            "share_by_block": [round(float(value), 4) for value in self.shares.mean(axis=0)],
            "num_clusters": self.clustering.num_clusters,
            "silhouettes": {
                str(k): round(value, 3) for k, value in self.clustering.silhouettes.items()
            },
            "agreement": {
                name: {key: round(value, 3) for key, value in dataclasses.asdict(item).items()}
                for name, item in self.agreements.items()
            },
            "estimate_rank_correlation": round(self.estimate, 3),
            "requests": [
                {"text": request.text, "cluster": int(label), "blocks_needed": int(needed)}
                for request, label, needed in zip(
                    self.requests, self.clustering.labels, self.needed, strict=True
                )
            ],
        }


def study_activations(
    meter: BlockMeter,
    requests: Sequence[LabelledRequest],
    *,
    num_layers: int,
    num_groups: int = 1,
    mass: float = 0.8,
    seed: int = 0,
    tell: Callable[[str], None] = lambda _: None,
) -> ActivationStudy:
    """Measures all requests and puts them into clusters.

    Beside descriptor and units the clusters are held against what might explain them more simply:
    the language, and how long the prompt is (thirds).

    Raises:
        ConfigError: scikit-learn is not installed.
    """
    rows, answers = [], []
    for asked, importance in measure_all(meter, [item.text for item in requests]):
        rows.append(importance)
        answers.append(asked)
        tell(f"{len(rows)}/{len(requests)} requests")
    shares = shares_of(np.stack(rows))
    tell("taking blocks out")
    checked = range(0, len(rows), max(1, len(rows) // NUM_CHECKED))
    estimates = [rank_correlation(rows[n], np.abs(meter.losses(answers[n]))) for n in checked]
    tell("finding clusters")
    clustering = cluster(shares, seed)
    lengths = np.array([len(asked.prompt) for asked in answers])
    thirds = np.searchsorted(np.quantile(lengths, (1 / 3, 2 / 3)), lengths)
    labels = {
        "descriptor": ["+".join(item.descriptor) for item in requests],
        "unit": ["+".join(sorted(item.units)) for item in requests],
        "language": [item.language for item in requests],
        "length": [str(third) for third in thirds],
    }
    return ActivationStudy(
        tuple(requests),
        num_layers,
        num_groups,
        mass,
        shares,
        blocks_needed(shares, mass),
        _common(shares, mass),
        clustering,
        {name: agreement(clustering.labels, values, seed) for name, values in labels.items()},
        embed(shares, seed),
        float(np.mean(estimates)),
    )


def _common(shares: Floats, mass: float) -> tuple[int, ...]:
    """The blocks that every request needs, in order."""
    needed = blocks_needed(shares, mass)
    greatest = np.argsort(-shares, axis=1)
    sets = [set(row[:number].tolist()) for row, number in zip(greatest, needed, strict=True)]
    return tuple(sorted(set.intersection(*sets)))
