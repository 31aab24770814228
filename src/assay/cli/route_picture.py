"""What requests mean as a picture: dimensions and units, bars in shares, a colour a tenant.

matplotlib is imported when this module is.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from assay.routing import DIMENSIONS

Counts = Mapping[str, Mapping[str, Any]]


def draw_statistics(tenants: Counts) -> bytes:
    """The picture as a PNG file."""
    target = io.BytesIO()
    make_figure(tenants).savefig(target, format="png", dpi=120)
    return target.getvalue()


def make_figure(tenants: Counts) -> Figure:
    """The picture, not rendered yet."""
    totals: dict[str, int] = {}
    for counts in tenants.values():
        for name, count in counts["units"].items():
            totals[name] = totals.get(name, 0) + count
    units = sorted(totals, key=lambda name: -totals[name])
    height = 1.6 + 0.25 * max(len(units), len(DIMENSIONS))
    figure = Figure(figsize=(11, height), layout="constrained")
    left, right = figure.subplots(1, 2)
    _draw(left, tenants, "descriptors", list(DIMENSIONS), "dimensions")
    _draw(right, tenants, "units", units, "units")
    if len(tenants) > 1:
        right.legend(fontsize=8)
    refused = sum(counts["num_refused"] for counts in tenants.values())
    total = sum(counts["num_requests"] for counts in tenants.values())
    figure.suptitle(f"{total} requests, {refused} refused", fontsize=10)
    return figure


def _draw(axes: Axes, tenants: Counts, key: str, names: list[str], title: str) -> None:
    width = 0.8 / max(1, len(tenants))
    for number, (tenant, counts) in enumerate(tenants.items()):
        answered = max(1, counts["num_requests"] - counts["num_refused"])
        shares = [counts[key].get(name, 0) / answered for name in names]
        places = [row + number * width for row in range(len(names))]
        axes.barh(places, shares, height=width, label=tenant or "no tenant")
    middle = 0.4 - width / 2
    axes.set_yticks([row + middle for row in range(len(names))], names, fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel(f"{title}: share of the requests that were answered", fontsize=8)
    axes.grid(axis="x", alpha=0.3)
