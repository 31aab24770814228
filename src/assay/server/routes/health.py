"""Whether the service lives and is ready: open to all. What it counts: for who has the scope."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import JSONResponse, Response
from prometheus_client import CONTENT_TYPE_LATEST

from assay.errors import AssayError
from assay.server.auth import Caller, caller_with
from assay.server.service import service_of
from assay.server.store.keys import Scope

router = APIRouter(tags=["health"])


@router.get("/healthz")
async def healthz() -> dict[str, str]:
    """The process answers."""
    return {"status": "ok"}


@router.get("/readyz")
async def readyz(request: Request) -> JSONResponse:
    """Every part is ready; 503 names those that are not."""
    service = service_of(request)
    parts = {"model": "loaded" if request.app.state.loading.done() else "loading"}
    if request.app.state.loading.done() and (error := request.app.state.loading.exception()):
        parts["model"] = str(error)
    try:
        await asyncio.to_thread(service.kept.database.ping)
        parts["store"] = "answers"
    except AssayError as error:
        parts["store"] = str(error)
    is_ready = parts == {"model": "loaded", "store": "answers"}
    return JSONResponse(
        {"status": "ready" if is_ready else "not ready", "parts": parts}, 200 if is_ready else 503
    )


@router.get("/metrics", response_class=Response)
async def show_metrics(caller: Annotated[Caller, Depends(caller_with(Scope.ADMIN))]) -> Response:
    """Counts and times of this process, in Prometheus' text format."""
    return Response(caller.service.metrics.as_text(), media_type=CONTENT_TYPE_LATEST)
