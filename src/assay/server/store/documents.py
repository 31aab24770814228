"""Documents that were uploaded: their bytes, encrypted, to be asked about more than once."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from assay.errors import NotFoundError
from assay.server.store.database import Database
from assay.server.store.sealing import seal, unseal
from assay.server.store.tables import documents
from assay.server.store.tenants import TenantStore


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """What is told of a document; `num_bytes` is the size of the file."""

    document_id: str
    name: str
    media_type: str | None
    created_at: float
    num_bytes: int


class DocumentStore:
    """Keeps a tenant's documents. Another tenant's are not there, whatever id is asked for."""

    def __init__(self, database: Database, tenants: TenantStore) -> None:
        self._database = database
        self._tenants = tenants

    def add(self, tenant: str, data: bytes, name: str, media_type: str | None) -> StoredDocument:
        """Keeps the bytes of a document."""
        key = self._tenants.data_key(tenant)
        made = StoredDocument(
            f"doc_{secrets.token_hex(12)}", name, media_type, time.time(), len(data)
        )
        head = json.dumps({"name": name, "media_type": media_type}).encode()
        content = len(head).to_bytes(4, "big") + head + data
        with self._database.transaction() as connection:
            connection.execute(
                documents.insert().values(
                    document_id=made.document_id,
                    tenant=tenant,
                    created_at=made.created_at,
                    num_bytes=made.num_bytes,
                    sealed=seal(key, content, _subject(tenant, made.document_id)),
                )
            )
        return made

    def get(self, tenant: str, document_id: str) -> tuple[StoredDocument, bytes]:
        """A document and its bytes.

        Raises:
            NotFoundError: the tenant has no such document.
            SealBrokenError: what is kept of it does not open.
        """
        chosen = sa.select(documents).where(
            documents.c.document_id == document_id, documents.c.tenant == tenant
        )
        with self._database.transaction() as connection:
            row = connection.execute(chosen).one_or_none()
        if row is None:
            raise _missing(document_id)
        return self._open(tenant, row)

    def all(self, tenant: str) -> Sequence[StoredDocument]:
        """A tenant's documents, the newest first."""
        chosen = sa.select(documents).where(documents.c.tenant == tenant)
        with self._database.transaction() as connection:
            rows = connection.execute(chosen.order_by(documents.c.created_at.desc())).all()
        return [self._open(tenant, row)[0] for row in rows]

    def delete(self, tenant: str, document_id: str) -> None:
        """Raises `NotFoundError` if the tenant has no such document."""
        gone = documents.delete().where(
            documents.c.document_id == document_id, documents.c.tenant == tenant
        )
        with self._database.transaction() as connection:
            if not connection.execute(gone).rowcount:
                raise _missing(document_id)

    def _open(self, tenant: str, row: sa.Row[tuple[object, ...]]) -> tuple[StoredDocument, bytes]:
        key = self._tenants.data_key(tenant)
        content = unseal(key, row.sealed, _subject(tenant, row.document_id))
        size = int.from_bytes(content[:4], "big")
        head = json.loads(content[4 : 4 + size])
        name, media_type = head["name"], head["media_type"]
        found = StoredDocument(row.document_id, name, media_type, row.created_at, row.num_bytes)
        return found, content[4 + size :]


def _subject(tenant: str, document_id: str) -> str:
    return f"document {document_id} of {tenant}"


def _missing(document_id: str) -> NotFoundError:
    return NotFoundError(f"there is no document {document_id!r}", remedy="GET /v1/documents")
