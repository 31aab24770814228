"""How sure an answer is: from signals to the chance that it is right.

A network of three layers over the evidence (`evidence.py`), beside a linear path, averaged over an
ensemble, and shifts by who answered what: of a unit, of one of its fields, each for a path and for
all. Shifts are shrunk, so that few answers move them little, and a field that was never measured is
judged by its evidence alone. The weights of what may only speak for an answer are never negative
(monotonic networks: https://papers.nips.cc/paper/1997/hash/83adc9225e4deb67d7ce42d58fe5157c-Abstract.html),
so that more agreement or a surer model never lowers a confidence.

0.9 means nine of ten right, whichever path answered. `assay train calibrator` fits the weights
(`calibrator.npz` beside this file); docs/training has the figures.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.analysis.absence import Absence, AbsenceWeights
from assay.analysis.evidence import DIRECTIONS, evidence_of
from assay.errors import CorruptModelError
from assay.units.answer import Signals

Floats = NDArray[np.float32]
#: Log-odds are kept within this, so that no confidence is ever 0 or 1.
_MOST = 7.0
_ARRAYS = ("scale", "linear", "bias", "first", "first_bias", "second", "second_bias", "last")


@dataclass(frozen=True, slots=True)
class Network:
    """The members of an ensemble, one along the first axis of each array but `scale`.

    `scale` (num_evidence,) multiplies the evidence; `linear` (members, num_evidence) and `bias`
    (members,) are the linear path; `first` (members, num_evidence, h1), `second` (members, h1, h2)
    and `last` (members, h2) the layers, with `first_bias` and `second_bias`, tanh between them.
    """

    scale: Floats
    linear: Floats
    bias: Floats
    first: Floats
    first_bias: Floats
    second: Floats
    second_bias: Floats
    last: Floats

    def log_odds(self, evidence: Floats) -> float:
        """Of one answer, from its evidence (num_evidence,): the mean of the members'."""
        scaled = evidence * self.scale
        hidden = np.tanh(scaled @ self.first + self.first_bias)
        hidden = np.tanh((hidden[:, None, :] @ self.second)[:, 0] + self.second_bias)
        return float((self.linear @ scaled + self.bias + (hidden * self.last).sum(axis=1)).mean())


@dataclass(frozen=True, slots=True)
class Calibrator:
    """`shifts` are added to the log-odds, by key (`shift_keys`); `absence` judges what has no
    answer."""

    network: Network
    shifts: Mapping[str, float]
    absence: AbsenceWeights = field(default_factory=AbsenceWeights)

    def confidence(self, signals: Signals) -> float:
        """The chance, from 0 to 1, that an answer with these signals is right."""
        evidence = np.array(evidence_of(signals), np.float32)
        log_odds = self.network.log_odds(evidence)
        for key in shift_keys(signals):
            log_odds += self.shifts.get(key, 0.0)
        return 1 / (1 + math.exp(-max(-_MOST, min(_MOST, log_odds))))


def shift_keys(signals: Signals) -> tuple[str, str, str, str]:
    """The unit and the field of an answer, each on all paths and on its own. What was learned of a
    field in one language says nothing of it in another, which other rules read."""
    unit, path = signals.family.partition(".")[0], signals.path.value
    family = signals.family if signals.language == "en" else f"{signals.family}@{signals.language}"
    return unit, family, f"{path}/{unit}", f"{path}/{family}"


def save_calibrator(path: Path, calibrator: Calibrator) -> None:
    """Writes a calibrator as npz; the same one gives the same bytes."""
    settings = {
        "evidence": list(DIRECTIONS),
        "shifts": {key: round(value, 4) for key, value in sorted(calibrator.shifts.items())},
        "absence": {
            "evidence": [round(value, 4) for value in calibrator.absence.evidence],
            "shifts": {
                key: round(value, 4) for key, value in sorted(calibrator.absence.shifts.items())
            },
        },
    }
    arrays = {name: getattr(calibrator.network, name) for name in _ARRAYS}
    np.savez(path, settings=np.frombuffer(json.dumps(settings).encode(), np.uint8), **arrays)


def load_calibrator(path: Path) -> Calibrator:
    """Reads `save_calibrator`.

    Raises:
        CorruptModelError: the file is damaged, or made for other evidence.
    """
    try:
        with np.load(path) as stored:
            settings = json.loads(stored["settings"].tobytes())
            network = Network(**{name: stored[name] for name in _ARRAYS})
        if settings["evidence"] != list(DIRECTIONS):
            raise ValueError("it weighs other evidence")
        absence = settings["absence"]
        weights = AbsenceWeights(tuple(absence["evidence"]), absence["shifts"])
        return Calibrator(network, settings["shifts"], weights)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise CorruptModelError(
            f"{path} cannot be read: {error}", remedy="install assay again"
        ) from error


@cache
def shipped_calibrator() -> Calibrator:
    """The calibrator in the package."""
    with resources.as_file(resources.files("assay.analysis") / "calibrator.npz") as path:
        return load_calibrator(path)


def confidence_of(signals: Signals) -> float:
    """The chance, from 0 to 1, that an answer with these signals is right."""
    return shipped_calibrator().confidence(signals)


def absence_confidence_of(absence: Absence) -> float:
    """The chance, from 0 to 1, that there is nothing to be found."""
    return shipped_calibrator().absence.confidence(absence)
