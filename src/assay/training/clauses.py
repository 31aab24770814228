"""Trains the models of kinds of clauses, and measures them on contracts that they have not seen.

A kind's model is fitted to the sentences that hold its trigger. As contracts are few, the figures
come from cross-validation by contract; the model that is kept is fitted to all of them.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from assay.evaluation.base import Counts, Place
from assay.evaluation.matching import overlap_f1
from assay.training.clause_fit import Recipe, fit_model
from assay.training.contracts import LABELS, Contract, Sentence, sentences_of
from assay.units.fallbacks.clause_cues import ClauseKind
from assay.units.fallbacks.clause_features import SentenceFeatures
from assay.units.fallbacks.clause_model import ClauseModel, chosen


@dataclass(frozen=True, slots=True)
class TrainedKind:
    """A model fitted to all contracts, and what others of its recipe found in contracts that they
    had not seen: `counts` as an evaluation counts passages, and Brier's score (the mean square of
    what a probability is off by)."""

    model: ClauseModel
    num_sentences: int
    num_marked: int
    counts: Counts
    brier: float


def train_clauses(
    contracts: Sequence[Contract], recipe: Recipe, seed: int, tell: Callable[[str], None]
) -> Mapping[ClauseKind, TrainedKind]:
    """Fits and measures every kind that lawyers marked. The seed orders the contracts before they
    are cut into parts."""
    names = sorted(contract.name for contract in contracts)
    random.Random(seed).shuffle(names)
    parts = [frozenset(names[index :: recipe.num_parts]) for index in range(recipe.num_parts)]
    trained = {}
    for kind in LABELS:
        tell(kind.replace("_", " "))
        sentences = list(sentences_of(contracts, kind))
        likely = _cross_validate(sentences, kind, recipe, parts)
        misses = [(one - item.is_marked) ** 2 for one, item in zip(likely, sentences, strict=True)]
        trained[kind] = TrainedKind(
            fit_model(sentences, kind, recipe),
            len(sentences),
            sum(item.is_marked for item in sentences),
            _count(contracts, kind, sentences, likely),
            sum(misses) / len(misses),
        )
    return trained


def _cross_validate(
    sentences: Sequence[Sentence],
    kind: ClauseKind,
    recipe: Recipe,
    parts: Sequence[frozenset[str]],
) -> list[float]:
    """How likely each sentence is by a model that has not seen its contract."""
    likely = [0.0] * len(sentences)
    for held_out in parts:
        seen = [item for item in sentences if item.contract not in held_out]
        model = fit_model(seen, kind, recipe)
        for index, item in enumerate(sentences):
            if item.contract in held_out:
                likely[index] = model.probability(kind, item.features)
    return likely


def _count(
    contracts: Sequence[Contract],
    kind: ClauseKind,
    sentences: Sequence[Sentence],
    likely: Sequence[float],
) -> Counts:
    """What would have been answered, against what is marked."""
    by_contract: dict[str, list[tuple[float, SentenceFeatures]]] = defaultdict(list)
    for one, item in zip(likely, sentences, strict=True):
        by_contract[item.contract].append((one, item.features))
    total = Counts()
    for contract in contracts:
        gold = contract.marked[kind].passages
        answered = [Place(*item.span) for _, item in chosen(by_contract[contract.name])]
        right = overlap_f1(answered, gold) if answered and gold else 0
        total += Counts(right, int(bool(answered)), int(bool(gold)))
    return total
