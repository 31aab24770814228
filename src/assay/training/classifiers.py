"""`assay train classifiers`: the small text classifiers of units, from labelled texts.

Each is fitted on all its texts; its figures, its temperature and its threshold come from texts
that it had not seen (folds by group). Where an adapter of the encoder is trained too, it is fitted
beside the n-grams, by itself, and the two logits are mixed in the share that suits unseen texts:
on texts that it was fitted to an adapter is nearly always right, so weights fitted over both would
trust it alone. The same data and settings give the same weights.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from assay.encoders import load_minilm
from assay.training.adapters import AdapterFit, AdapterSettings, FittedAdapter, fitted
from assay.training.likeness import merged_groups, near_duplicates
from assay.units.fallbacks.request_cues import request_cues
from assay.units.fallbacks.text_classifier import (
    NgramSpace,
    TextClassifier,
    ngrams_of,
    softmax,
    words_of,
)

Floats = NDArray[np.float64]
_TEMPERATURES = tuple(0.3 + 0.05 * step for step in range(40))
_SHARES = tuple(0.05 * step for step in range(21))


@dataclass(frozen=True, slots=True)
class Texts:
    """Labelled texts. Those of one group are never on both sides of a fold."""

    texts: tuple[str, ...]
    labels: tuple[str, ...]
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClassifierSettings:
    """`vector_factor` weighs the sentence vector beside n-grams, `cue_factor` the cues of requests
    (0: without); `strength` is the inverse of L2's weight (C). With an `adapter` the vector is the
    adapted encoder's, and `vector_factor` must be 0. `by_likeness` keeps near-duplicates on one
    side of a fold."""

    max_words: int = 2
    min_texts: int = 2
    vector_factor: float = 0.0
    strength: float = 3.0
    num_folds: int = 10
    cue_factor: float = 0.0
    adapter: AdapterSettings | None = None
    by_likeness: bool = False


@dataclass(frozen=True, slots=True)
class _Linear:
    """Weights (num_labels, num_columns) and bias, over n-grams and what stands beside them."""

    space: NgramSpace
    weights: Floats
    bias: Floats


def train_classifier(
    data: Texts, settings: ClassifierSettings, tell: Callable[[str], None] = lambda _: None
) -> tuple[TextClassifier, dict[str, Any]]:
    """The classifier and its card: settings, and figures out of fold. Progress is told."""
    assert not (settings.adapter and settings.vector_factor)
    grams = [_grams(text, settings.max_words) for text in data.texts]
    dense = _dense(data.texts, settings)
    labels = sorted(set(data.labels))
    gold = np.array([labels.index(label) for label in data.labels])
    pairs = near_duplicates(data.texts) if settings.by_likeness else []
    groups = merged_groups(data.groups, pairs)
    adapters = AdapterFit(data.texts, len(labels), settings.adapter) if settings.adapter else None
    linear_logits, adapter_logits = np.zeros((2, len(gold), len(labels)))
    folds = GroupKFold(settings.num_folds, shuffle=True, random_state=0)
    for number, (seen, unseen) in enumerate(folds.split(gold, groups=groups)):
        linear = _fit(grams, dense, gold, seen, settings)
        matrix = _matrix(linear.space, grams, dense, unseen)
        linear_logits[unseen] = matrix @ linear.weights.T + linear.bias
        if adapters:
            tell(f"adapter of part {number + 1} of {settings.num_folds}")
            adapted = adapters.fit(gold, seen, seed=number)
            adapter_logits[unseen] = adapters.logits(adapted, unseen)
    share = _best_share(linear_logits, adapter_logits, gold) if adapters else 0.0
    logits = (1 - share) * linear_logits + share * adapter_logits
    temperature = _best_temperature(logits, gold)
    probabilities = softmax(np.asarray(logits / temperature, np.float32))
    threshold = _best_threshold(probabilities[:, 1], gold) if len(labels) == 2 else 0.5
    linear = _fit(grams, dense, gold, np.arange(len(gold)), settings)
    classifier = TextClassifier(
        labels=tuple(labels),
        space=linear.space,
        weights=linear.weights.astype(np.float32),
        bias=linear.bias.astype(np.float32),
        vector_factor=settings.vector_factor,
        temperature=temperature,
        threshold=threshold,
        cue_factor=settings.cue_factor,
    )
    card = {
        "num_texts": len(gold),
        "num_ngrams": len(linear.space.columns),
        "settings": asdict(settings),
        "temperature": round(temperature, 2),
        "threshold": round(threshold, 2),
        "out_of_fold": _figures(probabilities, gold, labels, threshold),
    }
    if settings.by_likeness:
        differing = sum(bool(gold[left] != gold[right]) for left, right in pairs)
        card["near_duplicates"] = {"pairs": len(pairs), "labelled_otherwise": differing}
    if adapters:
        tell("adapter of all")
        whole = fitted(adapters.fit(gold, np.arange(len(gold)), seed=settings.num_folds))
        classifier = _mixed(classifier, whole, share)
        card["adapter_share"] = round(share, 2)
        card["out_of_fold_alone"] = {
            "linear": _figures_alone(linear_logits, gold, labels),
            "adapter": _figures_alone(adapter_logits, gold, labels),
        }
    return classifier, card


def _mixed(linear: TextClassifier, adapted: FittedAdapter, share: float) -> TextClassifier:
    """One layer over n-grams, cues and the adapted vector that gives both logits' mixture."""
    weights = np.concatenate([(1 - share) * linear.weights, share * adapted.weights], axis=1)
    return replace(
        linear,
        weights=weights.astype(np.float32),
        bias=((1 - share) * linear.bias + share * adapted.bias).astype(np.float32),
        vector_factor=1.0,
        adapter=adapted.adapter,
    )


def fit_without(
    data: Texts, settings: ClassifierSettings, folds: NDArray[np.int64]
) -> dict[int, TextClassifier]:
    """For each fold (`folds` (n,) has each text's) a classifier that has not seen its texts.

    An adapter is left out: it would take an hour. Temperature and threshold are chosen out of fold
    for all of them together.
    """
    grams = [_grams(text, settings.max_words) for text in data.texts]
    dense = _dense(data.texts, settings)
    labels = sorted(set(data.labels))
    gold = np.array([labels.index(label) for label in data.labels])
    logits = np.zeros((len(gold), len(labels)))
    found = {}
    for fold in np.unique(folds).tolist():
        seen, unseen = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        found[fold] = linear = _fit(grams, dense, gold, seen, settings)
        matrix = _matrix(linear.space, grams, dense, unseen)
        logits[unseen] = matrix @ linear.weights.T + linear.bias
    temperature = _best_temperature(logits, gold)
    probabilities = softmax(np.asarray(logits / temperature, np.float32))
    threshold = _best_threshold(probabilities[:, 1], gold) if len(labels) == 2 else 0.5
    return {
        fold: TextClassifier(
            labels=tuple(labels),
            space=linear.space,
            weights=linear.weights.astype(np.float32),
            bias=linear.bias.astype(np.float32),
            vector_factor=settings.vector_factor,
            temperature=temperature,
            threshold=threshold,
            cue_factor=settings.cue_factor,
        )
        for fold, linear in found.items()
    }


def _grams(text: str, max_words: int) -> list[str]:
    return [item for item, _, _ in ngrams_of(words_of(text), max_words)]


def _dense(texts: Sequence[str], settings: ClassifierSettings) -> Floats:
    """What stands beside the n-grams of each text: cues, then the vector, times their factors."""
    columns: list[Sequence[NDArray[np.float32]]] = []
    if settings.cue_factor:
        columns.append([request_cues(text) * settings.cue_factor for text in texts])
    if settings.vector_factor:
        encoder = load_minilm()
        columns.append([encoder.embed(text) * settings.vector_factor for text in texts])
    if not columns:
        return np.zeros((len(texts), 0))
    return np.concatenate([np.stack(column) for column in columns], axis=1, dtype=np.float64)


def _fit(
    grams: Sequence[Sequence[str]],
    dense: Floats,
    gold: NDArray[np.int64],
    chosen: NDArray[np.int64],
    settings: ClassifierSettings,
) -> _Linear:
    num_texts = Counter(item for index in chosen for item in set(grams[index]))
    kept = sorted(item for item, number in num_texts.items() if number >= settings.min_texts)
    idf = [1 + math.log((1 + len(chosen)) / (1 + num_texts[item])) for item in kept]
    columns = {item: column for column, item in enumerate(kept)}
    space = NgramSpace(columns, np.array(idf, np.float32), settings.max_words)
    model = LogisticRegression(C=settings.strength, max_iter=3000)
    model.fit(_matrix(space, grams, dense, chosen), gold[chosen])
    weights, bias = model.coef_, model.intercept_
    if len(weights) == 1:  # of two labels one vector is fitted
        weights, bias = np.concatenate([-weights, weights]) / 2, np.concatenate([-bias, bias]) / 2
    return _Linear(space, weights, bias)


def _matrix(
    space: NgramSpace,
    grams: Sequence[Sequence[str]],
    dense: Floats,
    chosen: NDArray[np.int64],
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
    return csr_matrix(hstack([matrix, csr_matrix(dense[chosen])]))


def _best_share(linear: Floats, adapter: Floats, gold: NDArray[np.int64]) -> float:
    """The adapter's share of the logits that makes the gold labels likeliest."""

    def loss(share: float) -> float:
        logits = (1 - share) * linear + share * adapter
        return _log_loss(logits / _best_temperature(logits, gold), gold)

    return min(_SHARES, key=loss)


def _best_temperature(logits: Floats, gold: NDArray[np.int64]) -> float:
    return min(_TEMPERATURES, key=lambda item: _log_loss(logits / item, gold))


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


def _figures_alone(
    logits: Floats, gold: NDArray[np.int64], labels: Sequence[str]
) -> dict[str, Any]:
    """Figures of one of two mixed logits, at its own temperature and threshold."""
    tempered = logits / _best_temperature(logits, gold)
    probabilities = softmax(np.asarray(tempered, np.float32))
    threshold = _best_threshold(probabilities[:, 1], gold) if len(labels) == 2 else 0.5
    return _figures(probabilities, gold, labels, threshold)
