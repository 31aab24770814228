"""Fits the router of attention modes (`kv_cache.policies.router` runs it)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional as F

from assay.kv_cache.policies.local_global import key_nodes
from assay.kv_cache.policies.router import Mode, Router, mean_queries
from assay.training.measures import NUM_SINK, quotation_nll
from assay.training.recording import Asked, Recording

#: The local window before the answer, and how many tokens share a key node.
LOCAL_WINDOW, NODE_RUN = 512, 64
#: A mode is good enough when it covers this much of the attention. At 0.95 a fifth of the pairs is
#: spared instead of a twentieth, but a token of a quotation costs two thirds more nats.
MIN_COVERAGE = 0.99
_NUM_STEPS = 400
_LEARNING_RATE = 3e-2
_WEIGHT_DECAY = 0.3


@dataclass(frozen=True, slots=True)
class RouterFigures:
    """On documents held out: the shares of heads in each mode, how often the mode is the cheapest
    one that covers enough, how often it covers enough, the share of the dense number of query-key
    pairs that is attended, and nats a token of the quotations with the modes and with all pairs."""

    shares: Mapping[str, float]
    accuracy: float
    covered: float
    attended: float
    nll: float
    full_nll: float


def visible(recording: Recording, asked: Asked) -> torch.Tensor:
    """Which pairs of the context each mode sees, bool `(3, num_layers, num_kv_heads,
    num_context)`."""
    keys = recording.reading.keys
    num_context = keys.shape[2]
    local = torch.zeros(num_context, dtype=torch.bool)
    local[:NUM_SINK] = True
    local[max(0, num_context + len(asked.prompt) - LOCAL_WINDOW) :] = True
    modes = local.expand(3, *keys.shape[:3]).clone()
    modes[Mode.GLOBAL] |= key_nodes(keys, NODE_RUN)
    modes[Mode.FULL] = True
    return modes


def cheapest_mode(recording: Recording, asked: Asked) -> tuple[torch.Tensor, torch.Tensor]:
    """The cheapest mode that covers `MIN_COVERAGE`, int64 `(num_layers, num_kv_heads)`, and whether
    each covers that, bool `(3, num_layers, num_kv_heads)`."""
    num_queries = len(asked.answer) + 1
    missed = (asked.mass * ~visible(recording, asked)).sum(-1) / num_queries
    covered = missed <= 1 - MIN_COVERAGE
    return covered.to(torch.int8).argmax(0), covered


@dataclass(frozen=True, slots=True)
class Routed:
    """A question to train on: `features` `(num_layers, num_kv_heads, group * head_dim)`, and the
    cheapest mode of each head."""

    features: torch.Tensor
    cheapest: torch.Tensor


def routed(recording: Recording) -> list[Routed]:
    """What there is to learn from each question of a recording."""
    num_kv_heads = recording.reading.keys.shape[1]
    return [
        Routed(mean_queries(asked.queries, num_kv_heads), cheapest_mode(recording, asked)[0])
        for asked in recording.asked
    ]


def fit_router(
    questions: Sequence[Routed], seed: int, tell: Callable[[str], None]
) -> Mapping[str, NDArray[np.float32]]:
    """Trains on all questions at once by cross-entropy; returns the weights as `Router` takes
    them."""
    features = torch.stack([item.features for item in questions], dim=2)
    targets = torch.stack([item.cheapest for item in questions], dim=2)
    mean, deviation = features.mean(2, keepdim=True), features.std(2, keepdim=True) + 1e-3
    standard = (features - mean) / deviation
    generator = torch.Generator().manual_seed(seed)
    shape = (*features.shape[:2], features.shape[3], len(Mode))
    linear = (torch.randn(shape, generator=generator) * 1e-2).requires_grad_()
    bias = torch.zeros(*shape[:2], 1, len(Mode), requires_grad=True)
    groups = [
        {"params": [linear], "weight_decay": _WEIGHT_DECAY},
        {"params": [bias], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=_LEARNING_RATE)
    for step in range(_NUM_STEPS):
        logits = standard @ linear + bias
        loss = F.cross_entropy(logits.flatten(0, 2), targets.flatten())
        optimizer.zero_grad()
        torch.autograd.backward(loss)
        optimizer.step()
        if step % 100 == 99:
            tell(
                f"router: step {step + 1} of {_NUM_STEPS}, cross-entropy {float(loss.detach()):.3f}"
            )
    with torch.no_grad():
        folded = linear / deviation.transpose(2, 3)
        return {"linear": folded.numpy(), "bias": (bias - mean @ folded)[:, :, 0].numpy()}


class RouterTally:
    """Sums up what the router's modes come to, question by question."""

    def __init__(self, router: Router) -> None:
        self._router = router
        self._shares = torch.zeros(len(Mode))
        self._sums = torch.zeros(3)
        self._nll = self._full_nll = 0.0
        self._num_questions = self._num_tokens = 0

    def add(self, recording: Recording) -> None:
        """Measures the questions of a recording."""
        for asked in recording.asked:
            modes = self._router.modes(asked.queries).long()
            cheapest, covered = cheapest_mode(recording, asked)
            masks = visible(recording, asked)
            seen = masks.gather(0, modes[None, ..., None].expand(1, *masks.shape[1:]))[0]
            enough = covered.gather(0, modes[None])
            self._shares += F.one_hot(modes, len(Mode)).float().mean((0, 1))
            self._sums += torch.tensor(
                [
                    float((modes == cheapest).float().mean()),
                    float(enough.float().mean()),
                    attended_share(seen, asked),
                ]
            )
            self._full_nll += quotation_nll(recording.reading, asked, None) * asked.num_quoted
            self._nll += quotation_nll(recording.reading, asked, seen) * asked.num_quoted
            self._num_questions += 1
            self._num_tokens += asked.num_quoted

    def figures(self) -> RouterFigures:
        accuracy, covered, attended = (self._sums / self._num_questions).tolist()
        shares = (self._shares / self._num_questions).tolist()
        return RouterFigures(
            {mode.name.lower(): share for mode, share in zip(Mode, shares, strict=True)},
            accuracy,
            covered,
            attended,
            self._nll / self._num_tokens,
            self._full_nll / self._num_tokens,
        )


def attended_share(seen: torch.Tensor, asked: Asked) -> float:
    """Query-key pairs of the answer's tokens where `seen` is all they see of the context, as a
    share of the dense number."""
    num_context = seen.shape[-1]
    own = len(asked.prompt) + (len(asked.answer) + 1) / 2
    return float((seen.float().sum(-1).mean() + own) / (num_context + own))
