"""The card of the models of clauses: what they came from and what they are worth."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from assay.training.clause_fit import Recipe
from assay.training.clauses import TrainedKind
from assay.training.contracts import LABELS, Contract
from assay.units.fallbacks.clause_cues import ClauseKind


def make_card(
    contracts: Sequence[Contract],
    recipe: Recipe,
    seed: int,
    trained: Mapping[ClauseKind, TrainedKind],
) -> dict[str, Any]:
    """Data, recipe and figures, of JSON's types. `f1` is how an evaluation counts passages: of each
    contract the F1 of the characters quoted, 0 where one side says nothing."""
    digest = hashlib.sha256("".join(item.text for item in contracts).encode()).hexdigest()
    figures = {kind: _figures(kind, item) for kind, item in trained.items()}
    return {
        "data": "CUAD v1, The Atticus Project (CC BY 4.0)",
        "num_contracts": len(contracts),
        "sha256_of_texts": digest,
        "settings": {**asdict(recipe), "seed": seed},
        "mean_f1": round(sum(item["f1"] for item in figures.values()) / max(1, len(figures)), 3),
        "out_of_fold": figures,
    }


def _figures(kind: ClauseKind, item: TrainedKind) -> dict[str, Any]:
    counts = item.counts
    return {
        "label": LABELS[kind],
        "precision": round(counts.num_right / max(1, counts.num_answered), 3),
        "recall": round(counts.num_right / max(1, counts.num_gold), 3),
        "f1": round(2 * counts.num_right / max(1, counts.num_answered + counts.num_gold), 3),
        "num_contracts": counts.num_gold,
        "num_sentences": item.num_sentences,
        "num_marked": item.num_marked,
        "brier": round(item.brier, 3),
    }
