"""The library's front door: analyse documents. `blocking.Analyzer` is the same for code that is
not asynchronous."""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from assay.analysis.abstention import check_min_precision
from assay.analysis.chains import ChainTable
from assay.analysis.choosing import (
    UnitSource,
    choose_tasks,
    every_task,
    suiting_tasks,
    unit_triggers,
)
from assay.analysis.confidence import confidence_of
from assay.analysis.explain import Explanation, choose_fields, explain_plan
from assay.analysis.plan import make_plan
from assay.analysis.result import Analysis, Progress
from assay.analysis.run import OnRun, Telling, run_plan
from assay.backends.base import Backend
from assay.documents import Document, read_document
from assay.errors import ConfigError
from assay.routing import Route, RouteStatistics
from assay.terms import Glossary, GlossaryRegistry
from assay.types import UnitResult, Usage
from assay.units import Task

if TYPE_CHECKING:
    from assay.routing import Router

DocumentSource = Document | str | os.PathLike[str] | bytes


class AsyncAnalyzer:
    """Analyses documents with one back end; use it as an async context manager.

    `model` is the name or path of a pulled model, served in process; `backend` takes its place
    where given, and is then closed by its owner. `engine` are settings of the engine that serves
    the model, by name (`EngineConfig` lists them). `chains` say who answers which unit, in which
    order. `glossaries` hold the terms of tenants. `router` finds the units that a request in words
    means; by default the one that comes with the package, under the rules in the file that
    ASSAY_ROUTES names. Calls may overlap.
    """

    def __init__(
        self,
        model: str = "smollm2",
        *,
        backend: Backend | None = None,
        engine: Mapping[str, Any] | None = None,
        chains: ChainTable | None = None,
        glossaries: GlossaryRegistry | None = None,
        router: Router | None = None,
    ) -> None:
        """Raises `ConfigError` if settings come with a back end, which has its own."""
        if backend is not None and engine:
            raise ConfigError("a back end that is given has settings of its own: give one of them")
        self._model = model
        self._settings = dict(engine or {})
        self._chains = chains
        self.glossaries = GlossaryRegistry() if glossaries is None else glossaries
        self._router = router
        #: What was asked in words so far, by tenant.
        self.route_statistics = RouteStatistics()
        self._given = backend
        self._backend = backend
        self._opening = threading.Lock()

    @property
    def backend(self) -> Backend:
        """The back end; loading the model on first use.

        Raises:
            ModelNotPulledError: the model is not there; the message says how to pull it.
            ConfigError: a setting is unknown or out of range.
        """
        with self._opening:
            if self._backend is None:
                from assay.backends import EngineConfig
                from assay.backends.local import LocalBackend

                config = EngineConfig.from_mapping(self._settings)
                self._backend = LocalBackend(self._model, config=config)
            return self._backend

    def set_glossary(self, tenant: str, glossary: Glossary, *, merges: bool | None = None) -> None:
        """Gives a tenant ("": those who give none) a glossary in place of the old one. Requests
        that run keep the one that they began with. With `merges` the model reads its terms as one
        token each, as soon as there is a row for them; it stays as it was where it is not said."""
        self.glossaries.set(tenant, glossary, merges=merges)

    @property
    def router(self) -> Router:
        """What routes requests; loaded on first use.

        Raises:
            ConfigError: the rules cannot be read.
        """
        with self._opening:
            if self._router is None:
                from assay.routing import load_router

                self._router = load_router(os.environ.get("ASSAY_ROUTES") or None)
            return self._router

    def route(self, ask: str, *, tenant: str = "") -> Route:
        """What a request in words means, of the units that there are; it counts in
        `route_statistics`. By a tenant's glossary its words mean what the terms do.

        Raises:
            ConfigError: the rules cannot be read, or name a unit that there is not.
        """
        terms = self.glossaries.get(tenant)
        read, named = (ask, ()) if terms is None else terms.glossary.explain(ask)
        route = self.router.route(read, unit_triggers(), tenant=tenant, terms=named)
        self.route_statistics.count(route)
        return route

    async def analyze(
        self,
        source: DocumentSource,
        *,
        units: Sequence[UnitSource] | None = None,
        ask: str | None = None,
        tenant: str = "",
        min_precision: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        on_run: OnRun | None = None,
        routing: Route | None = None,
    ) -> Analysis:
        """Runs units on one document: those named, those that `ask` means, or those that suit it.

        Args:
            source: a path, the bytes of a file, or a Document read before.
            units: names, declarations, or a `Task` where a unit is given arguments, also for a unit
                that `ask` means. Without them and `ask` those run that suit the kind of document
                that it is.
            tenant: whose document it is. Nothing that is computed for one tenant is used for
                another, or found by how long an answer takes.
            min_precision: how often the answers given have to be right, such as 0.95. Fields whose
                answers are not sure enough for that are absent, with an error that says so.
            on_progress: called as each unit finishes.
            on_run: called with each field's run, for who keeps records (`analysis.record`). What it
                raises ends nothing: it is among the `warnings` of the analysis.
            routing: what `units` were chosen by, where the caller has routed a request (`route`);
                it is kept in the analysis, as that of `ask` is.

        Raises:
            DocumentError: the document cannot be read.
            UnitError: a unit is unknown or lacks an argument, or `ask` fits none.
            ConfigError: `min_precision` is not between 0 and 1.
            PrecisionUnreachableError: no answers are known to be right so often.
            ModelError: the model cannot be loaded.
        """
        started = time.perf_counter()
        check_min_precision(min_precision)
        terms = self.glossaries.get(tenant)
        asked = None
        if ask is not None:
            routing = await asyncio.to_thread(self.route, ask, tenant=tenant)
            asked = await asyncio.to_thread(choose_tasks, units or (), routing)
        elif units is not None:
            asked = await asyncio.to_thread(choose_tasks, units)
        document = await _read(source)
        read = time.perf_counter()
        if asked is None:
            asked = await asyncio.to_thread(suiting_tasks, document)
        chosen = self._with_chains(asked, tenant)
        backend = await asyncio.to_thread(lambda: self.backend)
        loaded = time.perf_counter()
        plan = await asyncio.to_thread(make_plan, document, chosen, tenant, terms)
        plan = replace(
            plan,
            needed=self._with_chains(plan.needed, tenant),
            min_precision=min_precision,
            margins=routing.margins if routing else {},
        )
        planned = time.perf_counter()
        telling = Telling(on_run) if on_run else None
        found: dict[str, UnitResult] = {}
        async for task, result in run_plan(plan, backend, confidence_of, telling):
            found[task.name] = result
            if on_progress:
                on_progress(Progress(task.name, result, len(found), len(plan.tasks)))
        ended = time.perf_counter()
        return Analysis(
            document,
            {task.name: found[task.name] for task in plan.tasks},
            sum((result.usage for result in found.values()), Usage()),
            {
                "read": (read - started) * 1000,
                "load": (loaded - read) * 1000,
                "plan": (planned - loaded) * 1000,
                "units": (ended - planned) * 1000,
                "total": (ended - started) * 1000,
            },
            backend.info,
            tuple(telling.failures) if telling else (),
            routing,
        )

    async def prepare(
        self,
        source: DocumentSource,
        *,
        units: Sequence[UnitSource] | None = None,
        tenant: str = "",
    ) -> Document:
        """Has the model read a whole document once, so that questions on it need not; returns it.

        Runs behind every question. The result of reading is kept while there is room for it.

        Raises:
            As `analyze`.
        """
        document = await _read(source)
        backend = await asyncio.to_thread(lambda: self.backend)
        chosen = every_task() if units is None else choose_tasks(units)
        terms = self.glossaries.get(tenant)
        plan = await asyncio.to_thread(make_plan, document, chosen, tenant, terms)
        preparations = await asyncio.to_thread(plan.preparations)
        await asyncio.gather(*map(backend.generate, preparations))
        return document

    async def explain(
        self,
        source: DocumentSource,
        *,
        unit: UnitSource,
        fields: Sequence[str] = (),
        tenant: str = "",
        num_rounds: int = 1,
        reads_whole: bool = False,
    ) -> Explanation:
        """Runs one unit, or these `fields` of it, and tells what each question read and why, and
        what the KV cache had of it. With `num_rounds` the same is asked again, one round after the
        other, so that what is used again shows. With `reads_whole` each question reads the whole
        document, so that what a policy keeps of it shows.

        Raises:
            UnknownFieldError: the unit has no such field.
            As `analyze`.
        """
        (chosen,) = self._with_chains(choose_tasks([unit]), tenant)
        asked = choose_fields(chosen.unit, fields)
        document = await _read(source)
        backend = await asyncio.to_thread(lambda: self.backend)
        terms = self.glossaries.get(tenant)
        plan = await asyncio.to_thread(make_plan, document, (chosen,), tenant, terms)
        plan = replace(plan, reads_whole=reads_whole)
        return await explain_plan(plan, asked, backend, num_rounds)

    def _with_chains(self, tasks: Sequence[Task], tenant: str) -> tuple[Task, ...]:
        """The tasks, each with the chain that the table has for it."""
        if self._chains is None:
            return tuple(tasks)
        chains = self._chains
        return tuple(
            replace(task, chain=chains.chain_for(task.unit.name, tenant)) for task in tasks
        )

    async def close(self) -> None:
        """Stops the engine, unless the back end was given. Safe to call twice."""
        if self._given is None and self._backend is not None:
            await asyncio.to_thread(self._backend.close)
            self._backend = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()


async def _read(source: DocumentSource) -> Document:
    if isinstance(source, Document):
        return source
    return await asyncio.to_thread(read_document, source)
