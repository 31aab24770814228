"""Rotary position embedding: frequencies for each scaling scheme, and the rotation.

Dimension `j` of a head turns together with `j + head_dim / 2` (the half-split layout of Hugging
Face checkpoints). Tables are float32 whatever the precision of the model.

RoFormer: https://arxiv.org/abs/2104.09864. YaRN: https://arxiv.org/abs/2309.00071. The schemes
are those of Hugging Face's `rope_parameters`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import torch

from assay.errors import UnsupportedModelError
from assay.models.config import ModelConfig


class Rotary:
    """The angles of one model. Immutable.

    Raises:
        UnsupportedModelError: the scaling scheme is not known or lacks a parameter.
    """

    def __init__(self, config: ModelConfig) -> None:
        self.head_dim = config.head_dim
        base = 1.0 / config.rope_theta ** (
            torch.arange(0, config.head_dim, 2, dtype=torch.float32) / config.head_dim
        )
        try:
            self.inv_freq, self.attention_factor = _scale(base, config)
        except KeyError as error:
            raise UnsupportedModelError(f"rope_scaling lacks {error}") from error

    def tables(self, positions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Cosines and sines `(num_tokens, 1, head_dim / 2)` at integer `positions`."""
        cos, sin = self.turns(positions)
        if self.attention_factor != 1.0:
            cos, sin = cos * self.attention_factor, sin * self.attention_factor
        return cos, sin

    def turns(self, distances: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """As `tables`, to turn keys by so many positions that have been turned already."""
        angles = distances.to(torch.float32)[:, None, None] * self.inv_freq
        return angles.cos(), angles.sin()


def rotate(
    heads: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, out: torch.Tensor
) -> torch.Tensor:
    """Turns `heads` `(num_tokens, num_heads, head_dim)` into `out`, which shares no memory with it.

    `cos` and `sin` are as `Rotary.tables` gives them; a factor multiplied into both scales the
    result.
    """
    half = heads.shape[-1] // 2
    first, second = heads[..., :half], heads[..., half:]
    torch.mul(first, cos, out=out[..., :half]).addcmul_(second, sin, value=-1)
    torch.mul(second, cos, out=out[..., half:]).addcmul_(first, sin)
    return out


def _scale(base: torch.Tensor, config: ModelConfig) -> tuple[torch.Tensor, float]:
    """Frequencies after scaling, and the factor on cosines and sines."""
    scaling = config.rope_scaling
    if scaling is None:
        return base, 1.0
    match scaling["rope_type"]:
        case "default":
            return base, 1.0
        case "linear":
            return base / scaling["factor"], 1.0
        case "llama3":
            return _llama3(base, scaling), 1.0
        case "yarn":
            return _yarn(base, scaling, config)
        case kind:
            raise UnsupportedModelError(
                f"rotary scaling {kind!r} is not supported",
                remedy="supported: default, linear, llama3, yarn",
            )


def _llama3(base: torch.Tensor, scaling: Mapping[str, Any]) -> torch.Tensor:
    """Slows wavelengths beyond the original context; blends those near its edge."""
    low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
    turns = scaling["original_max_position_embeddings"] * base / (2 * math.pi)
    keep = ((turns - low) / (high - low)).clamp(0, 1)
    blended: torch.Tensor = base * keep + base / scaling["factor"] * (1 - keep)
    return blended


def _yarn(
    base: torch.Tensor, scaling: Mapping[str, Any], config: ModelConfig
) -> tuple[torch.Tensor, float]:
    """Interpolates slow dimensions, keeps fast ones, and sharpens attention to make up for it."""
    original = scaling.get("original_max_position_embeddings") or config.max_position_embeddings
    factor = scaling.get("factor") or config.max_position_embeddings / original

    def dimension(num_turns: float) -> float:
        ratio = original / (num_turns * 2 * math.pi)
        return config.head_dim * math.log(ratio) / (2 * math.log(config.rope_theta))

    low = dimension(scaling.get("beta_fast") or 32)
    high = dimension(scaling.get("beta_slow") or 1)
    if scaling.get("truncate", True):
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, config.head_dim - 1)
    if low == high:
        high += 0.001
    interpolated = ((torch.arange(len(base), dtype=torch.float32) - low) / (high - low)).clamp(0, 1)
    frequencies = base / factor * interpolated + base * (1 - interpolated)

    attention_factor = scaling.get("attention_factor")
    if attention_factor is None:
        mscale, mscale_all_dim = scaling.get("mscale"), scaling.get("mscale_all_dim")
        if mscale and mscale_all_dim:
            attention_factor = _yarn_mscale(factor, mscale) / _yarn_mscale(factor, mscale_all_dim)
        else:
            attention_factor = _yarn_mscale(factor, 1.0)
    return frequencies, float(attention_factor)


def _yarn_mscale(factor: float, mscale: float) -> float:
    return 1.0 if factor <= 1 else 0.1 * mscale * math.log(factor) + 1.0
