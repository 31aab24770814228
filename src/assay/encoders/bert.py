"""A BERT encoder's forward pass in NumPy: one text at a time, mean-pooled to a unit vector.

Sentence-BERT: https://arxiv.org/abs/1908.10084; the layers are those of BERT
(https://arxiv.org/abs/1810.04805) with erf-GELU and layer norm behind each residual sum. No
batches: at 30 to 250 tokens one text fills a core's matrix products, and needs no padding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.encoders.adapter import PARTS, Adapter, Delta

Array = NDArray[np.float32]
#: What a checkpoint calls the linear layers of a layer.
PART_NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "out": "attention.output.dense",
    "up": "intermediate.dense",
    "down": "output.dense",
}


@dataclass(frozen=True, slots=True)
class BertShape:
    """The sizes that the weights do not show by themselves."""

    num_heads: int
    layer_norm_eps: float = 1e-12


class BertEncoder:
    """Reads token ids, gives a state for each and their mean. Holds no state; threads may share it.

    `weights` are the tensors of a BERT checkpoint by its own names, float32.
    """

    def __init__(self, weights: Mapping[str, Array], shape: BertShape) -> None:
        self._shape = shape
        self._words = weights["embeddings.word_embeddings.weight"]
        # Every text is one segment, so its type's row may be added to the positions once.
        self._positions = (
            weights["embeddings.position_embeddings.weight"]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        self._norm = _norm_of(weights, "embeddings.LayerNorm")
        num_layers = 1 + max(
            int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer.")
        )
        self._layers = [_Layer(weights, f"encoder.layer.{n}", shape) for n in range(num_layers)]

    @property
    def max_tokens(self) -> int:
        return len(self._positions)

    @property
    def size(self) -> int:
        return int(self._words.shape[1])

    def adapted(self, adapter: Adapter) -> BertEncoder:
        """An encoder with the adapter's deltas added; what it leaves alone is shared with this."""
        other = copy(self)
        other._layers = [
            layer.adapted(adapter.of_layer(number)) for number, layer in enumerate(self._layers)
        ]
        return other

    def states(self, token_ids: Sequence[int]) -> Array:
        """The last layer's states, (num_tokens, hidden_size), of 1 to `max_tokens` tokens."""
        assert 0 < len(token_ids) <= self.max_tokens
        hidden = self._words[list(token_ids)] + self._positions[: len(token_ids)]
        hidden = _layer_norm(hidden, self._norm, self._shape.layer_norm_eps)
        for layer in self._layers:
            hidden = layer(hidden)
        return hidden

    def embed(self, token_ids: Sequence[int]) -> Array:
        """The mean of the states, of length one: (hidden_size,)."""
        mean = self.states(token_ids).mean(axis=0)
        return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-12), np.float32)


class _Layer:
    """Self-attention and a feed-forward network, each added to what came in, then normed."""

    def __init__(self, weights: Mapping[str, Array], name: str, shape: BertShape) -> None:
        self._shape = shape
        parts = [f"{name}.{PART_NAMES[part]}" for part in PARTS[:3]]
        self._qkv = np.concatenate([weights[f"{part}.weight"] for part in parts]).T.copy()
        self._qkv_bias = np.concatenate([weights[f"{part}.bias"] for part in parts])
        self._out = _linear_of(weights, f"{name}.{PART_NAMES['out']}")
        self._norm = _norm_of(weights, f"{name}.attention.output.LayerNorm")
        self._up = _linear_of(weights, f"{name}.{PART_NAMES['up']}")
        self._down = _linear_of(weights, f"{name}.{PART_NAMES['down']}")
        self._last_norm = _norm_of(weights, f"{name}.output.LayerNorm")

    def adapted(self, deltas: Mapping[str, Delta]) -> _Layer:
        """This layer if there are no deltas, or another with them added."""
        if not deltas:
            return self
        other = copy(self)
        size = len(self._qkv)
        other._qkv = self._qkv.copy()
        for number, part in enumerate(PARTS[:3]):
            other._qkv[:, number * size : (number + 1) * size] += _product(deltas, part)
        other._out, other._up, other._down = (
            (weight + _product(deltas, part), bias)
            for part, (weight, bias) in zip(
                PARTS[3:], (self._out, self._up, self._down), strict=True
            )
        )
        return other

    def __call__(self, hidden: Array) -> Array:
        eps = self._shape.layer_norm_eps
        hidden = _layer_norm(hidden + _linear(self._attend(hidden), self._out), self._norm, eps)
        return _layer_norm(
            hidden + _linear(_gelu(_linear(hidden, self._up)), self._down), self._last_norm, eps
        )

    def _attend(self, hidden: Array) -> Array:
        num_tokens, size = hidden.shape
        heads = self._shape.num_heads
        qkv = (hidden @ self._qkv + self._qkv_bias).reshape(num_tokens, 3, heads, size // heads)
        query, key, value = qkv.transpose(1, 2, 0, 3)
        scores = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(size // heads))
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = (scores / scores.sum(axis=-1, keepdims=True)) @ value
        return np.ascontiguousarray(mixed.transpose(1, 0, 2)).reshape(num_tokens, size)


_Linear = tuple[Array, Array]


def _product(deltas: Mapping[str, Delta], part: str) -> Array | np.float32:
    """What is added to a part's transposed weight; 0 to one without a delta."""
    if part not in deltas:
        return np.float32(0)
    delta = deltas[part]
    return delta.down.T @ delta.up.T


def _linear_of(weights: Mapping[str, Array], name: str) -> _Linear:
    return weights[f"{name}.weight"].T.copy(), weights[f"{name}.bias"]


def _norm_of(weights: Mapping[str, Array], name: str) -> _Linear:
    return weights[f"{name}.weight"], weights[f"{name}.bias"]


def _linear(rows: Array, linear: _Linear) -> Array:
    weight, bias = linear
    return np.asarray(rows @ weight + bias, np.float32)


def _layer_norm(rows: Array, norm: _Linear, eps: float) -> Array:
    weight, bias = norm
    centred = rows - rows.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(eps))
    return np.asarray(centred / deviation * weight + bias, np.float32)


def _gelu(values: Array) -> Array:
    """x times the normal distribution's Φ(x), by Abramowitz and Stegun 7.1.26: exact to 1.5e-7."""
    size = np.abs(values) * np.float32(np.sqrt(0.5))
    t = 1 / (1 + np.float32(0.3275911) * size)
    tail = t * (
        0.254829592
        + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * np.float32(1.061405429))))
    )
    tail = tail * np.exp(-size * size)
    return np.asarray(values * np.where(values < 0, tail / 2, 1 - tail / 2), np.float32)
