"""How sure an answer is: from signals to the chance that it is right.

A logistic model with few parameters, kept in `calibration.json` beside this file. Each path has
its own evidence: a model's is its probability of the answer among all legal ones and how relevant
the text was that it read; a fallback's is the measured precision of its rule. What other paths
say moves both, since independent paths seldom agree on a wrong answer; so does their silence.
Complaints of validators
pull an answer down. A field whose own precision is known shifts it.

`python -m benchmarks.calibration` fits the parameters on labelled documents and says how well the
result is calibrated on documents that it was not fitted on.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from assay.types import AnswerPath
from assay.units.answer import Signals

#: Probabilities are kept this far from 0 and 1 before their log-odds are taken.
EPSILON = 0.001


def features_of(signals: Signals) -> dict[str, float]:
    """The evidence of an answer as named numbers, all 0 when nothing speaks for or against it."""
    if signals.path is AnswerPath.MODEL:
        own = {
            "probability": _log_odds(signals.probability),
            "relevance": math.log1p(max(0.0, signals.relevance)),
            "margin": signals.margin,
        }
    else:
        own = {"score": _log_odds(signals.score)}
    return {
        **own,
        "agreement": 0.0 if signals.agreement is None else 2 * signals.agreement - 1,
        "silence": float(signals.num_silent),
        "complaints": float(signals.num_complaints),
        "unclear": 1 - signals.quality,
    }


@dataclass(frozen=True, slots=True)
class Calibration:
    """`weights[path][feature]`, with the intercept under "bias"; `shifts[path][family]` is added
    to the log-odds of a field's answers on that path. The rules of a field that was never measured
    are believed as far as their own score says, moved by what other paths say."""

    weights: Mapping[str, Mapping[str, float]]
    shifts: Mapping[str, Mapping[str, float]]

    def confidence(self, signals: Signals) -> float:
        """The chance, from 0 to 1, that an answer with these signals is right."""
        weights = self.weights[signals.path]
        if signals.path is not AnswerPath.MODEL and not self._is_measured(signals.family):
            weights = {**weights, "bias": 0.0, "score": 1.0}
        log_odds = weights["bias"] + self.shifts.get(signals.path, {}).get(signals.family, 0.0)
        for name, value in features_of(signals).items():
            log_odds += weights[name] * value
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, log_odds))))

    def _is_measured(self, family: str) -> bool:
        return any(family in shifts for shifts in self.shifts.values())


def _log_odds(probability: float) -> float:
    kept = min(max(probability, EPSILON), 1 - EPSILON)
    return math.log(kept / (1 - kept))


@cache
def shipped_calibration() -> Calibration:
    """The calibration in the package."""
    text = resources.files("assay.analysis").joinpath("calibration.json").read_text("utf-8")
    content = json.loads(text)
    return Calibration(content["weights"], content["shifts"])


def confidence_of(signals: Signals) -> float:
    """The chance, from 0 to 1, that an answer with these signals is right."""
    return shipped_calibration().confidence(signals)
