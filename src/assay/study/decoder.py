"""The Llama family in plain float32, so that gradients pass through it.

The engine's layers overwrite their activations and run in int8 or bf16; this one keeps them, for
short texts. Weights are the packed ones, bfloat16 made float32; a test holds its logits against
`models.llama`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from torch.nn import functional as F

from assay.models.config import ModelConfig
from assay.models.rotary import Rotary

#: Sees the inside of each feed-forward block, `(num_tokens, intermediate_size)` before the last
#: matrix, and gives what is to go on in its place.
Watch = Callable[[int, torch.Tensor], torch.Tensor]


class FloatDecoder:
    """A decoder over packed `weights` (names as in `models/config.py`), which takes four bytes a
    weight beside them."""

    def __init__(self, config: ModelConfig, weights: Mapping[str, torch.Tensor]) -> None:
        self.config = config
        self._rotary = Rotary(config)
        self._weights = {
            name: tensor.float()
            for name, tensor in weights.items()
            if not name.endswith((".int8", ".scale"))
        }

    def logits(
        self, token_ids: torch.Tensor, num_last: int, watch: Watch | None = None
    ) -> torch.Tensor:
        """Logits `(num_last, vocab_size)` after the last of `token_ids` `(num_tokens,)`, which
        stand at the beginning of a text. The gradient reaches whatever `watch` sees."""
        weights, config = self._weights, self.config
        hidden = F.embedding(token_ids, weights["embedding.weight"])
        hidden.requires_grad_(torch.is_grad_enabled())
        cos, sin = self._rotary.tables(torch.arange(len(token_ids)))
        for index in range(config.num_layers):
            prefix = f"layers.{index}."
            normed = self._norm(hidden, f"{prefix}input_norm")
            hidden = hidden + self._attended(prefix, normed, cos, sin)
            normed = self._norm(hidden, f"{prefix}post_norm")
            gate, up = F.linear(normed, weights[f"{prefix}gate_up.weight"]).chunk(2, dim=-1)
            inside = F.silu(gate) * up
            if watch is not None:
                inside = watch(index, inside)
            hidden = hidden + F.linear(inside, weights[f"{prefix}down.weight"])
        head = "embedding" if config.tie_word_embeddings else "lm_head"
        return F.linear(self._norm(hidden[-num_last:], "final_norm"), weights[f"{head}.weight"])

    def _attended(
        self, prefix: str, normed: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor
    ) -> torch.Tensor:
        weights, config = self._weights, self.config
        num_heads, num_kv_heads = config.num_heads, config.num_kv_heads
        heads = F.linear(normed, weights[f"{prefix}qkv.weight"], weights.get(f"{prefix}qkv.bias"))
        heads = heads.view(len(normed), -1, config.head_dim)
        queries, keys, values = torch.split(heads, [num_heads, num_kv_heads, num_kv_heads], dim=1)
        if config.qk_norm:
            queries = self._norm(queries, f"{prefix}q_norm")
            keys = self._norm(keys, f"{prefix}k_norm")
        attended = F.scaled_dot_product_attention(
            _turned(queries, cos, sin).transpose(0, 1),
            _spread(_turned(keys, cos, sin), num_heads).transpose(0, 1),
            _spread(values, num_heads).transpose(0, 1),
            attn_mask=self._visible(len(normed)),
        )
        return F.linear(attended.transpose(0, 1).flatten(1), weights[f"{prefix}o.weight"])

    def _visible(self, num_tokens: int) -> torch.Tensor:
        """Which keys each query sees, bool `(num_tokens, num_tokens)`."""
        places = torch.arange(num_tokens)
        distance = places[:, None] - places
        window = self.config.sliding_window
        return (distance >= 0) if window is None else (distance >= 0) & (distance < window)

    def _norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        weight = self._weights[f"{name}.weight"]
        return F.rms_norm(x, (x.shape[-1],), weight, self.config.rms_norm_eps)


def _turned(heads: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """As `models.rotary.rotate`, into a new tensor."""
    first, second = heads.chunk(2, dim=-1)
    return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-1)


def _spread(heads: torch.Tensor, num_heads: int) -> torch.Tensor:
    """Each KV head once for every query head that shares it."""
    return heads.repeat_interleave(num_heads // heads.shape[1], dim=1)
