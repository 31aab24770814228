"""Analyses: a document and a question in, typed results out; at once, as a stream, or later."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import AsyncIterator, Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, File, Form, Header, Response, UploadFile, status
from fastapi.responses import JSONResponse, StreamingResponse

from assay.analysis.choosing import choose_tasks, suiting_tasks
from assay.analysis.needed import count_questions
from assay.documents import Document
from assay.errors import AssayError
from assay.routing import Route
from assay.server.auth import Caller, caller_with
from assay.server.responses import AnalysisBody, AnalysisRequest, Asked, UnitInput
from assay.server.routes.documents import read_bounded
from assay.server.runs import Run, Work
from assay.server.service import Service
from assay.server.store.analyses import StoredAnalysis
from assay.server.store.keys import Scope
from assay.units import Task, get_unit

router = APIRouter(prefix="/v1/analyses", tags=["analyses"])
_Caller = Annotated[Caller, Depends(caller_with(Scope.ANALYZE))]
_IdempotencyKey = Annotated[str | None, Header(max_length=200)]


@router.post("", response_model=AnalysisBody, responses={202: {"model": AnalysisBody}})
async def analyze(
    request: AnalysisRequest, caller: _Caller, idempotency_key: _IdempotencyKey = None
) -> Response:
    """Analyses a document that was uploaded before, or is given as text.

    With `wait` (as if left out) the answer is the finished analysis. With `stream` it is a stream
    of server-sent events: `unit` as each unit ends, then `done` with the whole. Else it is 202 with
    an id, and `GET /v1/analyses/{id}` tells how it stands.
    """
    given = request.document
    if given.text is not None:
        data, name, media_type = given.text.encode(), given.name, "text/plain"
    else:
        stored, data = await asyncio.to_thread(
            caller.service.documents.get, caller.tenant, str(given.id)
        )
        name, media_type = stored.name, stored.media_type or ""
    document = await asyncio.to_thread(read_bounded, caller, data, name, media_type or None)
    return await _answer(request, document, caller, idempotency_key)


@router.post("/upload", response_model=AnalysisBody, responses={202: {"model": AnalysisBody}})
async def analyze_upload(
    caller: _Caller,
    file: Annotated[UploadFile, File(description="The document.")],
    units: Annotated[str | None, Form(description="Names of units, with commas.")] = None,
    ask: Annotated[str | None, Form(description="A request in words.")] = None,
    project: Annotated[str, Form(description="Where its usage is counted.")] = "",
    wait: Annotated[bool, Form()] = True,
    stream: Annotated[bool, Form()] = False,
    idempotency_key: _IdempotencyKey = None,
) -> Response:
    """The same for a file that is sent along and not kept."""
    data, name = await file.read(), file.filename or "document"
    document = await asyncio.to_thread(read_bounded, caller, data, name, file.content_type)
    named: list[str | UnitInput] = [name for name in re.split(r"[\s,]+", units or "") if name]
    asked = Asked(units=named or None, ask=ask, project=project, wait=wait, stream=stream)
    return await _answer(asked, document, caller, idempotency_key)


@router.get("/{analysis_id}", response_model=AnalysisBody)
async def show_analysis(analysis_id: str, caller: _Caller) -> Response:
    """An analysis as it stands."""
    stored = await asyncio.to_thread(caller.service.analyses.get, caller.tenant, analysis_id)
    return JSONResponse(_body(stored))


@router.delete("/{analysis_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_analysis(analysis_id: str, caller: _Caller) -> Response:
    """Forgets an analysis and its results."""
    await asyncio.to_thread(caller.service.analyses.delete, caller.tenant, analysis_id)
    await caller.note("analyses.delete", analysis_id)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


async def _answer(
    asked: Asked, document: Document, caller: Caller, idempotency_key: str | None
) -> Response:
    service = caller.service
    routing, tasks = await asyncio.to_thread(_tasks, asked, document, caller)
    content = asked.model_dump_json(include={"units", "ask"}) + document.sha256
    request_hash = hashlib.sha256(content.encode()).digest()
    stored, is_new = await asyncio.to_thread(
        service.analyses.begin, caller.tenant, request_hash, idempotency_key
    )
    if not is_new:
        return _stored_response(stored)
    try:
        num_tokens = count_questions(tasks) * await asyncio.to_thread(_most_tokens, service)
        reservation = await asyncio.to_thread(service.budgets.reserve, caller.tenant, num_tokens)
    except AssayError:
        await asyncio.to_thread(service.analyses.delete, caller.tenant, stored.analysis_id)
        raise
    work = Work(stored.analysis_id, document, tasks, reservation, asked.project, routing)
    await caller.note("analyses.create", stored.analysis_id)
    run = service.runs.start(work)
    if asked.stream:
        return StreamingResponse(
            _events(run, caller, stored.analysis_id),
            media_type="text/event-stream",
            headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
        )
    if asked.wait:
        await run.wait()
        stored = await asyncio.to_thread(service.analyses.get, caller.tenant, stored.analysis_id)
    return _stored_response(stored)


def _most_tokens(service: Service) -> int:
    """The most that one question takes: what fits the model's positions."""
    return service.analyzer.backend.info.max_model_len


def _tasks(asked: Asked, document: Document, caller: Caller) -> tuple[Route | None, Sequence[Task]]:
    """Where a request in words is routed to, and what is to be run.

    Raises `UnitError` for a unit that is unknown or lacks an argument, or an `ask` that fits none.
    """
    if asked.units is None and asked.ask is None:
        return None, suiting_tasks(document)
    named = [
        Task(get_unit(item.unit), item.arguments) if isinstance(item, UnitInput) else item
        for item in asked.units or ()
    ]
    if asked.ask is None:
        return None, choose_tasks(named)
    routing = caller.service.analyzer.route(asked.ask, tenant=caller.tenant)
    return routing, choose_tasks(named, routing)


def _stored_response(stored: StoredAnalysis) -> JSONResponse:
    body = _body(stored)
    if body["status"] == "running":
        place = {"Location": f"/v1/analyses/{stored.analysis_id}"}
        return JSONResponse(body, status.HTTP_202_ACCEPTED, place)
    return JSONResponse(body)


def _body(stored: StoredAnalysis) -> dict[str, Any]:
    return {
        "id": stored.analysis_id,
        "object": "analysis",
        "status": stored.status.value,
        "created_at": stored.created_at,
        "ended_at": stored.ended_at,
        **(stored.content or {}),
    }


async def _events(run: Run, caller: Caller, analysis_id: str) -> AsyncIterator[str]:
    """Server-sent events (WHATWG HTML, section 9.2)."""
    yield _event("started", {"id": analysis_id})
    async for progress in run.progress():
        content = {"unit": progress.unit, "result": progress.result.as_json()}
        yield _event("unit", {**content, "done": progress.done, "total": progress.total})
    await run.wait()
    stored = await asyncio.to_thread(caller.service.analyses.get, caller.tenant, analysis_id)
    yield _event("done", _body(stored))


def _event(name: str, content: dict[str, Any]) -> str:
    return f"event: {name}\ndata: {json.dumps(content, ensure_ascii=False)}\n\n"
