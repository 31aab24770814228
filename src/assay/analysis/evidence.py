"""The signals of an answer as numbers that a calibration weighs.

All are 0 where nothing speaks for or against an answer; those of a path's own stand at 0 for the
answers of other paths. `DIRECTIONS` says which way each may move a confidence, whatever is fitted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from assay.types import AnswerPath
from assay.units.answer import Signals

#: Probabilities are kept this far from 0 and 1 before their log-odds are taken.
EPSILON = 0.001

#: 1: more of it never lowers a confidence. -1: never raises it. 0: either.
DIRECTIONS: Mapping[str, int] = MappingProxyType(
    {
        "is_model": 0,
        "is_heuristic": 0,
        "probability": 1,
        "mean_logprob": 1,
        "margin": 1,
        "entropy": -1,
        "length": 0,
        "relevance": 1,
        "score": 1,
        "heard": 0,
        "agreement": 1,
        "silence": -1,
        "complaints": -1,
        "passed": 1,
        "unclear": -1,
        "unclear_document": -1,
        "occurrences": 0,
        "route_margin": 1,
    }
)


def evidence_of(signals: Signals) -> list[float]:
    """The numbers, in the order of `DIRECTIONS`."""
    if signals.path is AnswerPath.MODEL:
        own = [
            1.0,
            0.0,
            _log_odds(signals.probability),
            _mean_logprob(signals),
            signals.margin,
            signals.entropy,
            math.log1p(signals.num_decided),
            math.log1p(max(0.0, signals.relevance)),
            0.0,
        ]
    else:
        is_heuristic = signals.path is AnswerPath.HEURISTIC
        own = [0.0, float(is_heuristic), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
        own.append(_log_odds(signals.score))
    has_heard = signals.agreement is not None
    return [
        *own,
        float(has_heard),
        2 * signals.agreement - 1 if signals.agreement is not None else 0.0,
        float(signals.num_silent),
        min(2.0, float(signals.num_complaints)),
        min(2.0, float(signals.num_passed)),
        1 - signals.quality,
        1 - signals.document_quality,
        math.log(max(1, signals.num_occurrences)),
        signals.route_margin,
    ]


def _log_odds(probability: float) -> float:
    kept = min(max(probability, EPSILON), 1 - EPSILON)
    return math.log(kept / (1 - kept))


def _mean_logprob(signals: Signals) -> float:
    """Of a decided token, in nats; at least -10."""
    logprob = math.log(max(signals.probability, 1e-300))
    return max(-10.0, logprob / max(1, signals.num_decided))
