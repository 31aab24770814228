"""The legal tokens of many answers at once.

llguidance's single calls hold the interpreter lock; its executor does not. So a thread that fills
the masks of a whole step leaves the one that runs the model alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assay.decoding.matcher import Matcher
from assay.errors import AssayError

if TYPE_CHECKING:
    import numpy as np
    from llguidance import LLExecutor
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class MaskJob:
    """Rows `row` and following: what may come next, and what may after each token of `draft`.

    The draft's tokens are legal one after the other.
    """

    matcher: Matcher
    row: int
    draft: Sequence[int] = ()

    @property
    def num_rows(self) -> int:
        return 1 + len(self.draft)


class BatchFiller:
    """Fills masks on `num_threads` threads; the calling thread waits without the lock."""

    def __init__(self, num_threads: int = 1) -> None:
        self._num_threads = num_threads
        self._made: LLExecutor | None = None

    def fill(self, jobs: Sequence[MaskJob], masks: NDArray[np.int32]) -> dict[int, AssayError]:
        """Writes the rows that `jobs` name, each as `Matcher.fill_mask` would.

        `masks` is `(num_rows, num_mask_words)`, int32, contiguous. The matchers' states are
        unchanged; no one else may use them meanwhile. Returns the errors of the matchers that
        failed, by the row of their job.
        """
        if not jobs:
            return {}
        size = (masks.ctypes.data, masks.shape[1] * masks.itemsize, len(masks))
        plain = [(job.matcher.raw, job.row) for job in jobs if not job.draft]
        drafted = [(job.matcher.raw, job.row, list(job.draft)) for job in jobs if job.draft]
        if plain:
            self._executor.unsafe_compute_mask_ptr(plain, *size)
        if drafted:
            self._executor.unsafe_compute_mask_ptr_with_draft_token(drafted, *size)
        failed: dict[int, AssayError] = {}
        for job in jobs:
            try:
                job.matcher.check()
            except AssayError as error:
                failed[job.row] = error
        return failed

    @property
    def _executor(self) -> LLExecutor:
        if self._made is None:
            from llguidance import LLExecutor

            self._made = LLExecutor(self._num_threads)
        return self._made
