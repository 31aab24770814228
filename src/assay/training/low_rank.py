"""MiniLM in PyTorch with low-rank deltas that can be trained, and a linear layer over its mean.

LoRA: https://arxiv.org/abs/2106.09685. The base is frozen and multiplies in bf16 (more than twice
as fast where the processor has AVX-512 BF16); sums, norms and attention are in float32. The layers
below the first with deltas never change, so what they give is computed once for a text (`bottom`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from assay.encoders.adapter import PARTS, Adapter, Delta
from assay.encoders.bert import PART_NAMES
from assay.encoders.minilm import NUM_HEADS

Weights = Mapping[str, NDArray[np.float32]]
_EPS = 1e-12
_Norm = tuple[Tensor, Tensor]


class LowRank(nn.Module):
    """A frozen linear layer plus `up @ down`; up starts at zero, so nothing is added at first."""

    def __init__(self, weight: Tensor, bias: Tensor, rank: int) -> None:
        super().__init__()
        self._weight, self._bias = weight.bfloat16(), bias.bfloat16()
        num_out, num_in = weight.shape
        self.down = nn.Parameter(torch.empty(rank, num_in).uniform_(-1, 1) / math.sqrt(num_in))
        self.up = nn.Parameter(torch.zeros(num_out, rank))

    def forward(self, rows: Tensor) -> Tensor:
        rows = rows.bfloat16()
        added = functional.linear(functional.linear(rows, self.down.bfloat16()), self.up.bfloat16())
        return functional.linear(rows, self._weight, self._bias) + added


class AdaptedEncoder(nn.Module):
    """Batches of texts to logits. `first_layer` is the first with deltas.

    Texts come as the states below that layer, (num_texts, num_tokens, hidden_size), with a mask
    (num_texts, num_tokens) of what is no padding; out come (num_texts, num_labels).
    """

    def __init__(
        self, weights: Weights, num_labels: int, rank: int, first_layer: int, dropout: float
    ) -> None:
        super().__init__()
        tensors = {name: torch.from_numpy(np.array(array)) for name, array in weights.items()}
        self._words = tensors["embeddings.word_embeddings.weight"]
        self._positions = (
            tensors["embeddings.position_embeddings.weight"]
            + tensors["embeddings.token_type_embeddings.weight"][0]
        )
        self._norm = _norm_of(tensors, "embeddings.LayerNorm")
        self._first, self._dropout = first_layer, dropout
        num_layers = 1 + max(
            int(name.split(".")[2]) for name in tensors if name.startswith("encoder.layer.")
        )
        self._norms = [
            [
                _norm_of(tensors, f"encoder.layer.{number}.{part}.LayerNorm")
                for part in ("attention.output", "output")
            ]
            for number in range(num_layers)
        ]
        self._layers = nn.ModuleList(
            nn.ModuleDict(
                {
                    part: LowRank(
                        tensors[f"encoder.layer.{number}.{PART_NAMES[part]}.weight"],
                        tensors[f"encoder.layer.{number}.{PART_NAMES[part]}.bias"],
                        rank,
                    )
                    for part in PARTS
                }
            )
            for number in range(num_layers)
        )
        self.size = int(self._words.shape[1])
        #: A unit vector's entries are small; at this length the linear layer learns at one rate
        #: with the deltas.
        self.vector_length = math.sqrt(self.size) / 3
        self.head = nn.Linear(self.size, num_labels)
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    @property
    def body(self) -> list[nn.Parameter]:
        """The deltas' parameters."""
        layers = self._layers[self._first :]
        return [parameter for layer in layers for parameter in layer.parameters()]

    @torch.no_grad()
    def bottom(self, token_ids: Tensor, mask: Tensor) -> Tensor:
        """The states below the first layer with deltas, of token ids (num_texts, num_tokens)."""
        hidden = self._words[token_ids] + self._positions[: token_ids.shape[1]]
        hidden = self._normed(hidden, self._norm)
        for number in range(self._first):
            hidden = self._layer(number, hidden, mask, 0.0)
        return hidden

    def forward(self, hidden: Tensor, mask: Tensor) -> Tensor:
        dropout = self._dropout if self.training else 0.0
        for number in range(self._first, len(self._layers)):
            hidden = self._layer(number, hidden, mask, dropout)
        shares = mask.float() / mask.sum(dim=1, keepdim=True)
        mean = (hidden * shares[:, :, None]).sum(dim=1)
        vector = functional.normalize(mean, dim=-1) * self.vector_length
        logits: Tensor = self.head(functional.dropout(vector, dropout))
        return logits

    def adapter(self) -> Adapter:
        """The deltas as they are now."""
        return Adapter(
            {
                (number, part): Delta(
                    self._delta(number, part).down.detach().numpy().copy(),
                    self._delta(number, part).up.detach().numpy().copy(),
                )
                for number in range(self._first, len(self._layers))
                for part in PARTS
            }
        )

    def _layer(self, number: int, hidden: Tensor, mask: Tensor, dropout: float) -> Tensor:
        num_texts, num_tokens, size = hidden.shape
        query, key, value = (
            self._delta(number, part)(hidden)
            .float()
            .view(num_texts, num_tokens, NUM_HEADS, -1)
            .transpose(1, 2)
            for part in PARTS[:3]
        )
        mixed = functional.scaled_dot_product_attention(
            query, key, value, attn_mask=mask[:, None, None, :]
        )
        mixed = mixed.transpose(1, 2).reshape(num_texts, num_tokens, size)
        added = self._delta(number, "out")(mixed)
        first_norm, last_norm = self._norms[number]
        hidden = self._normed(hidden + functional.dropout(added, dropout), first_norm)
        added = self._delta(number, "down")(functional.gelu(self._delta(number, "up")(hidden)))
        return self._normed(hidden + functional.dropout(added, dropout), last_norm)

    def _delta(self, number: int, part: str) -> LowRank:
        module = self._layers[number][part]  # type: ignore[index]
        assert isinstance(module, LowRank)
        return module

    def _normed(self, rows: Tensor, norm: _Norm) -> Tensor:
        return functional.layer_norm(rows, (self.size,), *norm, eps=_EPS)


def _norm_of(tensors: Mapping[str, Tensor], name: str) -> _Norm:
    return tensors[f"{name}.weight"], tensors[f"{name}.bias"]
