"""Fits a model of a kind of clause: logistic regression over cues, context and words, by L-BFGS."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from assay.training.contracts import Sentence
from assay.units.fallbacks.clause_cues import CUES, ClauseKind
from assay.units.fallbacks.clause_features import number_names
from assay.units.fallbacks.clause_model import ClauseModel

_MAX_ITERATIONS = 200


@dataclass(frozen=True, slots=True)
class Recipe:
    """How models are fitted: what the data weigh against small weights, in how many contracts a
    word must stand, how many words are kept, and into how many parts contracts are cut for
    cross-validation."""

    strength: float = 0.3
    min_contracts: int = 3
    max_words: int = 500
    num_parts: int = 6


def fit_model(sentences: Sequence[Sentence], kind: ClauseKind, recipe: Recipe) -> ClauseModel:
    """The model with the least loss: half the squares of its weights plus `strength` times the sum
    of the negative log-likelihoods. Fitted with all words first, then with those that weighed
    most."""
    numbers = number_names(CUES[kind])
    words = _common_words(sentences, recipe.min_contracts)
    first = _fit(sentences, numbers, words, recipe.strength)
    heaviest = sorted(words, key=lambda word: (-abs(first.words[word]), word))
    kept = sorted(heaviest[: recipe.max_words])
    return _fit(sentences, numbers, kept, recipe.strength)


def _common_words(sentences: Sequence[Sentence], min_contracts: int) -> list[str]:
    contracts: dict[str, set[str]] = defaultdict(set)
    for item in sentences:
        for word in item.features.words:
            contracts[word].add(item.contract)
    return sorted(word for word, found in contracts.items() if len(found) >= min_contracts)


def _fit(
    sentences: Sequence[Sentence], numbers: Sequence[str], words: Sequence[str], strength: float
) -> ClauseModel:
    inputs = torch.from_numpy(_matrix(sentences, words))
    targets = torch.tensor([float(item.is_marked) for item in sentences], dtype=torch.float64)
    weights = torch.zeros(inputs.shape[1], dtype=torch.float64, requires_grad=True)
    bias = torch.zeros((), dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS(
        [weights, bias], max_iter=_MAX_ITERATIONS, line_search_fn="strong_wolfe"
    )

    def loss() -> torch.Tensor:
        optimizer.zero_grad()
        misfit = torch.nn.functional.binary_cross_entropy_with_logits(
            inputs @ weights + bias, targets, reduction="sum"
        )
        value = strength * misfit + 0.5 * (weights @ weights)
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimizer.step(loss)  # type: ignore[no-untyped-call]
    values = weights.detach().tolist()
    return ClauseModel(
        float(bias.detach()),
        dict(zip(numbers, values, strict=False)),
        dict(zip(words, values[len(numbers) :], strict=True)),
    )


def _matrix(sentences: Sequence[Sentence], words: Sequence[str]) -> NDArray[np.float64]:
    """A row for each sentence: its numbers, then what each word counts in it."""
    num_numbers = len(sentences[0].features.numbers)
    columns = {word: num_numbers + index for index, word in enumerate(words)}
    matrix = np.zeros((len(sentences), num_numbers + len(words)))
    for row, item in enumerate(sentences):
        matrix[row, :num_numbers] = item.features.numbers
        known = [columns[word] for word in item.features.words if word in columns]
        matrix[row, known] = item.features.word_value
    return matrix
