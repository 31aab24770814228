"""Fitting the static part: it learns, and what is saved computes what was trained."""

from __future__ import annotations

import numpy as np
import torch
from tiny_checkpoints import CONFIG

from assay.kv_cache.policies.scorer import Scorer
from assay.models.rotary import Rotary
from assay.training.importance import Recipe, Sample, fit

HEADS, PAIRS, HEAD_DIM = 4, 48, 16


def made_up_samples(count: int) -> list[Sample]:
    """Importance is a linear function of the value, another for each head."""
    generator = torch.Generator().manual_seed(0)
    direction = torch.randn(HEADS, HEAD_DIM, 1, generator=generator)
    samples = []
    for _ in range(count):
        keys, values = torch.randn(2, HEADS, PAIRS, HEAD_DIM, generator=generator)
        samples.append(Sample(keys, values, (values @ direction)[..., 0] / HEAD_DIM**0.5 - 3))
    return samples


def fitted(seed: int = 0, num_epochs: int = 12):
    recipe = Recipe(num_epochs=num_epochs, hidden_size=8, learning_rate=2e-2)
    told: list[int] = []
    network, epochs = fit(
        made_up_samples(10), Rotary(CONFIG), recipe, seed, lambda number, _: told.append(number)
    )
    assert told == list(range(len(epochs)))
    return network, epochs


def test_the_error_in_validation_falls_far_below_the_variance() -> None:
    epochs = fitted()[1]
    variance = float(torch.stack([item.targets for item in made_up_samples(10)]).var())
    assert min(item.validation for item in epochs) < 0.3 * variance


def test_a_seed_decides_the_weights() -> None:
    one, same, other = (fitted(seed, num_epochs=2)[0].weights(2) for seed in (0, 0, 1))
    assert all(np.array_equal(one[name], same[name]) for name in one)
    assert not np.array_equal(one["key"], other["key"])


def test_the_scorer_computes_what_was_trained() -> None:
    network = fitted(num_epochs=2)[0]
    keys, values = made_up_samples(1)[0].keys, made_up_samples(1)[0].values
    weights = {**network.weights(2), "attention": np.zeros(1, np.float32)}
    static = Scorer(weights).static(keys.view(2, 2, PAIRS, -1), values.view(2, 2, PAIRS, -1))
    expected = network(keys, values).detach().view(2, 2, PAIRS)
    torch.testing.assert_close(static.float(), expected, rtol=1e-2, atol=1e-2)


def test_training_stops_when_validation_no_longer_gains() -> None:
    recipe = Recipe(num_epochs=60, patience=2, hidden_size=8, learning_rate=1e-6)
    samples = made_up_samples(4)
    samples[0].targets.mul_(-1).sub_(6)  # what is learned of the others makes this one worse
    epochs = fit(samples, Rotary(CONFIG), recipe, 0, lambda *_: None)[1]
    assert len(epochs) < 60
