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
_MAX_SPARSE_WORDS = 512


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
    dense = greedy
    if masks is not None and greedy:
        # Where rows have few words that allow a token, and those words.
        owners, words = np.divmod(np.flatnonzero(masks.ravel() != 0), masks.shape[1])
        is_sparse = np.bincount(owners, minlength=len(rows)) <= _MAX_SPARSE_WORDS
        dense = [index for index in greedy if not is_sparse[index]]
        if len(dense) < len(rows):
            is_sparse[[index for index in range(len(rows)) if tokens[index] is not None]] = False
            kept = is_sparse[owners]
            _greedy_sparse(rows, masks, owners[kept], words[kept], tokens)
    for index in dense:
        tokens[index] = _greedy_dense(rows[index], None if masks is None else masks[index])
    return tokens


def _greedy_sparse(
    rows: NDArray[np.float32],
    masks: NDArray[np.int32],
    owners: NDArray[np.int64],
    words: NDArray[np.int64],
    tokens: list[SampledToken | None],
) -> None:
    """Writes the likeliest token of each row in `owners`, all at once, reading only what is legal.

    `masks[owners, words]` are the words with a bit set, in ascending order.
    """
    which, token_ids = _legal_pairs(masks, owners, words, rows.shape[1])
    if len(which) == 0:
        return
    counts = np.bincount(which)
    filled = np.flatnonzero(counts)
    lengths = counts[filled]
    starts = np.cumsum(lengths) - lengths
    scores = rows[which, token_ids]
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
        tokens[row] = _choice(*values)


def _greedy_dense(row: NDArray[np.float32], mask: NDArray[np.int32] | None) -> SampledToken:
    """The likeliest token of a row that allows most of the vocabulary, or all of it."""
    vocab_size = len(row)
    if mask is None:
        scores, num_legal = row.copy(), vocab_size
    else:
        octets = mask.view(np.uint8)[: -(-vocab_size // 8)]
        legal = np.take(_BOUNDS, octets, axis=0, mode="clip").reshape(-1)[:vocab_size]
        scores, num_legal = np.minimum(row, legal), int(np.count_nonzero(legal > 0))
    best = int(scores.argmax())
    peak = float(scores[best])
    with np.errstate(invalid="ignore", over="ignore"):
        weights = scores - np.float32(peak)
    total = float(np.exp(weights, out=weights).sum())
    scores[best] = -np.inf
    return _choice(best, peak, float(scores.max()), total, num_legal)


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
    masks: NDArray[np.int32],
    owners: NDArray[np.int64],
    words: NDArray[np.int64],
    vocab_size: int,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The row and the token of each bit set in `masks[owners, words]`, in ascending order."""
    bits = np.unpackbits(masks[owners, words].view(np.uint8), bitorder="little").view(np.bool_)
    places = np.flatnonzero(bits)
    index = places >> 5
    token_ids = (words[index] << 5) + (places & 31)
    which = owners[index]
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
