"""Fits the importance scorer to recorded attention (`kv_cache.policies.scorer` runs it).

The static part learns, by least squares, the logarithm of the attention that each pair gets while
the text is repeated: what any later token might want of it. Keys are turned to other positions at
random at every step, so that what is learned holds there too. How much the queries of the moment
add is one factor, chosen by the likelihood of gold quotations (`run.py`): fitted to
what single answers attend to, it would let go of all that the answer at hand does not need.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional as F

from assay.kv_cache.policies.scorer import magnitudes
from assay.models.rotary import Rotary, rotate
from assay.training.recording import Recording

#: Probabilities far below this are as good as none: it is added before the logarithm is taken.
TARGET_FLOOR = 1e-3
_FEATURES = ("key", "magnitude", "value")


@dataclass(frozen=True, slots=True)
class Sample:
    """Some pairs of one example: `keys` and `values` `(num_heads, num_pairs, head_dim)`, heads
    being all KV heads of all layers, and `targets` `(num_heads, num_pairs)`, logarithms."""

    keys: torch.Tensor
    values: torch.Tensor
    targets: torch.Tensor


@dataclass(frozen=True, slots=True)
class Recipe:
    """How to train. A share of the samples tells when to stop: after `patience` epochs without
    gain, or `num_epochs`."""

    num_epochs: int = 40
    patience: int = 5
    hidden_size: int = 32
    learning_rate: float = 3e-3
    weight_decay: float = 3e-2
    num_pairs: int = 256
    max_turn: int = 6000
    validation_share: float = 0.15

    def num_validation(self, num_samples: int) -> int:
        """How many of the samples, the first, are for validation."""
        return max(1, round(num_samples * self.validation_share))


def sample(recording: Recording, num_pairs: int, generator: torch.Generator) -> Sample:
    """A sample of up to `num_pairs` pairs of a recording."""
    assert recording.repeated is not None
    reading = recording.reading
    chosen = torch.randperm(reading.num_context, generator=generator)[:num_pairs]
    return Sample(
        reading.keys[:, :, chosen].flatten(0, 1),
        reading.values[:, :, chosen].flatten(0, 1),
        (recording.repeated[:, :, chosen] + TARGET_FLOOR).log().flatten(0, 1),
    )


class ImportanceNetwork(nn.Module):
    """What `Scorer` computes, differentiable and over standardised features."""

    mean: torch.Tensor
    deviation: torch.Tensor

    def __init__(self, samples: Sequence[Sample], hidden_size: int, seed: int) -> None:
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        features = torch.cat([_features(item.keys, item.values) for item in samples], dim=1)
        self.register_buffer("mean", features.mean(1, keepdim=True))
        self.register_buffer("deviation", features.std(1, keepdim=True) + 1e-3)
        num_heads, _, num_features = features.shape
        first = torch.randn(num_heads, num_features, hidden_size, generator=generator)
        self.first = nn.Parameter(first / num_features**0.5)
        self.bias = nn.Parameter(torch.zeros(num_heads, 1, hidden_size))
        last = torch.randn(num_heads, hidden_size, 1, generator=generator)
        self.last = nn.Parameter(last / hidden_size**0.5)
        mean_target = torch.cat([item.targets for item in samples], dim=1).mean(1)
        self.last_bias = nn.Parameter(mean_target.view(-1, 1, 1))

    def forward(self, keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
        """The static part, `(num_heads, num_pairs)`."""
        features = (_features(keys, values) - self.mean) / self.deviation
        hidden = F.gelu(torch.baddbmm(self.bias, features, self.first))
        return torch.baddbmm(self.last_bias, hidden, self.last)[..., 0]

    def weights(self, num_kv_heads: int) -> Mapping[str, NDArray[np.float32]]:
        """The weights as `Scorer` takes them but for `attention`: standardisation is folded in."""
        first = self.first / self.deviation.transpose(1, 2)
        bias = self.bias - self.mean @ first
        head_dim = first.shape[1] * 2 // 5
        parts = torch.split(first, [head_dim, head_dim // 2, head_dim], dim=1)
        named = dict(zip(_FEATURES, parts, strict=True)) | {
            "hidden_bias": bias,
            "out": self.last,
            "out_bias": self.last_bias,
        }
        return {
            name: weight.detach().view(-1, num_kv_heads, *weight.shape[1:]).numpy()
            for name, weight in named.items()
        }


@dataclass(frozen=True, slots=True)
class Epoch:
    """Mean squared errors of the logarithms after an epoch, in training and in validation."""

    training: float
    validation: float


def fit(
    samples: Sequence[Sample],
    rotary: Rotary,
    recipe: Recipe,
    seed: int,
    tell: Callable[[int, Epoch], None],
) -> tuple[ImportanceNetwork, list[Epoch]]:
    """Trains on the samples and returns the network of the best epoch, and how it went."""
    generator = torch.Generator().manual_seed(seed)
    num_validation = recipe.num_validation(len(samples))
    validation, training = samples[:num_validation], samples[num_validation:]
    network = ImportanceNetwork(training, recipe.hidden_size, seed)
    optimizer = torch.optim.AdamW(
        network.parameters(), lr=recipe.learning_rate, weight_decay=recipe.weight_decay
    )
    num_steps = recipe.num_epochs * len(training)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, recipe.learning_rate, total_steps=num_steps
    )
    epochs: list[Epoch] = []
    best = (float("inf"), copy.deepcopy(network.state_dict()), -1)
    for number in range(recipe.num_epochs):
        errors = []
        for index in torch.randperm(len(training), generator=generator).tolist():
            turn = int(torch.randint(recipe.max_turn, (1,), generator=generator))
            loss = _error(network, training[index], rotary, turn)
            optimizer.zero_grad()
            torch.autograd.backward(loss)
            optimizer.step()
            schedule.step()
            errors.append(float(loss.detach()))
        with torch.no_grad():
            checked = [float(_error(network, item, rotary, 0)) for item in validation]
        epochs.append(Epoch(_mean(errors), _mean(checked)))
        tell(number, epochs[-1])
        if epochs[-1].validation < best[0]:
            best = epochs[-1].validation, copy.deepcopy(network.state_dict()), number
        elif number - best[2] >= recipe.patience:
            break
    network.load_state_dict(best[1])
    return network, epochs


def _error(network: ImportanceNetwork, item: Sample, rotary: Rotary, turn: int) -> torch.Tensor:
    keys = item.keys
    if turn:
        cos, sin = rotary.turns(torch.tensor([turn]))
        keys = rotate(keys, cos, sin, torch.empty_like(keys))
    return F.mse_loss(network(keys, item.values), item.targets)


def _mean(errors: Sequence[float]) -> float:
    return sum(errors) / len(errors)


def _features(keys: torch.Tensor, values: torch.Tensor) -> torch.Tensor:
    return torch.cat([keys, magnitudes(keys), values], dim=-1)
