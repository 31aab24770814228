"""Figures as a picture: a bar a field with its interval, the baseline's beside it.

matplotlib is imported when this module is.
"""

from __future__ import annotations

import io

import matplotlib

from assay.evaluation.figures import Figure
from assay.evaluation.report import Fields, Report

matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas

_OURS, _BASELINE = "#1b7837", "#b2abd2"
_HEIGHT = 0.38


def draw_report(report: Report, kind: str = "png") -> bytes:
    """The picture as a file of that kind: "png", "svg" or "pdf"."""
    figure = make_figure(report)
    target = io.BytesIO()
    figure.savefig(target, format=kind, dpi=130)
    pyplot.close(figure)
    return target.getvalue()


def make_figure(report: Report) -> Canvas:
    """The picture, not rendered yet; the caller's to close."""
    names = [(name, field) for name, fields in report.figures.items() for field in fields]
    figure, axes = pyplot.subplots(
        figsize=(8, 1.2 + 0.28 * max(1, len(names))), layout="constrained"
    )
    _draw_bars(axes, report.figures, names, "Assay", _OURS, 0.0)
    if report.baseline:
        _draw_bars(axes, report.baseline_figures, names, "baseline", _BASELINE, _HEIGHT)
        axes.legend(loc="lower right", fontsize=8)
    axes.set_yticks(range(len(names)), [f"{name}.{field}" for name, field in names], fontsize=8)
    axes.set_ylim(len(names) - 0.3, -0.7)
    axes.set_xlim(0, 1)
    axes.set_xlabel("F1, value and evidence right (95% bootstrap interval)", fontsize=9)
    axes.grid(axis="x", alpha=0.3)
    return figure


def _draw_bars(
    axes: Axes,
    fields: Fields,
    names: list[tuple[str, str]],
    label: str,
    colour: str,
    shift: float,
) -> None:
    drawn: list[tuple[float, Figure]] = [
        (row + shift, fields[name][field])
        for row, (name, field) in enumerate(names)
        if field in fields.get(name, {})
    ]
    axes.barh(
        [row for row, _ in drawn],
        [item.f1 for _, item in drawn],
        height=_HEIGHT,
        color=colour,
        label=label,
        xerr=[
            [max(0.0, item.f1 - item.low) for _, item in drawn],
            [max(0.0, item.high - item.f1) for _, item in drawn],
        ],
        error_kw={"elinewidth": 0.8, "ecolor": "#444444"},
    )
