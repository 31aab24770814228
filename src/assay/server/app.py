"""The application: routes, errors and limits around one service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI

import assay
from assay.analysis import AsyncAnalyzer
from assay.errors import CapacityError
from assay.server.errors import error_body, install_handlers
from assay.server.limits import BodyLimit
from assay.server.metrics import CountRequests, Metrics
from assay.server.responses import ErrorBody
from assay.server.routes import analyses, documents, glossaries, health, units, usage
from assay.server.service import Kept, Service
from assay.server.settings import ServerSettings

_RESTARTED = CapacityError("the service was restarted", remedy="send the request again")


def create_app(settings: ServerSettings, kept: Kept, analyzer: AsyncAnalyzer) -> FastAPI:
    """The ASGI application of a service; it owns `kept` and `analyzer` from here on.

    The model is loaded behind the first answers; what a server before this one left running is
    told as failed.
    """

    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        service = Service(settings, kept, analyzer, metrics)
        await asyncio.to_thread(service.analyses.fail_running, error_body(_RESTARTED))
        await asyncio.to_thread(service.budgets.release_all)
        await asyncio.to_thread(service.load_glossaries)
        app.state.service = service
        app.state.loading = asyncio.create_task(asyncio.to_thread(_load, analyzer))
        yield
        await asyncio.wait([app.state.loading])
        await service.close()

    codes = (400, 401, 403, 404, 413, 422, 500, 503)
    failures: dict[int | str, dict[str, Any]] = {code: {"model": ErrorBody} for code in codes}
    app = FastAPI(
        title="Assay",
        version=assay.__version__,
        summary="Documents in, typed JSON out: every value with its evidence and confidence.",
        lifespan=lifespan,
        responses=failures,
    )
    app.add_middleware(BodyLimit, max_bytes=settings.max_body_bytes)
    app.add_middleware(CountRequests, metrics=metrics)
    install_handlers(app)
    for route in (health, analyses, documents, glossaries, units, usage):
        app.include_router(route.router)
    return app


def _load(analyzer: AsyncAnalyzer) -> None:
    analyzer.backend.start()
