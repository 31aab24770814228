"""What the compiled operators compute, spelled out in float64, and whether they run here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
import torch

from assay.engine.precision import processor_flags
from assay.kernels import library

needs_kernels = pytest.mark.skipif(
    (_obstacle := library.why_not(processor_flags())) is not None,
    reason=f"compiled operators: {_obstacle}",
)

# As in quantise.hpp: a row's steps are at most this many root mean squares / 127.
LIMIT = 4.0


@contextmanager
def num_threads(count: int) -> Iterator[None]:
    """As many threads for the operators as the block says."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def random_matrix(
    out_features: int, in_features: int, seed: int = 0
) -> tuple[torch.Tensor, torch.Tensor]:
    """An int8 matrix and its scales."""
    generator = torch.Generator().manual_seed(seed)
    int8 = torch.randint(
        -127, 128, (out_features, in_features), dtype=torch.int8, generator=generator
    )
    return int8, (torch.rand(out_features, generator=generator) + 0.5) / 127


def peaked_rows(num_rows: int, features: int, seed: int = 0) -> torch.Tensor:
    """Normal noise; further down the rows, a few values stand ever further above it."""
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(num_rows, features, generator=generator)
    height = torch.linspace(1, 60, num_rows)
    x[:, 0] *= height
    x[:, features // 2] *= -height
    x[:, -1] *= height
    return x


def rounded(x: torch.Tensor) -> torch.Tensor:
    """Each row rounded to whole multiples of its own step."""
    x = x.double()
    rms = x.square().mean(-1, keepdim=True).sqrt()
    limit = torch.minimum(x.abs().amax(-1, keepdim=True), LIMIT * rms).clamp_min(1e-30)
    return (x * (127 / limit)).round() * (limit / 127)


def linear(
    int8: torch.Tensor, scale: torch.Tensor, x: torch.Tensor, bias: torch.Tensor | None = None
) -> torch.Tensor:
    """The product of rounded rows with a matrix, float64."""
    product = rounded(x) @ (int8.double() * scale.double()[:, None]).T
    return product if bias is None else product + bias.double()


def rms_norm(x: torch.Tensor, norm: torch.Tensor, eps: float) -> torch.Tensor:
    x = x.double()
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * norm.double()


def rotated(heads: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """`heads` `(num_tokens, any, head_dim)` turned, float32."""
    first, second = heads.chunk(2, -1)
    cos, sin = cos[:, None], sin[:, None]
    return torch.cat([first * cos - second * sin, second * cos + first * sin], -1)


@dataclass(frozen=True)
class Storage:
    """Blocks `(num_blocks, num_layers, 2, num_kv_heads, block_size, head_dim)`, bfloat16."""

    blocks: torch.Tensor

    @property
    def block_stride(self) -> int:
        return self.blocks[0].numel()

    @property
    def address(self) -> int:
        return self.blocks.data_ptr()

    def read(self, layer: int, table: Sequence[int], num_keys: int) -> torch.Tensor:
        """Keys and values `(2, num_kv_heads, num_keys, head_dim)` of one sequence."""
        gathered = self.blocks[list(table), layer].permute(1, 2, 0, 3, 4)
        return gathered.flatten(2, 3)[:, :, :num_keys]


def attention(
    query: torch.Tensor, key_value: torch.Tensor, start: int, window: int | None
) -> torch.Tensor:
    """One sequence's queries `(count, num_heads, head_dim)`, scaled, from position `start`, over
    its keys and values as `Storage.read` gives them; float64."""
    count, num_heads, head_dim = query.shape
    keys, values = key_value.double()
    grouped = query.double().view(count, len(keys), num_heads // len(keys), head_dim)
    scores = torch.einsum("tkgd,kjd->tkgj", grouped, keys)
    position = torch.arange(start, start + count)[:, None]
    key = torch.arange(keys.shape[1])
    hidden = key > position
    if window is not None:
        hidden |= key <= position - window
    scores.masked_fill_(hidden[:, None, None], float("-inf"))
    return torch.einsum("tkgj,kjd->tkgd", scores.softmax(-1), values).flatten(1)
