"""Two pictures of how far confidences can be trusted. Imports matplotlib."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

import matplotlib

from assay.evaluation.calibration import Outcome, expected_error, reliability, risk_coverage

matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.axes import Axes


def draw_calibration(groups: Mapping[str, Sequence[Outcome]]) -> bytes:
    """A PNG: what was said against what was right in ten bins, and the share wrong of the surest
    answers by how many are given; a line for each group of answers by name."""
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(11, 4.6), layout="constrained")
    for name, outcomes in groups.items():
        if outcomes:
            _draw_reliability(left, name, outcomes)
            _draw_risk(right, name, outcomes)
    left.plot([0, 1], [0, 1], color="#444444", linewidth=0.8, linestyle="--")
    left.set(xlabel="confidence", ylabel="share right", xlim=(0, 1), ylim=(0, 1))
    right.set(xlabel="share of answers given, the surest first", ylabel="share of them wrong")
    right.set_xlim(0, 1)
    right.set_ylim(bottom=0)
    for axes in (left, right):
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
    target = io.BytesIO()
    figure.savefig(target, format="png", dpi=110)
    pyplot.close(figure)
    return target.getvalue()


def _draw_reliability(axes: Axes, name: str, outcomes: Sequence[Outcome]) -> None:
    bins = reliability(outcomes)
    error = expected_error(outcomes)
    (line,) = axes.plot(
        [item.confidence for item in bins],
        [item.right for item in bins],
        linewidth=1.0,
        label=f"{name}: ECE {error:.3f}, n {len(outcomes)}",
    )
    sizes = [6 + 90 * item.count / len(outcomes) for item in bins]
    axes.scatter(
        [item.confidence for item in bins],
        [item.right for item in bins],
        s=sizes,
        color=line.get_color(),
    )


def _draw_risk(axes: Axes, name: str, outcomes: Sequence[Outcome]) -> None:
    coverages, precisions = risk_coverage(outcomes)
    axes.plot(coverages, [1 - item for item in precisions], linewidth=1.2, label=name)
