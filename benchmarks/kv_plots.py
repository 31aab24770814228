"""Curves of the KV cache as PNG. matplotlib is imported when one is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_PANELS = (
    ("kv_bytes", 2**20, "MiB held while decoding"),
    ("step_ms", 1, "decode step of 8, ms"),
    ("ttft_ms", 1000, "first token, new document, s"),
)
_SHARE_PANELS = (
    ("perplexity", "perplexity of the labelled answer"),
    ("f1", "F1 of the model alone"),
)


#: By name; None where something could not be measured.
Figures = Mapping[str, float | None]


def draw_contexts(figures: Mapping[str, Mapping[str, Figures]], path: Path) -> None:
    """Mode -> tokens -> figures: a panel each for memory, step and first token."""

    def fill(panels: list[Axes]) -> None:
        for axes, (key, unit, label) in zip(panels, _PANELS, strict=True):
            for mode, by_tokens in figures.items():
                points = sorted((int(tokens), item[key]) for tokens, item in by_tokens.items())
                known = [(tokens, value / unit) for tokens, value in points if value is not None]
                axes.plot(*zip(*known, strict=True), marker="o", label=mode)
            axes.set(xlabel="tokens of the document", title=label, ylim=(0, None))
        panels[0].legend()

    _save(path, len(_PANELS), fill)


def draw_shares(figures: Mapping[str, Mapping[str, Any]], path: Path) -> None:
    """Share of pairs kept -> figures, the full cache as share 1."""

    def fill(panels: list[Axes]) -> None:
        shares = sorted((share for share in figures if share != "1"), key=float)
        for axes, (key, label) in zip(panels, _SHARE_PANELS, strict=True):
            values = [figures[share][key] for share in shares]
            axes.plot([100 * float(share) for share in shares], values, marker="o")
            axes.axhline(figures["1"][key], linestyle="--", color="gray", label="full cache")
            axes.set(xlabel="pairs kept, %", title=label)
            axes.legend()

    _save(path, len(_SHARE_PANELS), fill)


def _save(path: Path, num_panels: int, fill: Any) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, num_panels, figsize=(4.5 * num_panels, 3.6))
    fill(list(panels))
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
