"""One row of logits into one token, drawn at a temperature, or with its runners-up reported.

The distribution reported is the model's own, at temperature 1, over the legal tokens. One uniform
number is drawn a token from the sequence's own stream, so that an answer does not depend on the
batch.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from assay.types import SamplingParams

# Below this the likeliest token is taken: logits in float32 are not told apart more finely.
MIN_TEMPERATURE = 1e-4

# How many of the likeliest tokens are sorted first when looking for a nucleus.
_NUM_SORTED = 1024


@dataclass(slots=True)
class SampledToken:
    """A choice among `num_legal` tokens. See `GeneratedToken` for the other fields."""

    token_id: int
    logprob: float
    margin: float
    alternatives: tuple[tuple[int, float], ...]
    num_legal: int
    entropy: float = 0.0


def not_a_number(num_legal: int) -> SampledToken:
    """What stands for a choice among logits that are not finite numbers."""
    return SampledToken(0, math.nan, math.nan, (), num_legal)


def draw_token(
    row: NDArray[np.float32], mask: NDArray[np.int32] | None, params: SamplingParams, random: Random
) -> SampledToken | None:
    """As `sampler.sample`, for one row and any parameters."""
    legal = None if mask is None else _legal_tokens(mask, len(row))
    scores = row if legal is None else row[legal]
    if len(scores) == 0:
        return None
    peak = float(scores.max())
    with np.errstate(invalid="ignore", over="ignore"):
        weights = np.exp(scores - np.float32(peak))
    log_z = peak + math.log(weights.sum(dtype=np.float64))
    if not math.isfinite(log_z):
        return not_a_number(len(scores))
    total = float(weights.sum(dtype=np.float64))
    entropy = max(log_z - float(np.dot(weights, np.maximum(scores, peak - 100.0))) / total, 0.0)
    best = _best(scores, 2 + params.num_logprobs)
    is_greedy = params.temperature < MIN_TEMPERATURE
    chosen = best[0] if is_greedy else _draw(scores, params, random)

    def token(index: int) -> int:
        return index if legal is None else int(legal[index])

    def logprob(index: int) -> float:
        return 0.0 if len(scores) == 1 else min(float(scores[index]) - log_z, 0.0)

    others = [index for index in best if index != chosen]
    best_other = math.exp(logprob(others[0])) if others else 0.0
    return SampledToken(
        token_id=token(chosen),
        logprob=logprob(chosen),
        margin=math.exp(logprob(chosen)) - best_other,
        alternatives=tuple(
            (token(index), logprob(index)) for index in others[: params.num_logprobs]
        ),
        num_legal=len(scores),
        entropy=entropy,
    )


def _legal_tokens(mask: NDArray[np.int32], vocab_size: int) -> NDArray[np.int64]:
    bits = np.unpackbits(
        mask.view(np.uint8), bitorder="little", count=min(32 * len(mask), vocab_size)
    )
    return np.flatnonzero(bits.view(np.bool_))


def _best(scores: NDArray[np.float32], count: int) -> list[int]:
    """The indices of the `count` greatest, greatest first; of equal ones the lower index first."""
    # A maximum is a fraction of a partition's cost, and few are asked for.
    rest, best = scores.copy(), []
    for _ in range(min(count, len(scores))):
        best.append(int(rest.argmax()))
        rest[best[-1]] = -np.inf
    return best


def _draw(scores: NDArray[np.float32], params: SamplingParams, random: Random) -> int:
    """The index of one score, drawn at `temperature` from the `top_p` nucleus."""
    uniform = random.random()
    weights = np.exp((scores - scores.max()) / np.float32(params.temperature))
    kept = None if params.top_p >= 1 else _nucleus(weights, params.top_p)
    cumulative = np.cumsum(weights if kept is None else weights[kept], dtype=np.float64)
    place = int(np.searchsorted(cumulative, uniform * cumulative[-1], side="right"))
    place = min(place, len(cumulative) - 1)
    return place if kept is None else int(kept[place])


def _nucleus(weights: NDArray[np.float32], top_p: float) -> NDArray[np.int64]:
    """The indices of the fewest weights that sum to the share `top_p`, greatest first."""
    goal = top_p * float(weights.sum(dtype=np.float64))
    if len(weights) > _NUM_SORTED:
        likely = np.argpartition(weights, len(weights) - _NUM_SORTED)[-_NUM_SORTED:]
        if weights[likely].sum(dtype=np.float64) < goal:
            likely = np.arange(len(weights))
    else:
        likely = np.arange(len(weights))
    likely = likely[np.argsort(-weights[likely], kind="stable")]
    num_kept = int(np.searchsorted(np.cumsum(weights[likely], dtype=np.float64), goal)) + 1
    return likely[:num_kept]
