"""A study as a picture: requests in the plane, by cluster and by descriptor, and what each cluster
uses. matplotlib is imported when this module is."""

from __future__ import annotations

import io

import matplotlib
import numpy as np

from assay.study.report import ActivationStudy

matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.axes import Axes

_COLOURS = matplotlib.colormaps["tab20"]


def draw_study(study: ActivationStudy) -> bytes:
    """The picture as PNG."""
    figure, (by_cluster, by_label, use) = pyplot.subplots(
        1, 3, figsize=(16, 5), width_ratios=(1, 1, 1.2), layout="constrained"
    )
    clusters = [f"cluster {label + 1}" for label in study.clustering.labels]
    found = study.agreements["descriptor"]
    _scatter(by_cluster, study, clusters, f"{study.clustering.num_clusters} clusters, t-SNE")
    _scatter(
        by_label,
        study,
        ["+".join(item.descriptor) or "none" for item in study.requests],
        f"the same by descriptor (Rand {found.rand:.2f}, p = {found.p_value:.3f})",
    )
    _heat(use, study)
    target = io.BytesIO()
    figure.savefig(target, format="png", dpi=110)
    pyplot.close(figure)
    return target.getvalue()


def _scatter(axes: Axes, study: ActivationStudy, labels: list[str], title: str) -> None:
    kinds = sorted(set(labels))
    for number, kind in enumerate(kinds):
        mine = np.array([label == kind for label in labels])
        for marker, is_zh in (("o", False), ("^", True)):
            chosen = mine & np.array([(item.language == "zh") == is_zh for item in study.requests])
            places = study.places[chosen]
            colour = _COLOURS(number % _COLOURS.N)
            axes.scatter(places[:, 0], places[:, 1], s=22, marker=marker, color=colour)
        axes.scatter([], [], s=22, color=_COLOURS(number % _COLOURS.N), label=kind)
    axes.set(title=title, xticks=[], yticks=[], xlabel="circles English, triangles Chinese")
    axes.legend(fontsize=7, loc="best")


def _heat(axes: Axes, study: ActivationStudy) -> None:
    """The mean share of each layer in each cluster."""
    by_layer = study.shares.reshape(len(study.shares), study.num_layers, -1).sum(axis=2)
    labels = study.clustering.labels
    rows = np.stack([by_layer[labels == k].mean(axis=0) for k in range(labels.max() + 1)])
    shown = axes.imshow(rows, aspect="auto", cmap="viridis")
    axes.figure.colorbar(shown, ax=axes, label="share of importance")
    names = [f"cluster {k + 1} ({(labels == k).sum()})" for k in range(len(rows))]
    axes.set(title="what each cluster uses", xlabel="layer's feed-forward block")
    axes.set_yticks(range(len(rows)), names)
