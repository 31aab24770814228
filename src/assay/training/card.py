"""What a training run leaves behind: weights, a card that says how they came about, and curves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from assay.kv_cache.policies.router import Router
from assay.kv_cache.policies.scorer import Scorer
from assay.kv_cache.policies.weights import Kind, save_weights, user_folder, weights_name
from assay.models.packed import PackedModel
from assay.training.importance import TARGET_FLOOR
from assay.training.measures import NUM_LATEST, NUM_SINK
from assay.training.modes import LOCAL_WINDOW, MIN_COVERAGE, NODE_RUN
from assay.training.recording import NUM_RECENT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from assay.training.corpus import Corpus
    from assay.training.run import Settings, Trained


def save(
    folder: Path | None, packed: PackedModel, trained: Trained, card: dict[str, Any]
) -> tuple[Path, ...]:
    """Writes the weights, `card.json` and, where matplotlib is installed, `curves.png`, by default
    where the weights are used from then on; returns what it wrote."""
    folder = folder or user_folder()
    folder.mkdir(parents=True, exist_ok=True)
    parts: dict[Kind, Mapping[str, NDArray[np.float32]]] = {
        "scorer": trained.scorer,
        "router": trained.router,
        "sketch": trained.sketch,
    }
    written = []
    for kind, weights in parts.items():
        written.append(folder / weights_name(kind, packed.config))
        save_weights(written[-1], weights)
    text = json.dumps(card, indent=1, ensure_ascii=False)
    (folder / "card.json").write_text(text + "\n", encoding="utf-8")
    written.append(folder / "card.json")
    if draw(folder / "curves.png", trained):
        written.append(folder / "curves.png")
    return tuple(written)


def make_card(
    packed: PackedModel, corpus: Corpus, settings: Settings, seed: int, trained: Trained
) -> dict[str, Any]:
    """The recipe and the figures, of JSON's types."""
    router = asdict(trained.router_figures)
    return {
        "model": packed.name,
        "model_config": asdict(packed.config),
        "seed": seed,
        "data": {
            "sha256": corpus.digest,
            "sizes": dict(settings.sizes),
            "num_training": len(corpus.training),
            "num_held_out": len(corpus.held_out),
            "max_questions": settings.max_questions,
            "max_held_out_questions": settings.max_held_out_questions,
        },
        "recipe": {
            **asdict(settings.recipe),
            "target_floor": TARGET_FLOOR,
            "num_recent_queries": NUM_RECENT,
            "num_sinks": NUM_SINK,
            "num_latest": NUM_LATEST,
            "attention_factors": list(settings.factors),
            "sketch_rank": settings.sketch_rank,
        },
        "num_parameters": {
            "scorer": Scorer(trained.scorer).num_parameters,
            "router": Router(trained.router).num_parameters,
            "sketch": sum(array.size for array in trained.sketch.values()),
        },
        "epochs": [[round(item.training, 4), round(item.validation, 4)] for item in trained.epochs],
        "attention_factor_nll": {
            str(factor): round(nll, 4) for factor, nll in trained.factor_nlls.items()
        },
        "held_out": {
            "full_nll": round(trained.full_nll, 4),
            "kept": {
                name: {
                    str(share): {"coverage": round(item.coverage, 4), "nll": round(item.nll, 4)}
                    for share, item in by_share.items()
                }
                for name, by_share in trained.measured.items()
            },
        },
        "router": {
            "local_window": LOCAL_WINDOW,
            "node_run": NODE_RUN,
            "min_coverage": MIN_COVERAGE,
            **router,
        },
    }


def draw(path: Path, trained: Trained) -> bool:
    """Draws how the error fell and what keeping a share costs; False without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(13, 4), layout="constrained")
    errors, nlls, coverages = figure.subplots(1, 3)
    _draw_errors(errors, trained)
    for axes, label in ((nlls, "nll"), (coverages, "coverage")):
        _draw_shares(axes, trained, label)
    nlls.axhline(trained.full_nll, color="black", linewidth=0.8, linestyle="--", label="all pairs")
    nlls.set_ylabel("nats a token of the gold quotation")
    coverages.set_ylabel("share of the answer's attention")
    nlls.legend(fontsize=7)
    figure.savefig(path, dpi=110)
    return True


def _draw_errors(axes: Axes, trained: Trained) -> None:
    epochs = range(1, len(trained.epochs) + 1)
    axes.plot(epochs, [item.training for item in trained.epochs], label="training")
    axes.plot(epochs, [item.validation for item in trained.epochs], label="validation")
    axes.set(xlabel="epoch", ylabel="squared error of log importance")
    axes.legend(fontsize=7)


def _draw_shares(axes: Axes, trained: Trained, value: str) -> None:
    for name, by_share in trained.measured.items():
        bold = 2.4 if name == "scorer" else 1.0
        shares = list(by_share)
        values = [getattr(item, value) for item in by_share.values()]
        axes.plot(shares, values, marker="o", markersize=3, linewidth=bold, label=name)
    axes.set_xlabel("share of pairs kept")
