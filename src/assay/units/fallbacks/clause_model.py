"""Trained models of kinds of clauses: how likely a sentence is one that a lawyer would mark.

A model is a logistic one over the features of `clause_features.py`. `assay train clauses` fits
them; docs/training says to what, and how often they are right.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from assay.errors import CorruptModelError
from assay.units.fallbacks.clause_cues import CUES, ClauseKind
from assay.units.fallbacks.clause_features import SentenceFeatures, number_names
from assay.units.fallbacks.stored import weights_path

# A document has a clause if some sentence is at least so likely one; then all sentences from the
# second figure on belong to it.
_PRESENT, _BELONGS = 0.35, 0.25
# Sentences that weigh so much by their cues belong to it in any case, if none weighs more by a cue.
_HEAVY, _ABOUT_AS_HEAVY = 5.0, 0.5
# How likely an answer's likeliest sentence was, and how often at least half of the answer was right
# (overlap F1), on contracts that the models had not seen.
_PRECISION = ((0.25, 0.45), (0.5, 0.52), (0.65, 0.8), (0.85, 0.86), (0.95, 0.93))
_BEHIND = 0.05
WEIGHTS = "clauses.json"


@dataclass(frozen=True, slots=True)
class ClauseModel:
    """Weights by the name of a number, and by word."""

    bias: float
    numbers: Mapping[str, float]
    words: Mapping[str, float]

    def probability(self, kind: ClauseKind, features: SentenceFeatures) -> float:
        """The chance, from 0 to 1, that the sentence belongs to a clause of the kind."""
        log_odds = self.bias
        for name, value in zip(number_names(CUES[kind]), features.numbers, strict=True):
            log_odds += self.numbers.get(name, 0.0) * value
        known = sum(self.words.get(word, 0.0) for word in sorted(features.words))
        log_odds += features.word_value * known
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds))))


def chosen(
    judged: Sequence[tuple[float, SentenceFeatures]],
) -> list[tuple[float, SentenceFeatures]]:
    """Which sentences of a document an answer has, of all with their probabilities.

    Each comes with how often answers whose likeliest sentence was as likely as this one's were
    right, a little less for the others.
    """
    likeliest = max((likely for likely, _ in judged), default=0.0)
    heaviest = max((item.weight for _, item in judged), default=0.0)
    heavy = max(_HEAVY, heaviest - _ABOUT_AS_HEAVY)
    precision = _precision_of(likeliest)
    return [
        (precision - _BEHIND * (likeliest - likely), item)
        for likely, item in judged
        if (likeliest >= _PRESENT and likely >= _BELONGS) or item.weight >= heavy
    ]


def _precision_of(likeliest: float) -> float:
    """Between the points of `_PRECISION` on a straight line."""
    (low, least), *points = _PRECISION
    for high, most in points:
        if likeliest <= high:
            return least + (most - least) * max(0.0, likeliest - low) / (high - low)
        low, least = high, most
    return least


def shipped_model(kind: ClauseKind) -> ClauseModel | None:
    """The model of a kind; None for kinds that nobody labelled.

    Raises:
        CorruptModelError: the file cannot be read.
    """
    return read_models(weights_path(WEIGHTS)).get(kind)


def write_models(path: Path, models: Mapping[ClauseKind, ClauseModel]) -> None:
    """Writes the models by kind, with three decimals; the same models give the same bytes."""
    content = {
        kind: {
            "bias": round(model.bias, 3),
            "numbers": _rounded(model.numbers),
            "words": _rounded(model.words),
        }
        for kind, model in models.items()
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    path.write_text(text.replace('},"', '},\n"') + "\n", encoding="utf-8")


def _rounded(weights: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, 3) for name, value in weights.items() if round(value, 3)}


@cache
def read_models(path: Path) -> Mapping[str, ClauseModel]:
    """The models that `write_models` wrote, by kind.

    Raises:
        CorruptModelError: the file cannot be read.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return {kind: ClauseModel(**item) for kind, item in content.items()}
    except (OSError, ValueError, TypeError) as error:
        raise CorruptModelError(
            f"{path} cannot be read: {error}", remedy="install assay again"
        ) from error
