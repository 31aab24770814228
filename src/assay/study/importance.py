"""Which feed-forward blocks matter to a request: gradient times activation.

A block is a layer's MLP, or one of several equal groups of its neurons. What it writes at a token,
times the gradient of the answer's log-likelihood, is to first order what the answer would lose
without it (https://arxiv.org/abs/1611.06440); a block's importance is the sum of the sizes of that
over the tokens. The answer is the one that the model itself gives, greedily.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

from assay.errors import ConfigError
from assay.models.tokenizer import Tokenizer
from assay.study.decoder import FloatDecoder, Watch
from assay.types import Message
from assay.units.unit import DEFAULT_SYSTEM

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """The tokens of a request as a user's message, and of the model's answer."""

    prompt: tuple[int, ...]
    answer: tuple[int, ...]


class BlockMeter:
    """Measures blocks of one model. `num_groups` divides the neurons of a layer; groups are runs of
    neighbours, since nothing orders neurons.

    Raises:
        ConfigError: `num_groups` does not divide a layer's neurons.
    """

    def __init__(
        self,
        decoder: FloatDecoder,
        tokenizer: Tokenizer,
        *,
        num_groups: int = 1,
        num_answer_tokens: int = 8,
    ) -> None:
        size = decoder.config.intermediate_size
        if size % num_groups:
            raise ConfigError(f"{size} neurons a layer cannot be put into {num_groups} groups")
        self._decoder = decoder
        self._tokenizer = tokenizer
        self._num_groups = num_groups
        self._num_answer_tokens = num_answer_tokens

    def ask(self, text: str) -> Asked:
        """A request with the model's answer to it, as long as `num_answer_tokens` at most."""
        messages = [Message("system", DEFAULT_SYSTEM), Message("user", text)]
        prompt = self._tokenizer.encode_prompt(messages).token_ids
        tokens = list(prompt)
        with torch.no_grad():
            for _ in range(self._num_answer_tokens):
                following = int(self._decoder.logits(torch.tensor(tokens), 1).argmax())
                tokens.append(following)
                if following in self._tokenizer.eos_token_ids:
                    break
        return Asked(tuple(prompt), tuple(tokens[len(prompt) :]))

    def importance(self, asked: Asked) -> Floats:
        """The importance of each block to an answer, `(num_layers * num_groups,)`, layer by
        layer."""
        inside: list[torch.Tensor] = []

        def watch(_layer: int, activations: torch.Tensor) -> torch.Tensor:
            inside.append(activations)
            return activations

        likelihood = self._likelihood(asked, watch)
        gradients = torch.autograd.grad(likelihood, inside)
        found = [
            (activations * gradient).view(len(gradient), self._num_groups, -1).sum(-1).abs().sum(0)
            for activations, gradient in zip(inside, gradients, strict=True)
        ]
        return torch.cat(found).detach().double().numpy()

    def losses(self, asked: Asked) -> Floats:
        """By how much an answer's log-likelihood changes without each block, `(num_layers *
        num_groups,)`: what `importance` only estimates, at a pass a block."""
        with torch.no_grad():
            whole = self._likelihood(asked)
            return np.array(
                [
                    float(whole - self._likelihood(asked, self._without(layer, group)))
                    for layer in range(self._decoder.config.num_layers)
                    for group in range(self._num_groups)
                ]
            )

    def _without(self, silent: int, group: int) -> _Silence:
        size = self._decoder.config.intermediate_size // self._num_groups
        return _Silence(silent, slice(group * size, (group + 1) * size))

    def _likelihood(self, asked: Asked, watch: Watch | None = None) -> torch.Tensor:
        tokens = torch.tensor([*asked.prompt, *asked.answer])
        logits = self._decoder.logits(tokens[:-1], len(asked.answer), watch)
        logarithms = torch.log_softmax(logits, dim=-1)
        return logarithms.gather(1, tokens[len(asked.prompt) :, None]).sum()


@dataclass(frozen=True, slots=True)
class _Silence:
    """Takes out some neurons of one layer."""

    layer: int
    neurons: slice

    def __call__(self, layer: int, activations: torch.Tensor) -> torch.Tensor:
        if layer != self.layer:
            return activations
        silenced = activations.clone()
        silenced[:, self.neurons] = 0
        return silenced


def measure_all(meter: BlockMeter, texts: Sequence[str]) -> Iterator[tuple[Asked, Floats]]:
    """Each request with its answer and the importance of each block to it."""
    for text in texts:
        asked = meter.ask(text)
        yield asked, meter.importance(asked)
