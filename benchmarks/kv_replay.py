"""A constraint that leaves no choice: an answer known beforehand, written one token a step.

With it every policy writes the same tokens, so that what the model thought of each (from the raw
logits) and the time of a step can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class Replay:
    """Forces `opening` at once and then `token_ids`, one decision each (`engine.Constraint`)."""

    def __init__(self, opening: Sequence[int], token_ids: Sequence[int]) -> None:
        self._opening = list(opening)
        self._token_ids = [*opening, *token_ids]
        self._place = 0

    @property
    def num_tokens(self) -> int:
        """Of the whole answer, its opening included."""
        return len(self._token_ids)

    @property
    def next_token(self) -> int:
        return self._token_ids[self._place]

    @property
    def is_accepting(self) -> bool:
        return self._place == len(self._token_ids)

    @property
    def is_finished(self) -> bool:
        return self.is_accepting

    def fill_mask(self, mask_row: NDArray[np.int32]) -> None:
        mask_row[:] = 0
        mask_row.view(np.uint32)[self.next_token >> 5] = 1 << (self.next_token & 31)

    def advance(self, *token_ids: int) -> None:
        self._place += len(token_ids)

    def rollback(self, num_tokens: int) -> None:
        self._place -= num_tokens

    def forced_tokens(self) -> list[int]:
        return [] if self._place else self._opening
