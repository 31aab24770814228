"""The analyzer for code that is not asynchronous."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Mapping
from functools import wraps
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar

from assay.analysis.analyzer import AsyncAnalyzer
from assay.analysis.chains import ChainTable
from assay.backends.base import Backend
from assay.routing import Route, RouteStatistics
from assay.terms import Glossary, GlossaryRegistry

if TYPE_CHECKING:
    from assay.routing import Router

P = ParamSpec("P")
T = TypeVar("T")


def _blocking(
    method: Callable[Concatenate[AsyncAnalyzer, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Analyzer, P], T]:
    """The method as one that waits for its result; name, arguments and documentation are kept."""

    @wraps(method)
    def wait(analyzer: Analyzer, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return analyzer._call(method(analyzer._inner, *args, **kwargs))

    return wait


class Analyzer:
    """`AsyncAnalyzer` for code that is not asynchronous; the same arguments and errors.

    What is to be called during an analysis (`on_progress`, `on_run`) is called on another thread.
    KeyboardInterrupt cancels what is running and is raised at once. An event loop runs on a thread
    of its own for as long as the analyzer is open. May be used from several threads.
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
        self._inner = AsyncAnalyzer(
            model,
            backend=backend,
            engine=engine,
            chains=chains,
            glossaries=glossaries,
            router=router,
        )
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()

    @property
    def backend(self) -> Backend:
        """As `AsyncAnalyzer.backend`."""
        return self._inner.backend

    @property
    def glossaries(self) -> GlossaryRegistry:
        """The glossaries of tenants."""
        return self._inner.glossaries

    def set_glossary(self, tenant: str, glossary: Glossary, *, merges: bool | None = None) -> None:
        """As `AsyncAnalyzer.set_glossary`."""
        self._inner.set_glossary(tenant, glossary, merges=merges)

    @property
    def route_statistics(self) -> RouteStatistics:
        """As `AsyncAnalyzer.route_statistics`."""
        return self._inner.route_statistics

    @property
    def router(self) -> Router:
        """As `AsyncAnalyzer.router`."""
        return self._inner.router

    def route(self, ask: str, *, tenant: str = "") -> Route:
        """As `AsyncAnalyzer.route`."""
        return self._inner.route(ask, tenant=tenant)

    analyze = _blocking(AsyncAnalyzer.analyze)
    prepare = _blocking(AsyncAnalyzer.prepare)
    explain = _blocking(AsyncAnalyzer.explain)

    def close(self) -> None:
        """Stops the engine and the loop. Safe to call twice."""
        with self._starting:
            loop, thread = self._loop, self._thread
            self._loop = self._thread = None
        if loop is not None and thread is not None:
            asyncio.run_coroutine_threadsafe(self._inner.close(), loop).result()
            loop.call_soon_threadsafe(loop.stop)
            thread.join()
            loop.close()

    def _call(self, work: Coroutine[Any, Any, T]) -> T:
        with self._starting:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = threading.Thread(
                    target=self._loop.run_forever, name="assay-analyzer", daemon=True
                )
                self._thread.start()
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
