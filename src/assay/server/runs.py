"""Analyses in flight: each a task of the event loop, kept in the store whether or not its client
stays to hear of it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.analysis import AsyncAnalyzer, Progress
from assay.documents import Document
from assay.errors import AssayError
from assay.routing import Route
from assay.server.accounts import Accounts
from assay.server.errors import error_body
from assay.server.store.analyses import AnalysisStatus, AnalysisStore
from assay.server.store.budgets import Reservation
from assay.server.turns import FairTurns
from assay.types import UnitResult
from assay.units import Task

_LOG = logging.getLogger("assay.server")


@dataclass(frozen=True, slots=True)
class Work:
    """What is to be analysed, the tokens set aside for it, and what a request in words was taken
    to mean."""

    analysis_id: str
    document: Document
    tasks: Sequence[Task]
    reservation: Reservation
    project: str = ""
    routing: Route | None = None

    @property
    def tenant(self) -> str:
        return self.reservation.tenant


@dataclass(slots=True)
class Run:
    """One analysis in flight. `events` ends with None."""

    task: asyncio.Task[None] | None = None
    events: asyncio.Queue[Progress | None] = field(default_factory=asyncio.Queue)

    async def progress(self) -> AsyncIterator[Progress]:
        """Each unit's result as it finishes; for one listener."""
        while (item := await self.events.get()) is not None:
            yield item

    async def wait(self) -> None:
        """Until it is kept. A waiter that is cancelled leaves it running."""
        assert self.task is not None
        await asyncio.shield(self.task)


class Runs:
    """Starts analyses; each waits for its turn."""

    def __init__(
        self,
        analyzer: AsyncAnalyzer,
        store: AnalysisStore,
        accounts: Accounts,
        turns: FairTurns,
    ) -> None:
        self._analyzer = analyzer
        self._store = store
        self._accounts = accounts
        self._turns = turns
        self._running: set[asyncio.Task[None]] = set()

    def start(self, work: Work) -> Run:
        """Begins an analysis that the store has as running."""
        run = Run()
        run.task = asyncio.create_task(self._carry_out(work, run))
        self._running.add(run.task)
        run.task.add_done_callback(self._running.discard)
        return run

    async def drain(self) -> None:
        """Waits for all that run."""
        await asyncio.gather(*self._running, return_exceptions=True)

    async def _carry_out(self, work: Work, run: Run) -> None:
        results: Mapping[str, UnitResult] = {}
        try:
            async with self._turns.turn(work.tenant):
                status, content, results = await self._analyze(work, run)
            await asyncio.to_thread(
                self._store.finish, work.tenant, work.analysis_id, status, content
            )
        finally:
            await asyncio.to_thread(self._accounts.close, work.reservation, work.project, results)
            run.events.put_nowait(None)

    async def _analyze(
        self, work: Work, run: Run
    ) -> tuple[AnalysisStatus, Mapping[str, Any], Mapping[str, UnitResult]]:
        try:
            analysis = await self._analyzer.analyze(
                work.document,
                units=work.tasks,
                tenant=work.tenant,
                on_progress=run.events.put_nowait,
                routing=work.routing,
            )
        except AssayError as error:
            return AnalysisStatus.FAILED, error_body(error), {}
        except Exception as error:  # noqa: BLE001 (a bug: kept as a failure, told in the log)
            _LOG.exception("analysis %s", work.analysis_id)
            return AnalysisStatus.FAILED, error_body(AssayError(f"{type(error).__name__}")), {}
        return AnalysisStatus.DONE, analysis.as_json(), analysis.results
