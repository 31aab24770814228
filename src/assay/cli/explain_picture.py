"""An explanation as a picture: strips of the document, and what layers and heads kept.

Each strip is the document along its length in tokens, a segment's shade its relevance to the
question. What is read has a bar under it, its colours where keys and values came from. Below, one
heat map a field where a policy left something out. matplotlib is imported when this module is.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

import matplotlib
import numpy as np

from assay.analysis.explain import Explanation, FieldExplanation, Reason
from assay.cli.messages import one_line
from assay.reports import TokenSources

matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

_COLOURS = {
    "computed": "#d95f02",
    "live": "#1b9e77",
    "host": "#3182bd",
    "disk": "#7b3294",
}
_SHADES = matplotlib.colormaps["Greys"]
_EDGES = {Reason.CHOSEN: "black", Reason.NEIGHBOUR: "black", Reason.NOTHING_TO_COPY: "#b8860b"}
_WIDTH, _STRIP, _MAP = 13.0, 0.62, 1.35
_MAPS_A_ROW = 2
# The share of a strip's length that the label of a page takes.
_LABEL = 0.03


def draw_explanation(explanation: Explanation, kind: str) -> bytes:
    """The picture as a file of that kind: "png", "svg" or "pdf"."""
    figure = make_figure(explanation)
    target = io.BytesIO()
    figure.savefig(target, format=kind, dpi=130)
    pyplot.close(figure)
    return target.getvalue()


def make_figure(explanation: Explanation) -> Figure:
    """The picture, not rendered yet; the caller's to close."""
    strips = list(_strips(explanation))
    kept = [item for item in explanation.rounds[-1].values() if item.cache and item.cache.kept]
    num_rows = -(-len(kept) // _MAPS_A_ROW)
    heights = [_STRIP] * len(strips) + [_MAP] * num_rows
    figure = pyplot.figure(figsize=(_WIDTH, sum(heights) + (2.6 if kept else 1.8)))
    top = 1 - 1.25 / figure.get_figheight()
    middle = top - (sum(heights[: len(strips)]) + 0.2) / figure.get_figheight()
    upper = figure.add_gridspec(
        len(strips), 1, left=0.17, right=0.80, top=top, bottom=middle, hspace=0.35
    )
    for row, (label, item) in enumerate(strips):
        axes = figure.add_subplot(upper[row])
        _draw_strip(axes, explanation, item, label)
        _label_axis(axes, explanation, is_first=row == 0, is_last=row == len(strips) - 1)
    if kept:
        lower = figure.add_gridspec(
            num_rows,
            _MAPS_A_ROW,
            left=0.07,
            right=0.90,
            top=middle - 0.85 / figure.get_figheight(),
            bottom=0.45 / figure.get_figheight(),
            hspace=0.9,
            wspace=0.12,
        )
        cells = [
            figure.add_subplot(lower[divmod(cell, _MAPS_A_ROW)])
            for cell in range(num_rows * _MAPS_A_ROW)
        ]
        _draw_maps(figure, cells, kept)
    _add_title(figure, explanation)
    return figure


def _strips(explanation: Explanation) -> Iterator[tuple[str, FieldExplanation]]:
    for name in explanation.rounds[0]:
        for number, asked in enumerate(explanation.rounds):
            yield name if number == 0 else "again", asked[name]


def _draw_strip(axes: Axes, explanation: Explanation, item: FieldExplanation, label: str) -> None:
    lengths = [segment.num_tokens for segment in explanation.segments]
    starts = [0, *accumulate(lengths)]
    chosen = {use.number for use in item.segments if use.reason is Reason.CHOSEN}
    best = max((use.score for use in item.segments), default=0.0) or 1.0
    for use, start, length in zip(item.segments, starts, lengths, strict=False):
        shade = _SHADES(0.04 + 0.6 * use.score / best)
        axes.add_patch(Rectangle((start, 0.36), length, 0.64, facecolor=shade, linewidth=0))
        if use.reason in _EDGES:
            is_neighbour = use.reason is Reason.NEIGHBOUR
            axes.add_patch(
                Rectangle(
                    (start, 0.36),
                    length,
                    0.64,
                    fill=False,
                    edgecolor=_EDGES[use.reason],
                    linewidth=0.8 if is_neighbour else 1.4,
                    linestyle=":" if is_neighbour else "-",
                    hatch="////" if use.reason is Reason.NOTHING_TO_COPY else None,
                )
            )
        if use.sources is not None:
            # What comes before a chosen segment shares its end with it; all else its start.
            is_before = use.number + 1 in chosen and use.number not in chosen
            missing = length - use.sources.num_tokens if is_before else 0
            _draw_sources(axes, start + missing, use.sources)
    axes.set_xlim(0, starts[-1])
    axes.set_ylim(0, 1)
    axes.set_ylabel(label, rotation=0, ha="right", va="center", fontsize=9)
    axes.text(1.01, 0.5, _summary(item), transform=axes.transAxes, va="center", fontsize=8)


def _draw_sources(axes: Axes, start: float, sources: TokenSources) -> None:
    """A bar as long as the tokens read, a stretch for each place that they came from."""
    parts = (sources.num_live, sources.num_host, sources.num_disk, sources.num_computed)
    for name, num_tokens in zip(("live", "host", "disk", "computed"), parts, strict=True):
        colour = _COLOURS[name]
        axes.add_patch(Rectangle((start, 0), num_tokens, 0.28, facecolor=colour, linewidth=0))
        start += num_tokens


def _summary(item: FieldExplanation) -> str:
    cache = item.cache
    if cache is None:
        return "the model read nothing"
    prompt = cache.prompt
    return (
        f"{cache.reading}, {prompt.num_reused / prompt.num_tokens:.0%} of {prompt.num_tokens:,}"
        f" tokens reused\nholds {item.kept_share:.1%}, attends {item.attended_share:.1%} of dense"
    )


def _label_axis(axes: Axes, explanation: Explanation, *, is_first: bool, is_last: bool) -> None:
    axes.set_yticks([])
    axes.tick_params(labelsize=8, length=2, labelbottom=is_last)
    if is_last:
        axes.set_xlabel("tokens of the document", fontsize=8)
    starts: dict[int, int] = {}
    position = 0
    for segment in explanation.segments:
        if segment.page is not None:
            starts.setdefault(segment.page, position)
        position += segment.num_tokens
    if is_first and starts:
        pages = axes.secondary_xaxis("top")
        labels = [
            f"p. {page}" if after - start > _LABEL * position else ""
            for (page, start), after in zip(
                starts.items(), [*list(starts.values())[1:], position], strict=True
            )
        ]
        pages.set_xticks(list(starts.values()), labels)
        pages.tick_params(labelsize=7, length=2)


def _draw_maps(figure: Figure, cells: Sequence[Axes], kept: Sequence[FieldExplanation]) -> None:
    shown: Any = None
    for axes in cells[len(kept) :]:
        axes.set_axis_off()
    for axes, item in zip(cells, kept, strict=False):
        assert item.cache is not None
        counts = np.array(item.cache.kept).T
        total = item.cache.num_windowed_tokens
        shares = 100 * counts / total
        shown = axes.imshow(shares, aspect="auto", cmap="viridis", vmin=0, vmax=100)
        axes.set_title(
            f"{item.name}: {shares.mean():.0f}% of the pairs of its first {total:,} tokens kept",
            fontsize=8,
        )
        axes.set_yticks(range(len(counts)), [str(head + 1) for head in range(len(counts))])
        layers = range(0, counts.shape[1], 5)
        axes.set_xticks(list(layers), [str(layer + 1) for layer in layers])
        axes.tick_params(labelsize=7, length=2)
        axes.set_xlabel("layer", fontsize=7, labelpad=1)
        axes.set_ylabel("key head", fontsize=7)
    box = cells[0].get_position()
    low = cells[-1].get_position().y0
    bar = figure.add_axes((0.92, low, 0.012, box.y1 - low))
    figure.colorbar(shown, cax=bar).set_label("% of pairs kept", fontsize=8)
    bar.tick_params(labelsize=7)


def _add_title(figure: Figure, explanation: Explanation) -> None:
    height = figure.get_figheight()
    document = explanation.document
    figure.text(
        0.02,
        1 - 0.25 / height,
        f"What {explanation.unit} reads of {one_line(document.name)}",
        fontsize=13,
        weight="bold",
        va="center",
    )
    figure.text(
        0.02,
        1 - 0.52 / height,
        f"{len(explanation.segments)} segments, {explanation.num_document_tokens:,} tokens; "
        f"{explanation.backend.engine or explanation.backend.model}",
        fontsize=8,
        color="#444444",
        va="center",
    )
    marks = [
        Patch(facecolor=_SHADES(0.6), label="relevance (darker: more)"),
        Patch(fill=False, edgecolor="black", label="chosen"),
        Patch(fill=False, edgecolor="black", linestyle=":", label="shares blocks with one chosen"),
        Patch(fill=False, edgecolor="#b8860b", hatch="////", label="nothing to copy in it"),
        *(Patch(color=colour, label=_SOURCE_LABELS[name]) for name, colour in _COLOURS.items()),
    ]
    figure.legend(
        handles=marks,
        loc="upper left",
        bbox_to_anchor=(0.02, 1 - 0.62 / height),
        ncols=len(marks),
        columnspacing=1.3,
        handlelength=1.8,
        borderaxespad=0,
        fontsize=7.5,
        frameon=False,
    )


_SOURCE_LABELS = {
    "computed": "keys and values computed",
    "live": "found live",
    "host": "found in host memory",
    "disk": "found on disk",
}
