"""The forward pass with nothing saved and gradients to what goes in: for fitting rows to a model.

Batched over sequences that are padded at their ends, without a cache. Products run in bfloat16 over
the packed weights, which are shared and never written to; all else in float32.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch
from torch.nn import functional as F

from assay.models.config import ModelConfig
from assay.models.rotary import Rotary


class PlainModel:
    """A decoder of the Llama family over packed `weights` (`models/llama.py` is the one that
    serves). Sequences must be shorter than its sliding window, where it has one."""

    def __init__(self, config: ModelConfig, weights: Mapping[str, torch.Tensor]) -> None:
        self.config = config
        self._weights = weights
        self._rotary = Rotary(config)

    def embed(self, token_ids: torch.Tensor) -> torch.Tensor:
        """The rows of `token_ids`, float32."""
        return F.embedding(token_ids, self._weights["embedding.weight"]).float()

    def hidden(
        self, rows: torch.Tensor, num_layers: int | None = None, *, first: int = 0
    ) -> torch.Tensor:
        """What the layers from `first` up to `num_layers` (None: the last) make of `rows`
        `(num_sequences, num_tokens, hidden_size)`, in the same shape. Each token sees those before
        it."""
        cos, sin = self._rotary.tables(torch.arange(rows.shape[1]))
        cos, sin = cos.transpose(0, 1), sin.transpose(0, 1)
        hidden = rows
        stop = self.config.num_layers if num_layers is None else num_layers
        for layer in range(first, stop):
            prefix = f"layers.{layer}."
            hidden = hidden + self._attend(prefix, hidden, cos, sin)
            hidden = hidden + self._mlp(prefix, hidden)
        return hidden

    def logits(self, hidden: torch.Tensor) -> torch.Tensor:
        """What comes next after each of `hidden` `(num_rows, hidden_size)`: float32
        `(num_rows, vocab_size)`."""
        name = "embedding" if self.config.tie_word_embeddings else "lm_head"
        return self._linear(name, self._norm("final_norm.weight", hidden))

    def _attend(
        self, prefix: str, hidden: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor
    ) -> torch.Tensor:
        config = self.config
        num_sequences, num_tokens, _ = hidden.shape
        product = self._linear(prefix + "qkv", self._norm(f"{prefix}input_norm.weight", hidden))
        heads = product.view(num_sequences, num_tokens, -1, config.head_dim).transpose(1, 2)
        sizes = [config.num_heads, config.num_kv_heads, config.num_kv_heads]
        query, key, value = torch.split(heads, sizes, dim=1)
        if config.qk_norm:
            query = self._norm(f"{prefix}q_norm.weight", query)
            key = self._norm(f"{prefix}k_norm.weight", key)
        group = config.num_heads // config.num_kv_heads
        attended = F.scaled_dot_product_attention(
            _turn(query, cos, sin),
            _turn(key, cos, sin).repeat_interleave(group, dim=1),
            value.repeat_interleave(group, dim=1),
            is_causal=True,
        )
        joined = attended.transpose(1, 2).reshape(num_sequences, num_tokens, -1)
        return self._linear(prefix + "o", joined)

    def _mlp(self, prefix: str, hidden: torch.Tensor) -> torch.Tensor:
        normed = self._norm(f"{prefix}post_norm.weight", hidden)
        gate, up = self._linear(prefix + "gate_up", normed).chunk(2, dim=-1)
        return self._linear(prefix + "down", F.silu(gate) * up)

    def _norm(self, name: str, x: torch.Tensor) -> torch.Tensor:
        mean_square = x.square().mean(dim=-1, keepdim=True)
        return x * (mean_square + self.config.rms_norm_eps).rsqrt() * self._weights[name]

    def _linear(self, name: str, x: torch.Tensor) -> torch.Tensor:
        weight = self._weights[f"{name}.weight"]
        product = F.linear(x.to(weight.dtype), weight).float()
        bias = self._weights.get(f"{name}.bias")
        return product if bias is None else product + bias


def pad(sequences: Sequence[Sequence[int]]) -> torch.Tensor:
    """`sequences` as one tensor, padded at their ends with token 0."""
    longest = max(map(len, sequences))
    return torch.tensor([[*ids, *[0] * (longest - len(ids))] for ids in sequences])


def _turn(heads: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    first, second = heads.chunk(2, dim=-1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)
