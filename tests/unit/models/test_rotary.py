"""Rotary tables and the rotation."""

import math
from dataclasses import replace

import pytest
import torch
from closeness import assert_close
from tiny_checkpoints import CONFIG

from assay.errors import UnsupportedModelError
from assay.models.rotary import Rotary, rotate

HEADS, HALF = 3, CONFIG.head_dim // 2


def turned(heads: torch.Tensor, positions: list[int], **changes) -> torch.Tensor:
    cos, sin = Rotary(replace(CONFIG, **changes)).tables(torch.tensor(positions))
    return rotate(heads, cos, sin, torch.empty_like(heads))


def test_position_zero_leaves_heads_as_they_are() -> None:
    heads = torch.randn(2, HEADS, CONFIG.head_dim)
    assert torch.equal(turned(heads, [0, 0]), heads)


def test_each_pair_of_dimensions_turns_by_its_own_angle() -> None:
    heads = torch.zeros(1, 1, CONFIG.head_dim)
    heads[..., 1] = 1.0
    angle = 5 * CONFIG.rope_theta ** (-2 / CONFIG.head_dim)
    result = turned(heads, [5])[0, 0]
    assert result[1].item() == pytest.approx(math.cos(angle), abs=1e-6)
    assert result[1 + HALF].item() == pytest.approx(math.sin(angle), abs=1e-6)
    assert result.count_nonzero() == 2


@pytest.mark.parametrize("shift", [1, 100, 4000])
def test_scores_depend_on_the_distance_alone(shift: int) -> None:
    query, key = torch.randn(2, 1, HEADS, CONFIG.head_dim, dtype=torch.float64)
    near = (turned(query, [7]) * turned(key, [3])).sum(-1)
    far = (turned(query, [7 + shift]) * turned(key, [3 + shift])).sum(-1)
    assert_close(near, far, atol=2e-3)


def test_linear_scaling_puts_positions_closer_together() -> None:
    heads = torch.randn(1, HEADS, CONFIG.head_dim)
    scaling = {"rope_type": "linear", "factor": 4.0}
    assert_close(turned(heads, [8], rope_scaling=scaling), turned(heads, [2]), atol=1e-5, rtol=1e-6)


def test_llama3_scaling_keeps_fast_dimensions_and_slows_slow_ones() -> None:
    scaling = {
        "rope_type": "llama3",
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 64,
    }
    ratio = Rotary(replace(CONFIG, rope_scaling=scaling)).inv_freq / Rotary(CONFIG).inv_freq
    assert ratio[0] == 1.0
    assert ratio[-1] == pytest.approx(1 / 8)
    assert (ratio.diff() <= 0).all()


def test_yarn_scaling_sharpens_attention_by_the_factor_it_is_told() -> None:
    scaling = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32}
    assert Rotary(replace(CONFIG, rope_scaling=scaling)).attention_factor == pytest.approx(
        0.1 * math.log(4) + 1
    )
    told = {**scaling, "attention_factor": 1.5}
    cos, sin = Rotary(replace(CONFIG, rope_scaling=told)).tables(torch.tensor([3]))
    assert_close(cos.square() + sin.square(), torch.full_like(cos, 2.25), atol=1e-5)


@pytest.mark.parametrize(
    "scaling", [{"rope_type": "longrope", "factor": 2.0}, {"rope_type": "linear"}]
)
def test_unknown_or_incomplete_scaling_is_refused(scaling) -> None:
    with pytest.raises(UnsupportedModelError):
        Rotary(replace(CONFIG, rope_scaling=scaling))
