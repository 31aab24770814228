"""Fits a calibrator: a monotone network and shifts, by full-batch Adam on the cross-entropy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from assay.analysis.confidence import Calibrator, Network, shift_keys
from assay.analysis.evidence import DIRECTIONS, evidence_of
from assay.units.answer import Signals

#: Evidence that differs less than this between answers teaches nothing, and weighs nothing.
_SPREAD = 1e-3


@dataclass(frozen=True, slots=True)
class Recipe:
    """`hidden`: the sizes of the two hidden layers; (0, 0) leaves the linear path alone, which is
    logistic regression. `linear_decay`, `decay` and `shift_decay` are half the penalties on the
    squares of linear weights, of the layers' and of shifts, against a sum over answers.
    `max_weight` is what all answers of one field on one path count for at most, so that no data
    set drowns the others."""

    hidden: tuple[int, int] = (12, 6)
    num_members: int = 5
    num_steps: int = 300
    rate: float = 0.03
    linear_decay: float = 0.5
    decay: float = 1.0
    shift_decay: float = 3.0
    max_weight: float = 250.0


@dataclass(frozen=True, slots=True)
class Rows:
    """Answers to fit to: evidence (n, num_evidence), rightness and weights (n,), and the numbers of
    each one's shifts (n, 4) among `keys`."""

    evidence: NDArray[np.float32]
    right: NDArray[np.float32]
    weight: NDArray[np.float32]
    shifts: NDArray[np.int64]
    keys: tuple[str, ...]

    def chosen(self, mask: NDArray[np.bool_]) -> Rows:
        """Those where the mask (n,) says so, with the same keys."""
        return Rows(
            self.evidence[mask], self.right[mask], self.weight[mask], self.shifts[mask], self.keys
        )


def make_rows(states: Sequence[tuple[Signals, float, float]], max_weight: float) -> Rows:
    """Signals, rightness and weight of each state, as arrays."""
    found = [shift_keys(signals) for signals, _, _ in states]
    keys = tuple(sorted({key for item in found for key in item}))
    numbers = {key: number for number, key in enumerate(keys)}
    weight = np.array([item for _, _, item in states], np.float32)
    shifts = np.array([[numbers[key] for key in item] for item in found], np.int64)
    totals = np.bincount(shifts[:, 3], weights=weight, minlength=len(keys))
    weight *= np.minimum(1.0, max_weight / np.maximum(totals[shifts[:, 3]], 1e-9))
    return Rows(
        np.array([evidence_of(signals) for signals, _, _ in states], np.float32),
        np.array([right for _, right, _ in states], np.float32),
        weight.astype(np.float32),
        shifts,
        keys,
    )


def fit_calibrator(rows: Rows, recipe: Recipe, seed: int) -> Calibrator:
    """The same rows, recipe and seed give the same calibrator."""
    generator = torch.Generator().manual_seed(seed)
    spread = rows.evidence.std(axis=0)
    scale = np.where(spread > _SPREAD, 1 / np.maximum(spread, _SPREAD), 0.0).astype(np.float32)
    evidence = torch.from_numpy(rows.evidence * scale)
    right, weight = torch.from_numpy(rows.right), torch.from_numpy(rows.weight)
    model = _Model(evidence.shape[1], len(rows.keys), recipe, generator)
    optimizer = torch.optim.Adam(model.parameters(), lr=recipe.rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=recipe.rate, total_steps=recipe.num_steps, pct_start=0.1
    )
    numbers = torch.from_numpy(rows.shifts)
    for _ in range(recipe.num_steps):
        optimizer.zero_grad()
        log_odds = model(evidence, numbers)
        misfit = torch.nn.functional.binary_cross_entropy_with_logits(
            log_odds, right.expand_as(log_odds), weight.expand_as(log_odds), reduction="sum"
        )
        loss = misfit + model.penalty(recipe)
        (loss / weight.sum()).backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        schedule.step()
    return model.as_calibrator(scale, rows.keys)


class _Model(torch.nn.Module):
    """All members side by side. Weights that must not be negative (after the evidence's direction
    is turned to "for") are squares of what is fitted."""

    def __init__(
        self, num_evidence: int, num_shifts: int, recipe: Recipe, generator: torch.Generator
    ) -> None:
        super().__init__()
        members, (h1, h2) = recipe.num_members, recipe.hidden

        def draw(*shape: int, spread: float) -> torch.nn.Parameter:
            return torch.nn.Parameter(torch.randn(*shape, generator=generator) * spread)

        directions = torch.tensor(list(DIRECTIONS.values()), dtype=torch.float32)
        self._sign = torch.where(directions == 0, torch.ones(()), directions)
        self._is_free = directions == 0
        self.linear = torch.nn.Parameter(torch.full((members, num_evidence), 0.3))
        self.bias = torch.nn.Parameter(torch.zeros(members))
        self.first = draw(members, num_evidence, h1, spread=0.5)
        self.first_bias = draw(members, h1, spread=0.5)
        self.second = draw(members, h1, h2, spread=0.5)
        self.second_bias = draw(members, h2, spread=0.5)
        self.last = draw(members, h2, spread=0.5)
        self.shifts = torch.nn.Parameter(torch.zeros(members, num_shifts))

    def _signed(self, weights: torch.Tensor, dim: int) -> torch.Tensor:
        shape = [1] * weights.ndim
        shape[dim] = -1
        free, sign = self._is_free.view(shape), self._sign.view(shape)
        return torch.where(free, weights, weights.square() * sign)

    def layers(self) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
        """The weights proper: linear, first, second, last."""
        return (
            self._signed(self.linear, 1),
            self._signed(self.first, 1),
            self.second.square(),
            self.last.square(),
        )

    def forward(self, evidence: torch.Tensor, numbers: torch.Tensor) -> torch.Tensor:
        """The log-odds of each member for each answer: (members, n)."""
        linear, first, second, last = self.layers()
        log_odds = linear @ evidence.T + self.bias[:, None] + self.shifts[:, numbers].sum(dim=2)
        if self.first.shape[2] == 0:
            return log_odds
        hidden = torch.tanh(evidence @ first + self.first_bias[:, None])
        hidden = torch.tanh(hidden @ second + self.second_bias[:, None])
        return log_odds + (hidden @ last[:, :, None])[:, :, 0]

    def penalty(self, recipe: Recipe) -> torch.Tensor:
        """What large weights cost, over all members."""
        linear, first, second, last = self.layers()
        layers = first.square().sum() + second.square().sum() + last.square().sum()
        return (
            recipe.linear_decay * linear.square().sum()
            + recipe.decay * layers
            + recipe.shift_decay * self.shifts.square().sum()
        )

    def as_calibrator(self, scale: NDArray[np.float32], keys: Sequence[str]) -> Calibrator:
        linear, first, second, last = (item.detach().numpy() for item in self.layers())
        network = Network(
            scale,
            linear,
            self.bias.detach().numpy(),
            first,
            self.first_bias.detach().numpy(),
            second,
            self.second_bias.detach().numpy(),
            last,
        )
        means = self.shifts.detach().mean(dim=0).tolist()
        return Calibrator(network, dict(zip(keys, means, strict=True)))
