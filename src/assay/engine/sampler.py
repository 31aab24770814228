"""Logits and legality into the next token of each row, with how sure the model was.

The distribution reported (`logprob`, `margin`, `entropy`, `alternatives`) is the model's own, at
temperature 1, renormalised over the tokens that the constraint allows; `temperature` and `top_p`
only decide which token is drawn from it (`engine/draw.py`). Greedy rows are read together
(`engine/greedy.py`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence as Seq
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from assay.engine.draw import MIN_TEMPERATURE, SampledToken, draw_token, not_a_number
from assay.engine.greedy import FindLikeliest, find_likeliest
from assay.types import SamplingParams

if TYPE_CHECKING:
    import torch


def sample(
    logits: torch.Tensor,
    masks: NDArray[np.int32] | None,
    params: Seq[SamplingParams],
    randoms: Seq[Random],
    find: FindLikeliest = find_likeliest,
) -> list[SampledToken | None]:
    """Chooses one token a row. Parameters are taken to be in range; back ends check them.

    Args:
        logits: `(num_rows, vocab_size)`, float32, contiguous; not written to.
        masks: `(num_rows, num_words)`, contiguous, at least `ceil(vocab_size / 32)` words: bit
            `t % 32` of word `t // 32` set iff token `t` is legal; None if all are.
        find: what reads the greedy rows (`greedy.find_likeliest_with`).

    Returns:
        One entry a row; None where no token is legal. A row of logits that are not finite numbers
        has a `logprob` that is not one either.
    """
    logits = logits.detach()
    tokens: list[SampledToken | None] = [None] * len(params)
    greedy = []
    for row, item in enumerate(params):
        if item.temperature < MIN_TEMPERATURE and item.num_logprobs == 0:
            greedy.append(row)
        else:
            mask = None if masks is None else masks[row]
            tokens[row] = draw_token(logits[row].numpy(), mask, item, randoms[row])
    for row, found in zip(greedy, find(logits, masks, greedy), strict=True):
        tokens[row] = _choice(*found)
    return tokens


def _choice(
    token_id: int, num_legal: int, total: float, spread: float, peak: float, second: float
) -> SampledToken | None:
    """The choice of the likeliest token (`greedy.Likeliest`)."""
    if num_legal == 0:
        return None
    if not (math.isfinite(peak) and math.isfinite(total)):
        return not_a_number(num_legal)
    if num_legal == 1:
        return SampledToken(token_id, 0.0, 1.0, (), 1)
    probability = 1 / total
    margin = probability - probability * math.exp(min(second - peak, 0.0))
    log_total = math.log(total)
    entropy = max(log_total - spread / total, 0.0)
    return SampledToken(token_id, min(-log_total, 0.0), margin, (), num_legal, entropy)
