"""Whether the service lives, and whether it is ready. Open to all."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from assay.errors import AssayError
from assay.server.service import service_of

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
