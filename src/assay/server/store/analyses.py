"""Analyses: what became of each, and its results, encrypted, until they are fetched or deleted.

running -> done | failed        (`finish`)
running -> failed               (`fail_running`, when a server starts: its predecessor ended)
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from assay.errors import ConflictError, NotFoundError
from assay.server.store.database import Database
from assay.server.store.sealing import seal, unseal
from assay.server.store.tables import analyses
from assay.server.store.tenants import TenantStore


class AnalysisStatus(StrEnum):
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class StoredAnalysis:
    """`content` is the answer's body, or the error's; None while it runs."""

    analysis_id: str
    status: AnalysisStatus
    created_at: float
    ended_at: float | None
    content: Mapping[str, Any] | None


class AnalysisStore:
    """Keeps a tenant's analyses. Another tenant's are not there, whatever id is asked for."""

    def __init__(self, database: Database, tenants: TenantStore) -> None:
        self._database = database
        self._tenants = tenants

    def begin(
        self, tenant: str, request_hash: bytes, idempotency_key: str | None = None
    ) -> tuple[StoredAnalysis, bool]:
        """A new analysis, or the one that was begun with the same idempotency key; and whether it
        is new.

        Raises:
            ConflictError: the key was used with another request.
        """
        made = StoredAnalysis(
            f"an_{secrets.token_hex(12)}", AnalysisStatus.RUNNING, time.time(), None, None
        )
        try:
            with self._database.transaction() as connection:
                connection.execute(
                    analyses.insert().values(
                        analysis_id=made.analysis_id,
                        tenant=tenant,
                        created_at=made.created_at,
                        status=made.status,
                        idempotency_key=idempotency_key,
                        request_hash=request_hash,
                    )
                )
        except sa.exc.IntegrityError:
            return self._repeated(tenant, request_hash, str(idempotency_key)), False
        return made, True

    def _repeated(self, tenant: str, request_hash: bytes, key: str) -> StoredAnalysis:
        chosen = sa.select(analyses).where(
            analyses.c.tenant == tenant, analyses.c.idempotency_key == key
        )
        with self._database.transaction() as connection:
            row = connection.execute(chosen).one()
        if row.request_hash != request_hash:
            raise ConflictError(
                f"the idempotency key {key!r} was used with another request",
                remedy="send a new key with a new request",
            )
        return self._open(tenant, row)

    def finish(
        self, tenant: str, analysis_id: str, status: AnalysisStatus, content: Mapping[str, Any]
    ) -> None:
        """Keeps what a running analysis came to."""
        key = self._tenants.data_key(tenant)
        encoded = json.dumps(content, ensure_ascii=False).encode()
        with self._database.transaction() as connection:
            connection.execute(
                analyses.update()
                .where(analyses.c.analysis_id == analysis_id, analyses.c.tenant == tenant)
                .values(
                    status=status,
                    ended_at=time.time(),
                    sealed=seal(key, encoded, _subject(tenant, analysis_id)),
                )
            )

    def get(self, tenant: str, analysis_id: str) -> StoredAnalysis:
        """Raises `NotFoundError` if the tenant has no such analysis."""
        chosen = sa.select(analyses).where(
            analyses.c.analysis_id == analysis_id, analyses.c.tenant == tenant
        )
        with self._database.transaction() as connection:
            row = connection.execute(chosen).one_or_none()
        if row is None:
            raise _missing(analysis_id)
        return self._open(tenant, row)

    def delete(self, tenant: str, analysis_id: str) -> None:
        """Raises `NotFoundError` if the tenant has no such analysis."""
        gone = analyses.delete().where(
            analyses.c.analysis_id == analysis_id, analyses.c.tenant == tenant
        )
        with self._database.transaction() as connection:
            if not connection.execute(gone).rowcount:
                raise _missing(analysis_id)

    def fail_running(self, content: Mapping[str, Any]) -> int:
        """Ends all that a server left behind when it died, with `content` as the error; says how
        many."""
        chosen = sa.select(analyses.c.tenant, analyses.c.analysis_id).where(
            analyses.c.status == AnalysisStatus.RUNNING
        )
        with self._database.transaction() as connection:
            rows = connection.execute(chosen).all()
        for row in rows:
            self.finish(row.tenant, row.analysis_id, AnalysisStatus.FAILED, content)
        return len(rows)

    def _open(self, tenant: str, row: sa.Row[tuple[object, ...]]) -> StoredAnalysis:
        content = None
        if row.sealed is not None:
            key = self._tenants.data_key(tenant)
            content = json.loads(unseal(key, row.sealed, _subject(tenant, row.analysis_id)))
        return StoredAnalysis(
            row.analysis_id, AnalysisStatus(row.status), row.created_at, row.ended_at, content
        )


def _subject(tenant: str, analysis_id: str) -> str:
    return f"analysis {analysis_id} of {tenant}"


def _missing(analysis_id: str) -> NotFoundError:
    return NotFoundError(f"there is no analysis {analysis_id!r}")
