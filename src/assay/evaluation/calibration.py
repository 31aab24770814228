"""How well confidences match what was right, and what is gained by keeping only sure answers.

Expected calibration error: https://arxiv.org/abs/1706.04599 (ten bins of equal width, each by its
share of the answers). Risk and coverage: https://arxiv.org/abs/1705.08500.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from assay.analysis.absence import Absence
from assay.evaluation.answers import AskRecord, replay
from assay.types import AnswerPath
from assay.units.answer import Signals

NUM_BINS = 10


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a chain comes to for one ask: who said it (None: it is an absence), how sure it is and
    how right (0 to 1)."""

    record: AskRecord
    path: AnswerPath | None
    family: str
    confidence: float
    right: float


def outcomes_of(
    records: Iterable[AskRecord],
    confidence: Callable[[AskRecord], Callable[[Signals], float]],
    steps: Sequence[AnswerPath] | None = None,
    needed: Mapping[str, float] = MappingProxyType({}),
) -> list[Outcome]:
    """The answers kept, those below their question's floor included: each says how sure it is.

    `confidence` gives what turns signals into a number, for a record: another for each fold.
    `steps` are those of each unit's own chain if not given; where a field's answers have a
    confidence `needed`, by family, the chain goes on until one has it.
    """
    found = []
    for record in records:
        enough = max(record.enough, needed.get(record.family, 0.0))
        kept = replay(record, confidence(record), steps, enough)
        if kept.answer is not None and kept.said is not None:
            signals, sure = kept.answer.signals, kept.answer.confidence
            found.append(Outcome(record, signals.path, signals.family, sure, kept.said.right))
    return found


def absences_of(
    records: Iterable[AskRecord],
    confidence: Callable[[AskRecord], Callable[[Signals], float]],
) -> list[tuple[AskRecord, Absence]]:
    """Where a unit's own chain keeps no answer: none was given, or none above its question's floor.
    It is right where the record has no gold. `confidence` as in `outcomes_of`."""
    found = []
    for record in records:
        kept = replay(record, confidence(record))
        sure = None if kept.answer is None else kept.answer.confidence
        if record.family and (sure is None or sure < record.floor):
            found.append((record, Absence(record.family, sure, kept.num_silent)))
    return found


def absence_outcomes(
    absences: Iterable[tuple[AskRecord, Absence]],
    confidence: Callable[[AskRecord], Callable[[Absence], float]],
) -> list[Outcome]:
    """How sure and how right absences are, to be measured as answers are."""
    return [
        Outcome(record, None, item.family, confidence(record)(item), float(not record.has_gold))
        for record, item in absences
    ]


def given(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Those that a result has: what is below its question's floor counts as absent."""
    return [item for item in outcomes if item.confidence >= item.record.floor]


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers of about the same confidence: its mean, the share that is right, how many."""

    confidence: float
    right: float
    count: int


def reliability(outcomes: Sequence[Outcome]) -> list[Bin]:
    """Ten bins of equal width, those with an answer."""
    bins: list[list[Outcome]] = [[] for _ in range(NUM_BINS)]
    for item in outcomes:
        bins[min(NUM_BINS - 1, int(item.confidence * NUM_BINS))].append(item)
    return [
        Bin(
            sum(item.confidence for item in group) / len(group),
            sum(item.right for item in group) / len(group),
            len(group),
        )
        for group in bins
        if group
    ]


def expected_error(outcomes: Sequence[Outcome]) -> float:
    """The mean distance between what bins say and what is right in them; 0 without answers."""
    bins = reliability(outcomes)
    return sum(item.count * abs(item.confidence - item.right) for item in bins) / max(
        1, len(outcomes)
    )


def brier(outcomes: Sequence[Outcome]) -> float:
    """The mean square of what confidences are off by; 0 without answers."""
    return sum((item.confidence - item.right) ** 2 for item in outcomes) / max(1, len(outcomes))


def risk_coverage(outcomes: Sequence[Outcome]) -> tuple[list[float], list[float]]:
    """For the surest 1, 2, … answers: their share of all, and the share that is right of them."""
    surest = sorted(outcomes, key=lambda item: -item.confidence)
    right = np.cumsum([item.right for item in surest])
    counts = np.arange(1, len(surest) + 1)
    return (counts / max(1, len(surest))).tolist(), (right / counts).tolist()


def precision_at(outcomes: Sequence[Outcome], coverage: float) -> float:
    """The share right of the surest answers that make up `coverage` of all; 0 without answers."""
    if not outcomes:
        return 0.0
    _, precisions = risk_coverage(outcomes)
    return precisions[max(1, round(coverage * len(outcomes))) - 1]


def figures_of(outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """ECE, Brier's score, precision at 90% coverage, share right, mean confidence and number."""
    count = max(1, len(outcomes))
    return {
        "ece": round(expected_error(outcomes), 4),
        "brier": round(brier(outcomes), 4),
        "precision_at_90_coverage": round(precision_at(outcomes, 0.9), 4),
        "right": round(sum(item.right for item in outcomes) / count, 4),
        "said": round(sum(item.confidence for item in outcomes) / count, 4),
        "n": len(outcomes),
    }
