"""The trained part of the router, in NumPy: from a text's features to descriptor, units and fit.

::

    hidden = relu(sum of the hashed features' rows + vector @ projection + bias)   (hidden_size,)
    descriptor = sigmoid(hidden @ descriptor weights)                              (5,)
    units = sigmoid(hidden @ unit weights + (descriptor >= 1/2) @ gate weights)    (num_units,)
    fit = sigmoid(hidden @ fit weights)          whether it is for any unit at all

Units see the descriptor as five switches, as they did in training, where the switches were sampled
(`training.router`). Weights are float16 in the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.encoders import Encoder
from assay.errors import CorruptModelError
from assay.routing.descriptor import DIMENSIONS, Descriptor
from assay.routing.features import hash_features

Array = NDArray[np.float32]
_NAMES = ("rows", "projection", "bias", "descriptor", "units", "gates", "fit", "biases", "examples")


@dataclass(frozen=True, slots=True)
class Reading:
    """What the head makes of a text. `units` are probabilities by name, each by itself; `fit` is
    that any unit is meant."""

    descriptor: Descriptor
    units: Mapping[str, float]
    fit: float


@dataclass(frozen=True)
class RouterHead:
    """Weights: `rows` (num_rows, hidden), `projection` (vector_size, hidden), `bias` (hidden,),
    `descriptor` (hidden, 5), `units` (hidden, num_units), `gates` (5, num_units), `fit` (hidden,),
    `biases` (5 + num_units + 1,), `examples` (num_requests, hidden), what it sees in the labelled
    requests, each of length one. `settings` are what training chose: names of units, thresholds.
    """

    weights: Mapping[str, Array]
    settings: Mapping[str, Any]

    @property
    def unit_names(self) -> tuple[str, ...]:
        return tuple(self.settings["units"])

    @property
    def num_parameters(self) -> int:
        return sum(array.size for array in self.weights.values())

    def hidden(self, text: str, encoder: Encoder | None) -> Array:
        """(hidden,); without an encoder from the hashed features alone."""
        rows, values = hash_features(text)
        hidden = values @ self.weights["rows"][rows] + self.weights["bias"]
        if encoder is not None:
            hidden = hidden + encoder.embed(text) @ self.weights["projection"]
        return np.asarray(np.maximum(hidden, 0), np.float32)

    def read(self, hidden: Array) -> Reading:
        """What `hidden` says."""
        weights, biases, num = self.weights, self.weights["biases"], len(DIMENSIONS)
        descriptor = _sigmoid(hidden @ weights["descriptor"] + biases[:num])
        switches = (descriptor >= 0.5).astype(np.float32)
        units = _sigmoid(hidden @ weights["units"] + switches @ weights["gates"] + biases[num:-1])
        fit = _sigmoid(hidden @ weights["fit"] + biases[-1])
        return reading_of(self.unit_names, descriptor, units, float(fit))


def reading_of(names: Sequence[str], descriptor: Array, units: Array, fit: float) -> Reading:
    """From probabilities in the order of `DIMENSIONS` and `names`."""
    probabilities = dict(zip(names, map(float, units), strict=True))
    return Reading(Descriptor(*map(float, descriptor)), probabilities, float(fit))


def _sigmoid(values: Any) -> Array:
    return np.asarray(1 / (1 + np.exp(-np.clip(values, -30, 30))), np.float32)


def save_head(path: Path, head: RouterHead) -> None:
    """Writes the head as npz, weights as float16."""
    settings = np.frombuffer(json.dumps(dict(head.settings)).encode(), np.uint8)
    arrays: dict[str, Any] = {name: head.weights[name].astype(np.float16) for name in _NAMES}
    np.savez_compressed(path, settings=settings, **arrays)


def load_head(path: Path) -> RouterHead:
    """Raises `CorruptModelError` if the file holds no head."""
    try:
        with np.load(path) as stored:
            settings = json.loads(stored["settings"].tobytes())
            weights = {name: stored[name].astype(np.float32) for name in _NAMES}
    except (OSError, ValueError, KeyError) as error:
        raise CorruptModelError(f"{path} holds no router: {error}") from None
    return RouterHead(weights, settings)
