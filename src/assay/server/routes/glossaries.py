"""A tenant's own terms: one table, replaced while requests run."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Response, UploadFile, status

from assay.server.auth import Caller, caller_with
from assay.server.responses import GlossaryBody
from assay.server.store.glossaries import StoredGlossary
from assay.server.store.keys import Scope
from assay.terms import Glossary, read_glossary

router = APIRouter(prefix="/v1/glossaries", tags=["glossaries"])
_Caller = Annotated[Caller, Depends(caller_with(Scope.GLOSSARIES))]


@router.put("")
async def put_glossary(
    file: UploadFile,
    caller: _Caller,
    merges: Annotated[
        bool, Form(description="Have the model read each term as one token.")
    ] = False,
) -> GlossaryBody:
    """Gives you a glossary, a CSV table (term, aliases, kind, language), in place of your last.
    Requests that run keep the one that they began with. A table with faults is refused, all of them
    named by line, and the last one stays."""
    table = await file.read()
    glossary = await asyncio.to_thread(read_glossary, table, name=file.filename or "")
    service = caller.service
    stored = await asyncio.to_thread(service.glossaries.put, caller.tenant, table, merges)
    service.analyzer.set_glossary(caller.tenant, glossary, merges=merges)
    await caller.note("glossaries.put", glossary.digest)
    return _body(stored, glossary)


@router.get("")
async def show_glossary(caller: _Caller) -> GlossaryBody:
    """What is told of your glossary."""
    stored = await asyncio.to_thread(caller.service.glossaries.get, caller.tenant)
    return _body(stored, await asyncio.to_thread(read_glossary, stored.table))


@router.delete("", status_code=status.HTTP_204_NO_CONTENT)
async def delete_glossary(caller: _Caller) -> Response:
    """Takes your glossary away, for requests to come."""
    await asyncio.to_thread(caller.service.glossaries.delete, caller.tenant)
    caller.service.analyzer.glossaries.remove(caller.tenant)
    await caller.note("glossaries.delete")
    return Response(status_code=status.HTTP_204_NO_CONTENT)


def _body(stored: StoredGlossary, glossary: Glossary) -> GlossaryBody:
    return GlossaryBody(
        num_terms=len(glossary),
        digest=glossary.digest,
        merges=stored.merges,
        created_at=stored.created_at,
    )
