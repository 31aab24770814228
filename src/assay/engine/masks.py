"""Which tokens each deciding sequence may take, found while the model runs.

Once a step is scheduled, the constraints that will choose a token at its end stand still until
then. So their masks are filled on a thread of their own during the forward pass, and waited for
before sampling.
"""

from __future__ import annotations

from collections.abc import Sequence as Seq
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from assay.decoding.masks import BatchFiller, MaskJob
from assay.decoding.matcher import Matcher
from assay.engine.sequence import Constraint
from assay.errors import AssayError


@dataclass(frozen=True, slots=True)
class Deciding:
    """A sequence that is to choose a token after each of `1 + len(draft)` positions."""

    constraint: Constraint | None
    draft: Seq[int] = ()


@dataclass(frozen=True, slots=True)
class Legality:
    """`masks` `(num_rows, num_words)`, a row a position, or None where all is legal; and the
    sequences whose constraint failed, by their place among those deciding."""

    masks: NDArray[np.int32] | None
    failed: dict[int, AssayError]


class MaskFiller:
    """Owns the buffer of the masks and the thread; one step at a time."""

    def __init__(self, vocab_size: int) -> None:
        self._num_words = (vocab_size + 31) // 32
        self._buffer = np.zeros((0, self._num_words), dtype=np.int32)
        self._together = BatchFiller()
        self._thread: ThreadPoolExecutor | None = None

    def begin(self, deciding: Seq[Deciding]) -> Future[Legality]:
        """Starts on the masks of one step. The result is valid until the next call.

        The constraints may not be touched until it is there.
        """
        if all(item.constraint is None for item in deciding):
            done: Future[Legality] = Future()
            done.set_result(Legality(None, {}))
            return done
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, "assay-masks")
        return self._thread.submit(partial(self._fill, tuple(deciding)))

    def _fill(self, deciding: tuple[Deciding, ...]) -> Legality:
        num_rows = sum(1 + len(item.draft) for item in deciding)
        if num_rows > len(self._buffer):
            self._buffer = np.zeros((2 * num_rows, self._num_words), dtype=np.int32)
        masks = self._buffer[:num_rows]
        failed: dict[int, AssayError] = {}
        jobs: list[MaskJob] = []
        places: dict[int, int] = {}
        row = 0
        for place, item in enumerate(deciding):
            if isinstance(item.constraint, Matcher):
                places[row] = place
                jobs.append(MaskJob(item.constraint, row, item.draft))
            elif item.constraint is None:
                masks[row : row + 1 + len(item.draft)] = -1
            else:
                try:
                    _fill_one(item.constraint, item.draft, masks[row:])
                except AssayError as error:
                    failed[place] = error
            row += 1 + len(item.draft)
        for row, failure in self._together.fill(jobs, masks).items():
            failed[places[row]] = failure
        return Legality(masks, failed)


def _fill_one(constraint: Constraint, draft: Seq[int], masks: NDArray[np.int32]) -> None:
    constraint.fill_mask(masks[0])
    for row, token_id in enumerate(draft, 1):
        constraint.advance(token_id)
        constraint.fill_mask(masks[row])
    if draft:
        constraint.rollback(len(draft))
