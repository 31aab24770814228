"""`assay train statements`: the judge of statements, from ContractNLI.

Two figures out of fold: on agreements not seen, and on statements not seen either; the second is
what a statement of one's own may expect.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from assay.encoders import load_minilm
from assay.errors import DocumentNotFoundError
from assay.units.fallbacks.statement import VERDICTS
from assay.units.fallbacks.statement_features import StatementReader

_DATA, _STATEMENTS = "contractnli_dev.jsonl", "contractnli_hypotheses.json"
_CHOICES = {"Entailment": 0, "Contradiction": 1, "NotMentioned": 2}
_STRENGTH = 0.03
#: Agreements are parted in so many; of statements, which are few, each is left out by itself.
_NUM_FOLDS = 5
Floats = NDArray[np.float64]


def train_statements(folder: Path, tell: Callable[[str], None]) -> dict[str, Any]:
    """The weights, with the card of how they came about.

    Raises:
        DocumentNotFoundError: the folder does not hold the data.
    """
    features, gold, agreements, statements, quoted = _read(folder, tell)
    weights, bias = _fit(features, gold)
    return {
        "data": "ContractNLI (CC BY 4.0)",
        "num_pairs": len(gold),
        "settings": {"strength": _STRENGTH, "num_folds": _NUM_FOLDS},
        "out_of_fold": {
            "unseen_agreements": _figures(features, gold, agreements, quoted, _NUM_FOLDS),
            "unseen_statements": _figures(features, gold, statements, quoted, len(set(statements))),
        },
        "weights": np.round(weights, 4).tolist(),
        "bias": np.round(bias, 4).tolist(),
    }


def _read(
    folder: Path, tell: Callable[[str], None]
) -> tuple[Floats, NDArray[np.int64], list[str], list[str], NDArray[np.bool_]]:
    for name in (_DATA, _STATEMENTS):
        if not (folder / name).is_file():
            raise DocumentNotFoundError(f"there is no {folder / name}")
    statements = json.loads((folder / _STATEMENTS).read_text(encoding="utf-8"))
    lines = (folder / _DATA).read_text(encoding="utf-8").splitlines()
    encoder = load_minilm()
    pairs = []
    for number, line in enumerate(lines, 1):
        tell(f"agreement {number} of {len(lines)}")
        row = json.loads(line)
        reader = StatementReader(row["text"], encoder)
        for name, label in row["labels"].items():
            compared = reader.compare(statements[name]["hypothesis"])
            assert compared is not None
            start, end = compared.spans[0]
            is_quoted = any(a < end and start < b for a, b in label["evidence"])
            pairs.append((compared.features, _CHOICES[label["choice"]], row["id"], name, is_quoted))
    features, gold, agreements, names, quoted = zip(*pairs, strict=True)
    return (
        np.stack(features),
        np.array(gold, np.int64),
        list(agreements),
        list(names),
        np.array(quoted),
    )


def _fit(features: Floats, gold: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """Weights for the features as they are, fitted on them at one scale."""
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    model = LogisticRegression(C=_STRENGTH, max_iter=2000)
    model.fit((features - mean) / spread, gold)
    weights = model.coef_ / spread
    return weights, model.intercept_ - weights @ mean


def _figures(
    features: Floats,
    gold: NDArray[np.int64],
    groups: list[str],
    quoted: NDArray[np.bool_],
    num_folds: int,
) -> dict[str, Any]:
    """Accuracy, and with the evidence right as well where there is any."""
    found = np.empty_like(gold)
    for seen, unseen in GroupKFold(num_folds).split(features, groups=groups):
        weights, bias = _fit(features[seen], gold[seen])
        found[unseen] = (features[unseen] @ weights.T + bias).argmax(axis=1)
    right = found == gold
    return {
        "accuracy": round(float(right.mean()), 3),
        "with_evidence": round(float((right & (quoted | (gold == 2))).mean()), 3),
        "recall": {
            verdict: round(float(right[gold == index].mean()), 3)
            for index, verdict in enumerate(VERDICTS)
        },
        "precision": {
            verdict: round(float(right[found == index].sum() / max(1, (found == index).sum())), 3)
            for index, verdict in enumerate(VERDICTS)
        },
    }
