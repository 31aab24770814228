"""One sequence read in plain PyTorch, with everything in sight: queries, keys, values, attention.

A `Reading` holds the keys and values of a context. Branches (a question with its answer, the text
repeated) are read after it, one at a time: a branch sees the context and itself, and may be denied
some of the context's pairs in some layers and heads. The next takes its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import torch

from assay.models.llama import LlamaModel
from assay.models.rotary import rotate

#: Tokens read at once.
_CHUNK = 256


class Observer(Protocol):
    """Sees a branch being read, chunk after chunk in every layer.

    `first` is the place in the branch of the first of the chunk's tokens. `queries` are
    `(num_heads, num_tokens, head_dim)`, rotated; `attention` `(num_kv_heads, group, num_tokens,
    num_context)` holds the probabilities that the context's pairs get, which sum to less than 1.
    """

    def __call__(
        self, layer: int, first: int, queries: torch.Tensor, attention: torch.Tensor
    ) -> None: ...


class Reading:
    """A context read by `model`, ready for branches. `keys` (rotated) and `values` are float32
    `(num_layers, num_kv_heads, num_context, head_dim)`."""

    def __init__(self, model: LlamaModel, context: Sequence[int], max_branch: int) -> None:
        config = model.config
        self.model = model
        self.num_context = len(context)
        room = (config.num_layers, config.num_kv_heads, len(context) + max_branch, config.head_dim)
        self._keys, self._values = torch.empty(room), torch.empty(room)
        self._read(context, 0, None, None, 0)

    @property
    def keys(self) -> torch.Tensor:
        return self._keys[:, :, : self.num_context]

    @property
    def values(self) -> torch.Tensor:
        return self._values[:, :, : self.num_context]

    def branch(
        self,
        token_ids: Sequence[int],
        *,
        first: int = 0,
        observer: Observer | None = None,
        kept: torch.Tensor | None = None,
        num_logits: int = 0,
    ) -> torch.Tensor:
        """Reads `token_ids` after the context: logits `(num_logits, vocab_size)` after the last
        `num_logits` of them.

        The first `first` tokens are as the branch before read them, and not read again. `kept`
        `(num_layers, num_kv_heads, num_context)` says which pairs of the context the others may
        attend to; all where it is None.
        """
        hidden = None
        if kept is not None:
            hidden = torch.zeros(kept.shape).masked_fill_(~kept, float("-inf"))
        position = self.num_context + first
        return self._read(token_ids[first:], position, observer, hidden, num_logits)

    def _read(
        self,
        token_ids: Sequence[int],
        position: int,
        observer: Observer | None,
        hidden: torch.Tensor | None,
        num_logits: int,
    ) -> torch.Tensor:
        """Reads tokens that stand from `position` on; logits after the last `num_logits`."""
        first_wanted = len(token_ids) - num_logits
        logits = [torch.empty(0, self.model.config.vocab_size)]
        for start in range(0, len(token_ids), _CHUNK):
            chunk = torch.tensor(token_ids[start : start + _CHUNK])
            attention = _Chunk(self, position + start, observer, hidden)
            positions = torch.arange(position + start, position + start + len(chunk))
            wanted = torch.arange(min(max(0, first_wanted - start), len(chunk)), len(chunk))
            logits.append(self.model.forward(chunk, positions, attention, wanted).clone())
        return torch.cat(logits)

    def _extend(
        self, layer: int, position: int, keys: torch.Tensor, values: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        end = position + keys.shape[1]
        self._keys[layer, :, position:end] = keys
        self._values[layer, :, position:end] = values
        return self._keys[layer, :, :end], self._values[layer, :, :end]


class _Chunk:
    """The attention of some tokens at `position` (`models.layers.Attention`)."""

    def __init__(
        self,
        reading: Reading,
        position: int,
        observer: Observer | None,
        hidden: torch.Tensor | None,
    ) -> None:
        self._reading = reading
        self._position = position
        self._observer = observer
        self._hidden = hidden

    def __call__(
        self, layer: int, heads: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor
    ) -> torch.Tensor:
        config = self._reading.model.config
        num_heads, num_kv_heads = config.num_heads, config.num_kv_heads
        turned = rotate(
            heads[:, : num_heads + num_kv_heads],
            cos,
            sin,
            heads.new_empty(len(heads), num_heads + num_kv_heads, config.head_dim),
        )
        queries = turned[:, :num_heads].transpose(0, 1)
        keys, values = self._reading._extend(
            layer,
            self._position,
            turned[:, num_heads:].transpose(0, 1),
            heads[:, num_heads + num_kv_heads :].transpose(0, 1),
        )
        grouped = queries.reshape(num_kv_heads, -1, config.head_dim) * config.head_dim**-0.5
        scores = torch.bmm(grouped, keys.transpose(1, 2))
        scores = scores.view(num_kv_heads, num_heads // num_kv_heads, len(heads), -1)
        self._hide(layer, scores)
        attention = torch.softmax(scores, dim=-1)
        if self._observer is not None:
            of_context = attention[..., : self._reading.num_context]
            place = self._position - self._reading.num_context
            self._observer(layer, place, queries, of_context)
        attended = torch.bmm(attention.view(num_kv_heads, -1, keys.shape[1]), values)
        by_head = attended.view(num_heads, len(heads), config.head_dim)
        return by_head.transpose(0, 1).reshape(len(heads), -1)

    def _hide(self, layer: int, scores: torch.Tensor) -> None:
        """Takes out what comes later, what is beyond a sliding window, and what is denied."""
        num_tokens, num_keys = scores.shape[-2:]
        sliding_window = self._reading.model.config.sliding_window
        first = self._position if sliding_window is None else 0
        positions = self._position + torch.arange(num_tokens)[:, None]
        places = torch.arange(first, num_keys)
        unseen = places > positions
        if sliding_window is not None:
            unseen |= places <= positions - sliding_window
        scores[..., first:].masked_fill_(unseen, float("-inf"))
        if self._hidden is not None:
            denied = self._hidden[layer][:, None, None]
            scores[..., : denied.shape[-1]] += denied
