"""The likeliest legal token of each of many rows of logits, and what tells how sure it is.

A constraint mostly leaves few tokens. The rows where it does are taken together and only the legal
logits are read; where most are legal, a row passes through the processor's cache once. Compiled
(`kernels.native.find_likeliest`), both are one loop that the rows are shared out in.
"""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Sequence as Seq
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.kernels import native

if TYPE_CHECKING:
    import torch

    from assay.models.layers import Kernels

# The token, the number of legal ones, the sum of `exp(logit - peak)` over them, the sum of that
# times `logit - peak`, `peak` (its logit) and the next highest logit. If no token is legal the
# number is 0 and nothing else counts.
Likeliest = tuple[int, int, float, float, float, float]
FindLikeliest = Callable[
    ["torch.Tensor", NDArray[np.int32] | None, Seq[int]],
    list[Likeliest],
]

# Rows with more mask words than this that allow a token are read whole.
_MAX_SPARSE_WORDS = 512
_NONE_LEGAL: Likeliest = (0, 0, 0.0, 0.0, -np.inf, -np.inf)
# No logit counts as further below the peak than this, where its weight is as good as none.
_FAR_BELOW = np.float32(-100.0)


def find_likeliest_with(kernels: Kernels) -> FindLikeliest:
    """What finds the likeliest tokens where the engine runs `kernels`."""
    return native.find_likeliest if kernels == "native" else find_likeliest


def find_likeliest(
    logits: torch.Tensor, masks: NDArray[np.int32] | None, rows: Seq[int]
) -> list[Likeliest]:
    """The likeliest legal token in each of `rows`, ascending; the lowest of equally likely ones.

    `logits` and `masks` are as in `sampler.sample`; they are not written to. Where a legal logit is
    not a finite number, neither is the peak or the sum.
    """
    scores: NDArray[np.float32] = logits.numpy()
    if masks is None:
        return [_read_whole(scores[row], None) for row in rows]
    # Where rows have few words that allow a token, and those words.
    owners, words = np.divmod(np.flatnonzero(masks.ravel() != 0), masks.shape[1])
    is_sparse = np.bincount(owners, minlength=len(scores)) <= _MAX_SPARSE_WORDS
    is_read = np.zeros(len(scores), dtype=np.bool_)
    is_read[list(rows)] = True
    kept = (is_sparse & is_read)[owners]
    found = _read_legal(scores, masks, owners[kept], words[kept])
    return [
        found.get(row, _NONE_LEGAL) if is_sparse[row] else _read_whole(scores[row], masks[row])
        for row in rows
    ]


def _read_legal(
    scores: NDArray[np.float32],
    masks: NDArray[np.int32],
    owners: NDArray[np.int64],
    words: NDArray[np.int64],
) -> dict[int, Likeliest]:
    """The rows in `owners` of which a token is legal, all at once, reading only what is legal.

    `masks[owners, words]` are the words with a bit set, in ascending order.
    """
    which, token_ids = _legal_pairs(masks, owners, words, scores.shape[1])
    if len(which) == 0:
        return {}
    counts = np.bincount(which)
    filled = np.flatnonzero(counts)
    lengths = counts[filled]
    starts = np.cumsum(lengths) - lengths
    legal = scores[which, token_ids]
    peaks = np.maximum.reduceat(legal, starts)
    with np.errstate(invalid="ignore", over="ignore"):
        below = legal - np.repeat(peaks, lengths)
        weights = np.exp(below)
    totals = np.add.reduceat(weights, starts, dtype=np.float64)
    spreads = np.add.reduceat(weights * np.maximum(below, _FAR_BELOW), starts, dtype=np.float64)
    best = _first_of_each(legal == np.repeat(peaks, lengths), starts)
    others = legal.copy()
    others[best] = -np.inf
    seconds = np.maximum.reduceat(others, starts)
    columns = (token_ids[best], lengths, totals, spreads, peaks, seconds)
    found = zip(*(column.tolist() for column in columns), strict=True)
    return dict(zip(filled.tolist(), found, strict=True))


def _read_whole(row: NDArray[np.float32], mask: NDArray[np.int32] | None) -> Likeliest:
    """A row that allows most of the vocabulary, or all of it."""
    vocab_size = len(row)
    if mask is None:
        scores, num_legal = row.copy(), vocab_size
    else:
        octets = mask.view(np.uint8)[: -(-vocab_size // 8)]
        legal = np.take(_BOUNDS, octets, axis=0, mode="clip").reshape(-1)[:vocab_size]
        # Of a number and none the number: what is not legal does not count, whatever it is.
        scores, num_legal = np.fmin(row, legal), int(np.count_nonzero(legal > 0))
    best = int(scores.argmax())
    peak = float(scores[best])
    with np.errstate(invalid="ignore", over="ignore"):
        below = scores - np.float32(peak)
    weights = np.exp(below)
    total = float(weights.sum())
    spread = float(np.dot(weights, np.maximum(below, _FAR_BELOW, out=below)))
    scores[best] = -np.inf
    return best, num_legal, total, spread, peak, float(scores.max())


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
