"""Documents: uploaded once, asked about many times."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Response, UploadFile, status

from assay.documents import Document, read_document
from assay.errors import TooLargeError
from assay.server.auth import Caller, caller_with
from assay.server.responses import DocumentBody, ListBody
from assay.server.store.documents import StoredDocument
from assay.server.store.keys import Scope

router = APIRouter(prefix="/v1/documents", tags=["documents"])
_Caller = Annotated[Caller, Depends(caller_with(Scope.DOCUMENTS))]


@router.post("", status_code=status.HTTP_201_CREATED)
async def upload(file: UploadFile, caller: _Caller) -> DocumentBody:
    """Keeps a document: text, Markdown, PDF, DOCX, HTML, e-mail or a picture. One that cannot be
    read is refused."""
    data = await file.read()
    name = file.filename or "document"
    await asyncio.to_thread(read_bounded, caller, data, name, file.content_type)
    stored = await asyncio.to_thread(
        caller.service.documents.add, caller.tenant, data, name, file.content_type
    )
    await caller.note("documents.create", stored.document_id)
    return _body(stored)


@router.get("")
async def list_documents(caller: _Caller) -> ListBody:
    """The documents that are kept, the newest first."""
    stored = await asyncio.to_thread(caller.service.documents.all, caller.tenant)
    return ListBody(data=[_body(item) for item in stored])


@router.get("/{document_id}")
async def show_document(document_id: str, caller: _Caller) -> DocumentBody:
    """What is told of a document."""
    stored, _ = await asyncio.to_thread(caller.service.documents.get, caller.tenant, document_id)
    return _body(stored)


@router.delete("/{document_id}", status_code=status.HTTP_204_NO_CONTENT)
async def delete_document(document_id: str, caller: _Caller) -> Response:
    """Forgets a document. What was found in it is kept until it is deleted itself."""
    await asyncio.to_thread(caller.service.documents.delete, caller.tenant, document_id)
    await caller.note("documents.delete", document_id)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


def read_bounded(caller: Caller, data: bytes, name: str, media_type: str | None) -> Document:
    """Reads a document that a client sent. Raises `DocumentError`, or `TooLargeError` if it has
    more pages than the service takes."""
    document = read_document(data, name=name, media_type=media_type)
    most = caller.service.settings.max_pages
    if (document.num_pages or 0) > most:
        raise TooLargeError(
            f"{name} has {document.num_pages} pages, more than {most}",
            remedy="send it in parts, or raise max_pages",
        )
    return document


def _body(stored: StoredDocument) -> DocumentBody:
    return DocumentBody(
        id=stored.document_id,
        name=stored.name,
        media_type=stored.media_type,
        created_at=stored.created_at,
        num_bytes=stored.num_bytes,
    )
