"""The router's head in PyTorch: trained as it is used, but for the descriptor, which is sampled.

Each of the five dimensions is a choice between on and off, drawn by Gumbel-softmax at temperature
0.3 (Jang et al., https://arxiv.org/abs/1611.01144): nearly a switch, and still differentiable. The
units thus learn to read switches, and the descriptor learns from what units make of it as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from assay.routing.descriptor import DIMENSIONS
from assay.routing.features import NUM_ROWS, hash_features

TEMPERATURE = 0.3


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the head is trained. `feature_dropout` is the share of hashed features left out, so that
    no one piece of a word decides; `unknown_weight` what an unlabelled text that fits nothing
    counts beside a request."""

    hidden_size: int = 128
    num_epochs: int = 12
    batch_size: int = 128
    learning_rate: float = 3e-3
    weight_decay: float = 1e-4
    feature_dropout: float = 0.25
    hidden_dropout: float = 0.25
    vector_dropout: float = 0.1
    unknown_weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts as tensors: `rows` and `values` of all features one after the other, `offsets` where
    each text's begin, and `vectors` (num_texts, vector_size)."""

    rows: Tensor
    values: Tensor
    offsets: Tensor
    vectors: Tensor


def make_batch(texts: Sequence[str], vectors: NDArray[np.float32], *, keep: float = 1.0) -> Batch:
    """`keep` is the share of features that is kept, drawn by `torch`'s generator."""
    rows, values, offsets, end = [], [], [], 0
    for text in texts:
        text_rows, text_values = _hashed(text)
        if keep < 1 and len(text_rows) > 1:
            kept = torch.rand(len(text_rows)) < keep
            text_rows, text_values = text_rows[kept], text_values[kept] / keep
        offsets.append(end)
        end += len(text_rows)
        rows.append(text_rows)
        values.append(text_values)
    return Batch(
        torch.cat(rows), torch.cat(values), torch.tensor(offsets), torch.from_numpy(vectors)
    )


_cache: dict[str, tuple[Tensor, Tensor]] = {}


def _hashed(text: str) -> tuple[Tensor, Tensor]:
    if text not in _cache:
        rows, values = hash_features(text)
        _cache[text] = torch.from_numpy(rows), torch.from_numpy(values)
    return _cache[text]


class RouterNet(nn.Module):
    """What `routing.head.RouterHead` computes."""

    def __init__(self, num_units: int, vector_size: int, recipe: Recipe) -> None:
        super().__init__()
        self._recipe = recipe
        size = recipe.hidden_size
        self.rows = nn.EmbeddingBag(NUM_ROWS, size, mode="sum")
        nn.init.normal_(self.rows.weight, std=0.1)
        self.vector = nn.Linear(vector_size, size)
        self.descriptor = nn.Linear(size, len(DIMENSIONS))
        self.units = nn.Linear(size, num_units)
        self.gates = nn.Linear(len(DIMENSIONS), num_units, bias=False)
        self.fit = nn.Linear(size, 1)

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor, Tensor]:
        """Logits of the descriptor (num_texts, 5), of units (num_texts, num_units) and of fit
        (num_texts,)."""
        recipe = self._recipe
        vectors = batch.vectors
        if self.training and recipe.vector_dropout:
            kept = torch.rand(len(vectors), 1) >= recipe.vector_dropout
            vectors = vectors * kept
        hidden = self.rows(batch.rows, batch.offsets, per_sample_weights=batch.values)
        hidden = functional.relu(hidden + self.vector(vectors))
        hidden = functional.dropout(hidden, recipe.hidden_dropout, self.training)
        descriptor = self.descriptor(hidden)
        units = self.units(hidden) + self.gates(self._switches(descriptor))
        return descriptor, units, self.fit(hidden).squeeze(1)

    def _switches(self, logits: Tensor) -> Tensor:
        if not self.training:
            return (logits >= 0).to(logits.dtype)
        pairs = torch.stack([logits, torch.zeros_like(logits)], dim=-1)
        return functional.gumbel_softmax(pairs, tau=TEMPERATURE, dim=-1)[..., 0]

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """Its weights by the names of `routing.head`."""
        tensors = {
            "rows": self.rows.weight,
            "projection": self.vector.weight.T,
            "bias": self.vector.bias,
            "descriptor": self.descriptor.weight.T,
            "units": self.units.weight.T,
            "gates": self.gates.weight.T,
            "fit": self.fit.weight[0],
            "biases": torch.cat([self.descriptor.bias, self.units.bias, self.fit.bias]),
        }
        return {name: tensor.detach().numpy().copy() for name, tensor in tensors.items()}
