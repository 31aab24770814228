"""Logits and legality into the next token of each sequence, with how sure the model was.

The distribution reported (`logprob`, `margin`, `alternatives`) is the model's own, at temperature
1, renormalised over the tokens that the constraint allows; `temperature` and `top_p` only decide
which token is drawn from it.

Where a constraint leaves few tokens, as in a span copied from a source, only those logits are
read. One uniform number is drawn a token from the sequence's own stream, so that an answer does
not depend on the batch.
"""

from __future__ import annotations

import math
from collections.abc import Sequence as Seq
from dataclasses import dataclass
from random import Random

import numpy as np
import torch
from numpy.typing import NDArray

from assay.types import SamplingParams

# A mask row with at most this share of words set is read token by token.
_SPARSE_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class SampledToken:
    """A choice among `num_legal` tokens. See `GeneratedToken` for the other fields."""

    token_id: int
    logprob: float
    margin: float
    alternatives: tuple[tuple[int, float], ...]
    num_legal: int


@dataclass(frozen=True, slots=True)
class _Candidates:
    """The part of a row that matters: the legal tokens, or the best of them if greedy.

    `log_z` is the log of the normaliser over *all* legal tokens.
    """

    token_ids: NDArray[np.int64]
    logits: NDArray[np.float64]
    log_z: float
    num_legal: int


@torch.inference_mode()
def sample(
    logits: torch.Tensor,
    masks: NDArray[np.int32] | None,
    params: Seq[SamplingParams],
    randoms: Seq[Random],
) -> list[SampledToken | None]:
    """Chooses one token a row.

    Parameters are taken to be in range; back ends check them.

    Args:
        logits: `(num_rows, vocab_size)`, float32; its content is lost.
        masks: `(num_rows, ceil(vocab_size / 32))`, bit `t % 32` of word `t // 32` set iff token
            `t` is legal; None if all are.

    Returns:
        One entry a row; None where no token is legal. A row of logits that are not finite numbers
        has a `logprob` that is not one either.
    """
    num_rows = logits.shape[0]
    candidates: list[_Candidates | None] = [None] * num_rows
    dense = list(range(num_rows))
    if masks is not None:
        num_set = np.count_nonzero(masks, axis=1)
        is_sparse = num_set <= _SPARSE_SHARE * masks.shape[1]
        dense = np.flatnonzero(~is_sparse).tolist()
        sparse = np.flatnonzero(is_sparse).tolist()
        for row, found in zip(sparse, _read_sparse(logits, masks, sparse), strict=True):
            candidates[row] = found
    if dense:
        dense_params = [params[row] for row in dense]
        for row, found in zip(dense, _read_dense(logits, masks, dense, dense_params), strict=True):
            candidates[row] = found
    return [
        None if found is None or found.num_legal == 0 else _choose(found, param, random)
        for found, param, random in zip(candidates, params, randoms, strict=True)
    ]


def _read_sparse(
    logits: torch.Tensor, masks: NDArray[np.int32], rows: list[int]
) -> list[_Candidates]:
    vocab_size = logits.shape[1]
    table = logits.numpy()
    result = []
    for row in rows:
        words = np.flatnonzero(masks[row])
        bits = np.unpackbits(masks[row, words].view(np.uint8), bitorder="little")
        flat = np.flatnonzero(bits)
        token_ids = words[flat >> 5] * 32 + (flat & 31)
        token_ids = token_ids[token_ids < vocab_size]
        values = table[row, token_ids].astype(np.float64)
        log_z = 0.0
        if len(values):
            peak = float(values.max())
            log_z = peak + math.log(float(np.exp(values - peak).sum()))
        result.append(_Candidates(token_ids, values, log_z, len(token_ids)))
    return result


def _read_dense(
    logits: torch.Tensor,
    masks: NDArray[np.int32] | None,
    rows: list[int],
    params: list[SamplingParams],
) -> list[_Candidates]:
    vocab_size = logits.shape[1]
    table = logits if len(rows) == logits.shape[0] else logits[rows]
    num_legal = [vocab_size] * len(rows)
    if masks is not None:
        bits = np.unpackbits(
            masks[rows].view(np.uint8), axis=1, bitorder="little", count=vocab_size
        )
        num_legal = np.count_nonzero(bits, axis=1).tolist()
        np.logical_not(bits, out=bits)
        table.masked_fill_(torch.from_numpy(bits.view(np.bool_)), -math.inf)
    num_best = min(vocab_size, 2 + max(param.num_logprobs for param in params))
    values, token_ids = torch.topk(table, num_best, dim=-1)
    sampled_rows = {
        index: table[index].numpy().astype(np.float64)
        for index, param in enumerate(params)
        if param.temperature > 0
    }
    peaks = values[:, :1]
    sums = table.sub_(peaks).exp_().sum(-1, dtype=torch.float64)
    log_z = (sums.log() + peaks[:, 0].double()).tolist()
    best_ids, best_values = token_ids.numpy(), values.double().numpy()
    result = []
    for index in range(len(rows)):
        if index in sampled_rows:
            legal = np.flatnonzero(sampled_rows[index] > -math.inf)
            scores = sampled_rows[index][legal]
        else:
            keep = best_values[index] > -math.inf
            legal, scores = best_ids[index][keep], best_values[index][keep]
        result.append(_Candidates(legal, scores, log_z[index], num_legal[index]))
    return result


def _choose(candidates: _Candidates, params: SamplingParams, random: Random) -> SampledToken:
    """Draws one of the candidates. Equal logits go to the lower token id when greedy."""
    scores, token_ids = candidates.logits, candidates.token_ids
    if not math.isfinite(candidates.log_z):
        return SampledToken(0, math.nan, math.nan, (), candidates.num_legal)
    num_best = min(len(scores), 2 + params.num_logprobs)
    if num_best < len(scores):
        best = np.argpartition(scores, len(scores) - num_best)[len(scores) - num_best :]
    else:
        best = np.arange(len(scores))
    best = best[np.lexsort((token_ids[best], -scores[best]))]
    chosen = int(best[0]) if params.temperature == 0 else _draw(scores, params, random)
    others = [int(index) for index in best if index != chosen]
    logprobs = scores - candidates.log_z if len(scores) <= num_best else None

    def logprob_of(index: int) -> float:
        if candidates.num_legal == 1:
            return 0.0
        value = logprobs[index] if logprobs is not None else scores[index] - candidates.log_z
        return min(float(value), 0.0) + 0.0

    logprob = logprob_of(chosen)
    best_other = math.exp(logprob_of(others[0])) if others else 0.0
    return SampledToken(
        token_id=int(token_ids[chosen]),
        logprob=logprob,
        margin=math.exp(logprob) - best_other,
        alternatives=tuple(
            (int(token_ids[index]), logprob_of(index)) for index in others[: params.num_logprobs]
        ),
        num_legal=candidates.num_legal,
    )


def _draw(scores: NDArray[np.float64], params: SamplingParams, random: Random) -> int:
    """The index of one score, drawn at `temperature` from the `top_p` nucleus."""
    uniform = random.random()
    weights = np.exp((scores - scores.max()) / params.temperature)
    order = np.argsort(-weights, kind="stable")
    cumulative = np.cumsum(weights[order])
    cumulative /= cumulative[-1]
    num_kept = len(order)
    if params.top_p < 1:
        num_kept = min(num_kept, int(np.searchsorted(cumulative, params.top_p)) + 1)
    place = int(np.searchsorted(cumulative, uniform * cumulative[num_kept - 1], side="right"))
    return int(order[min(place, num_kept - 1)])
