"""Fits a low-rank adapter of the sentence encoder, with a linear layer over it, to labelled texts.

The same texts, settings and seed give the same adapter on the same number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional, utils

from assay.encoders.adapter import Adapter
from assay.encoders.minilm import load_minilm, minilm_weights
from assay.training.low_rank import AdaptedEncoder

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class AdapterSettings:
    """`first_layer` is the first that changes; rates fall in a straight line after the first
    `warmup` share of the steps; `smoothing` is what a label gives to the others, since labels
    err."""

    rank: int = 8
    first_layer: int = 2
    num_epochs: int = 2
    rate: float = 1e-3
    head_rate: float = 2e-3
    weight_decay: float = 0.01
    warmup: float = 0.1
    dropout: float = 0.1
    smoothing: float = 0.1
    batch_size: int = 32
    max_norm: float = 1.0


@dataclass(frozen=True)
class FittedAdapter:
    """An adapter, and the linear layer (num_labels, size) over the unit vectors it gives."""

    adapter: Adapter
    weights: Floats
    bias: Floats


class AdapterFit:
    """Fits adapters to parts of the same texts; what lies below them is computed once.

    Raises:
        ModelNotPulledError: the encoder's package is not installed.
    """

    def __init__(self, texts: Sequence[str], num_labels: int, settings: AdapterSettings) -> None:
        self._settings, self._num_labels = settings, num_labels
        self._weights = minilm_weights()
        encoder = load_minilm()
        self._bottoms = self._read([encoder.token_ids(text) for text in texts])

    def fit(self, gold: Indices, chosen: Indices, seed: int) -> AdaptedEncoder:
        """An encoder fitted to the chosen texts and their labels."""
        torch.manual_seed(seed)
        rng = np.random.default_rng(seed)
        settings = self._settings
        model = self._model()
        groups: list[dict[str, Any]] = [
            {"params": model.body, "lr": settings.rate},
            {"params": list(model.head.parameters()), "lr": settings.head_rate},
        ]
        optimizer = torch.optim.AdamW(groups, weight_decay=settings.weight_decay)
        num_steps = settings.num_epochs * math.ceil(len(chosen) / settings.batch_size)
        num_warm = max(1, round(settings.warmup * num_steps))
        schedule = torch.optim.lr_scheduler.LambdaLR(
            optimizer,
            lambda step: min((step + 1) / num_warm, (num_steps - step) / num_steps),
        )
        parameters = [*model.body, *model.head.parameters()]
        labels = torch.from_numpy(gold)
        model.train()
        for _ in range(settings.num_epochs):
            for batch in self._batches(chosen, rng):
                loss = functional.cross_entropy(
                    model(*self._padded(batch)),
                    labels[torch.from_numpy(batch)],
                    label_smoothing=settings.smoothing,
                )
                optimizer.zero_grad()
                loss.backward()  # type: ignore[no-untyped-call]
                utils.clip_grad_norm_(parameters, settings.max_norm)
                optimizer.step()
                schedule.step()
        return model.eval()

    @torch.no_grad()
    def logits(self, model: AdaptedEncoder, chosen: Indices) -> Floats:
        """What a fitted encoder says of the chosen texts, (num_chosen, num_labels)."""
        found = np.empty((len(chosen), self._num_labels))
        order = np.argsort([len(self._bottoms[index]) for index in chosen], kind="stable")
        for first in range(0, len(order), self._settings.batch_size):
            part = order[first : first + self._settings.batch_size]
            found[part] = model(*self._padded(chosen[part])).numpy()
        return found

    def _model(self) -> AdaptedEncoder:
        settings = self._settings
        return AdaptedEncoder(
            self._weights, self._num_labels, settings.rank, settings.first_layer, settings.dropout
        )

    def _read(self, token_ids: Sequence[Sequence[int]]) -> list[Tensor]:
        model = self._model()
        found = []
        for ids in token_ids:
            mask = torch.ones(1, len(ids), dtype=torch.bool)
            found.append(model.bottom(torch.tensor([ids]), mask)[0])
        return found

    def _batches(self, chosen: Indices, rng: np.random.Generator) -> list[Indices]:
        """Texts of like length together, which ones and in what order differing each time."""
        lengths = [len(self._bottoms[index]) for index in chosen]
        order = chosen[np.argsort(np.array(lengths) + rng.uniform(0, 6, len(chosen)))]
        size = self._settings.batch_size
        batches = [order[first : first + size] for first in range(0, len(order), size)]
        return [batches[number] for number in rng.permutation(len(batches))]

    def _padded(self, batch: Indices) -> tuple[Tensor, Tensor]:
        states = [self._bottoms[index] for index in batch]
        longest = max(map(len, states))
        mask = torch.arange(longest)[None] < torch.tensor(list(map(len, states)))[:, None]
        return torch.nn.utils.rnn.pad_sequence(states, batch_first=True), mask


def fitted(model: AdaptedEncoder) -> FittedAdapter:
    """What of a fitted encoder is kept: the linear layer is over vectors of length one."""
    weights = model.head.weight.detach().numpy().astype(np.float64) * model.vector_length
    return FittedAdapter(model.adapter(), weights, model.head.bias.detach().numpy().astype(float))
