"""Fits rows to the terms that prompts have, on a thread of its own.

Nothing waits for it: a prompt whose terms have no row yet is read as it is written. A row that does
not do what the term's tokens do is not used; the term then stays unmerged.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from threading import Condition, Thread

from assay.engine.merging import Tokens
from assay.engine.term_cache import RowCache
from assay.models.composer import Composer
from assay.models.term_rows import TermRows

_logger = logging.getLogger(__name__)

#: Steps of gradient for each row.
NUM_STEPS = 20
#: A row is used if it is no further from its term's tokens (`Likeness.errors`): 1 is as far as
#: terms are from their mean.
MAX_ERROR = 0.7
#: Rows are kept for as many terms; those that come later stay unmerged.
MAX_ROWS = 65_536
# Terms fitted together.
_BATCH = 32


class RowFitter:
    """Fits rows with what `make_composer` returns, which is called when there is something to do;
    takes them from `cache` where it has them, and gives them to `rows`."""

    def __init__(
        self, make_composer: Callable[[], Composer], cache: RowCache, rows: TermRows
    ) -> None:
        self._make_composer = make_composer
        self._cache = cache
        self._rows = rows
        self._wake = Condition()
        self._wanted: dict[Tokens, None] = {}
        self._known: set[Tokens] = set()
        self._is_busy = False
        self._is_closing = False
        self._thread: Thread | None = None
        #: The token id for each term that has a row. Written by the thread alone.
        self.ready: dict[Tokens, int] = {}
        self.num_refused = 0

    def want(self, terms: Sequence[Tokens]) -> None:
        """Says that rows for these terms are wanted. May be called from any thread."""
        with self._wake:
            new = [term for term in terms if term not in self._known]
            new = new[: max(0, MAX_ROWS - len(self._known))]
            if not new or self._is_closing:
                return
            self._known.update(new)
            self._wanted.update(dict.fromkeys(new))
            if self._thread is None:
                self._thread = Thread(target=self._run, name="assay-terms", daemon=True)
                self._thread.start()
            self._wake.notify_all()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Waits until all that was wanted has been tried; false if that took longer."""
        with self._wake:
            return self._wake.wait_for(lambda: not self._wanted and not self._is_busy, timeout_s)

    def close(self) -> None:
        """Ends the thread after the terms it is at. Idempotent."""
        with self._wake:
            self._is_closing = True
            self._wake.notify_all()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        composer: Composer | None = None
        while True:
            with self._wake:
                self._is_busy = False
                self._wake.notify_all()
                self._wake.wait_for(lambda: self._wanted or self._is_closing)
                if self._is_closing:
                    return
                batch = list(self._wanted)[:_BATCH]
                for term in batch:
                    del self._wanted[term]
                self._is_busy = True
            try:
                unfitted = [term for term in batch if not self._take(term)]
                if unfitted:
                    composer = composer or self._make_composer()
                    self._fit(composer, unfitted)
            except Exception:
                _logger.exception("rows of %d terms could not be fitted", len(batch))
                self.num_refused += len(batch)

    def _take(self, term: Tokens) -> bool:
        row = self._cache.get(term)
        if row is None:
            return False
        self.ready[term] = self._rows.add(row)
        return True

    def _fit(self, composer: Composer, terms: Sequence[Tokens]) -> None:
        rows, errors = composer.fit(terms, NUM_STEPS)
        good = [place for place, error in enumerate(errors) if error <= MAX_ERROR]
        self.num_refused += len(terms) - len(good)
        if not good:
            return
        kept, of = rows[good], [terms[place] for place in good]
        try:
            self._cache.add(of, kept)
        except OSError as error:
            _logger.warning("fitted rows could not be kept on disk: %s", error)
        for place, term in enumerate(of):
            self.ready[term] = self._rows.add(kept[place])
