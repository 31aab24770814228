"""Logits and legality into the next token of each row, with how sure the model was.

The distribution reported (`logprob`, `margin`, `alternatives`) is the model's own, at temperature
1, renormalised over the tokens that the constraint allows; `temperature` and `top_p` only decide
which token is drawn from it (`engine/draw.py`).

A constraint mostly leaves few tokens. The greedy rows where it does are taken together and only
the legal logits are read; where most are legal, a row passes through the processor's cache once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence as Seq
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.engine.draw import MIN_TEMPERATURE, SampledToken, draw_token, not_a_number
from assay.types import SamplingParams

if TYPE_CHECKING:
    import torch

# Rows with more mask words than this that allow a token are read whole.
_MAX_SPARSE_WORDS = 96


def sample(
    logits: torch.Tensor,
    masks: NDArray[np.int32] | None,
    params: Seq[SamplingParams],
    randoms: Seq[Random],
) -> list[SampledToken | None]:
    """Chooses one token a row. Parameters are taken to be in range; back ends check them.

    Args:
        logits: `(num_rows, vocab_size)`, float32; not written to.
        masks: `(num_rows, ceil(vocab_size / 32))`, bit `t % 32` of word `t // 32` set iff token
            `t` is legal; None if all are.

    Returns:
        One entry a row; None where no token is legal. A row of logits that are not finite numbers
        has a `logprob` that is not one either.
    """
    rows: NDArray[np.float32] = logits.detach().numpy()
    tokens: list[SampledToken | None] = [None] * len(rows)
    greedy = []
    for index, item in enumerate(params):
        if item.temperature < MIN_TEMPERATURE and item.num_logprobs == 0:
            greedy.append(index)
        else:
            mask = None if masks is None else masks[index]
            tokens[index] = draw_token(rows[index], mask, item, randoms[index])
    if masks is None:
        dense, sparse = greedy, []
    else:
        num_words = np.count_nonzero(masks, axis=1)
        dense = [index for index in greedy if num_words[index] > _MAX_SPARSE_WORDS]
        sparse = [index for index in greedy if num_words[index] <= _MAX_SPARSE_WORDS]
    if sparse:
        assert masks is not None
        for index, token in zip(sparse, _greedy_sparse(rows, masks, sparse), strict=True):
            tokens[index] = token
    if dense:
        for index, token in zip(dense, _greedy_dense(rows, masks, dense), strict=True):
            tokens[index] = token
    return tokens


def _greedy_sparse(
    rows: NDArray[np.float32], masks: NDArray[np.int32], indices: list[int]
) -> list[SampledToken | None]:
    """The likeliest tokens of the rows `indices`, all at once, reading only what is legal."""
    which, token_ids = _legal_pairs(masks[indices], rows.shape[1])
    counts = np.bincount(which, minlength=len(indices))
    filled = np.flatnonzero(counts)
    chosen: list[SampledToken | None] = [None] * len(indices)
    if len(filled) == 0:
        return chosen
    lengths = counts[filled]
    starts = np.cumsum(lengths) - lengths
    scores = rows[np.asarray(indices)[which], token_ids]
    peaks = np.maximum.reduceat(scores, starts)
    with np.errstate(invalid="ignore", over="ignore"):
        weights = np.exp(scores - np.repeat(peaks, lengths))
    totals = np.add.reduceat(weights, starts, dtype=np.float64)
    best = _first_of_each(scores == np.repeat(peaks, lengths), starts)
    others = scores.copy()
    others[best] = -np.inf
    seconds = np.maximum.reduceat(others, starts)
    columns = (filled, token_ids[best], peaks, seconds, totals, lengths)
    for row, *values in zip(*(column.tolist() for column in columns), strict=True):
        chosen[row] = _choice(*values)
    return chosen


def _greedy_dense(
    rows: NDArray[np.float32], masks: NDArray[np.int32] | None, indices: list[int]
) -> list[SampledToken | None]:
    """The likeliest tokens of the rows `indices`, each of which allows most of the vocabulary."""
    vocab_size = rows.shape[1]
    weights = np.empty(vocab_size, dtype=np.float32)
    bounds = np.empty((-(-vocab_size // 8), 8), dtype=np.float32)
    chosen: list[SampledToken | None] = []
    for index in indices:
        if masks is None:
            scores, num_legal = rows[index].copy(), vocab_size
        else:
            octets = masks[index].view(np.uint8)[: len(bounds)]
            np.take(_BOUNDS, octets, axis=0, out=bounds, mode="clip")
            legal = bounds.reshape(-1)[:vocab_size]
            scores, num_legal = np.minimum(rows[index], legal), int(np.count_nonzero(legal > 0))
        best = int(scores.argmax())
        peak = float(scores[best])
        with np.errstate(invalid="ignore", over="ignore"):
            np.subtract(scores, np.float32(peak), out=weights)
        total = float(np.exp(weights, out=weights).sum())
        scores[best] = -np.inf
        chosen.append(_choice(best, peak, float(scores.max()), total, num_legal))
    return chosen


def _choice(
    token_id: int, peak: float, second: float, total: float, num_legal: int
) -> SampledToken:
    """The likeliest of `num_legal` tokens, from its logit, the next one's and the sum of
    `exp(logit - peak)`."""
    if not (math.isfinite(peak) and math.isfinite(total)):
        return not_a_number(num_legal)
    if num_legal == 1:
        return SampledToken(token_id, 0.0, 1.0, (), 1)
    probability = 1 / total
    margin = probability - probability * math.exp(min(second - peak, 0.0))
    return SampledToken(token_id, min(-math.log(total), 0.0), margin, (), num_legal)


def _legal_pairs(
    masks: NDArray[np.int32], vocab_size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The row and the token of each set bit, in ascending order."""
    rows, words = np.nonzero(masks != 0)
    bits = np.unpackbits(masks[rows, words].view(np.uint8), bitorder="little").view(np.bool_)
    places = np.flatnonzero(bits)
    owners = places >> 5
    token_ids = (words[owners] << 5) + (places & 31)
    which = rows[owners]
    if masks.shape[1] * 32 > vocab_size:
        inside = token_ids < vocab_size
        return which[inside], token_ids[inside]
    return which, token_ids


def _first_of_each(hits: NDArray[np.bool_], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first true place at or after each of `starts`; some place where there is none."""
    places = np.flatnonzero(hits)
    if len(places) == 0:
        return starts
    first = np.searchsorted(places, starts)
    return places[np.minimum(first, len(places) - 1)]


# For each octet of a mask an upper bound on eight logits: none, or minus infinity.
_BOUNDS = np.where(
    np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little"),
    np.float32(np.inf),
    np.float32(-np.inf),
).astype(np.float32)
