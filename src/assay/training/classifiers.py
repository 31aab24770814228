"""`assay train classifiers`: the small text classifiers of units, from labelled texts.

Each is fitted on all its texts; its figures, its temperature and its threshold come from texts
that it had not seen (folds by group). The same data and settings give the same weights.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from assay.encoders import load_minilm
from assay.units.fallbacks.text_classifier import (
    NgramSpace,
    TextClassifier,
    ngrams_of,
    softmax,
    words_of,
)

Floats = NDArray[np.float64]
_TEMPERATURES = tuple(0.3 + 0.05 * step for step in range(40))


@dataclass(frozen=True, slots=True)
class Texts:
    """Labelled texts. Those of one group are never on both sides of a fold."""

    texts: tuple[str, ...]
    labels: tuple[str, ...]
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClassifierSettings:
    """`vector_factor` weighs the sentence vector beside n-grams (0: without one); `strength` is the
    inverse of L2's weight (C)."""

    max_words: int = 2
    min_texts: int = 2
    vector_factor: float = 0.0
    strength: float = 3.0
    num_folds: int = 10


def train_classifier(
    data: Texts, settings: ClassifierSettings
) -> tuple[TextClassifier, dict[str, Any]]:
    """The classifier and its card: settings, and figures out of fold."""
    grams = [_grams(text, settings.max_words) for text in data.texts]
    vectors = _vectors(data.texts) if settings.vector_factor else None
    labels = sorted(set(data.labels))
    gold = np.array([labels.index(label) for label in data.labels])
    logits = np.zeros((len(gold), len(labels)))
    folds = GroupKFold(settings.num_folds, shuffle=True, random_state=0)
    for seen, unseen in folds.split(gold, groups=data.groups):
        space, model = _fit(grams, vectors, gold, seen, settings)
        found = model.decision_function(_matrix(space, grams, vectors, unseen, settings))
        logits[unseen] = found if found.ndim == 2 else np.stack([-found / 2, found / 2], axis=1)
    temperature = min(_TEMPERATURES, key=lambda item: _log_loss(logits / item, gold))
    probabilities = softmax(np.asarray(logits / temperature, np.float32))
    threshold = _best_threshold(probabilities[:, 1], gold) if len(labels) == 2 else 0.5
    space, model = _fit(grams, vectors, gold, np.arange(len(gold)), settings)
    weights, bias = model.coef_, model.intercept_
    if len(labels) == 2:
        weights, bias = np.concatenate([-weights, weights]) / 2, np.concatenate([-bias, bias]) / 2
    classifier = TextClassifier(
        labels=tuple(labels),
        space=space,
        weights=weights.astype(np.float32),
        bias=bias.astype(np.float32),
        vector_factor=settings.vector_factor,
        temperature=temperature,
        threshold=threshold,
    )
    figures = _figures(probabilities, gold, labels, threshold)
    return classifier, {
        "num_texts": len(gold),
        "num_ngrams": len(space.columns),
        "settings": asdict(settings),
        "temperature": round(temperature, 2),
        "threshold": round(threshold, 2),
        "out_of_fold": figures,
    }


def _grams(text: str, max_words: int) -> list[str]:
    return [item for item, _, _ in ngrams_of(words_of(text), max_words)]


def _vectors(texts: Sequence[str]) -> Floats:
    encoder = load_minilm()
    return np.stack([encoder.embed(text) for text in texts]).astype(np.float64)


def _fit(
    grams: Sequence[Sequence[str]],
    vectors: Floats | None,
    gold: NDArray[np.int64],
    chosen: NDArray[np.int64],
    settings: ClassifierSettings,
) -> tuple[NgramSpace, Any]:
    num_texts = Counter(item for index in chosen for item in set(grams[index]))
    kept = sorted(item for item, number in num_texts.items() if number >= settings.min_texts)
    idf = [1 + math.log((1 + len(chosen)) / (1 + num_texts[item])) for item in kept]
    columns = {item: column for column, item in enumerate(kept)}
    space = NgramSpace(columns, np.array(idf, np.float32), settings.max_words)
    model = LogisticRegression(C=settings.strength, max_iter=3000)
    model.fit(_matrix(space, grams, vectors, chosen, settings), gold[chosen])
    return space, model


def _matrix(
    space: NgramSpace,
    grams: Sequence[Sequence[str]],
    vectors: Floats | None,
    chosen: NDArray[np.int64],
    settings: ClassifierSettings,
) -> csr_matrix:
    rows = [space.vector(grams[index]) for index in chosen]
    ends = np.cumsum([0, *(len(columns) for columns, _ in rows)])
    matrix = csr_matrix(
        (
            np.concatenate([values for _, values in rows]),
            np.concatenate([columns for columns, _ in rows]),
            ends,
        ),
        shape=(len(rows), len(space.columns)),
    )
    if vectors is None:
        return matrix
    return csr_matrix(hstack([matrix, csr_matrix(vectors[chosen] * settings.vector_factor)]))


def _log_loss(logits: Floats, gold: NDArray[np.int64]) -> float:
    probabilities = softmax(np.asarray(logits, np.float32))
    return float(-np.log(probabilities[np.arange(len(gold)), gold] + 1e-9).mean())


def _best_threshold(probabilities: NDArray[np.float32], gold: NDArray[np.int64]) -> float:
    """The threshold with the best F1 of the second label."""
    return max(
        (step / 100 for step in range(20, 81)),
        key=lambda item: _f1(probabilities >= item, gold == 1),
    )


def _f1(found: NDArray[np.bool_], gold: NDArray[np.bool_]) -> float:
    return 2 * float((found & gold).sum()) / max(1.0, float(found.sum() + gold.sum()))


def _figures(
    probabilities: NDArray[np.float32],
    gold: NDArray[np.int64],
    labels: Sequence[str],
    threshold: float,
) -> dict[str, Any]:
    chosen = probabilities.argmax(axis=1)
    if len(labels) == 2:
        chosen = (probabilities[:, 1] >= threshold).astype(np.int64)
    return {
        "accuracy": round(float((chosen == gold).mean()), 3),
        "f1": {
            label: round(_f1(chosen == index, gold == index), 3)
            for index, label in enumerate(labels)
        },
    }
