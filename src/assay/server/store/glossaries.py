"""Tenants' glossaries: one each, as it was uploaded, encrypted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from assay.errors import NotFoundError
from assay.server.store.database import Database
from assay.server.store.sealing import seal, unseal
from assay.server.store.tables import glossaries
from assay.server.store.tenants import TenantStore


@dataclass(frozen=True, slots=True)
class StoredGlossary:
    """`table` is CSV; `merges` says whether the model reads its terms as one token each."""

    tenant: str
    created_at: float
    merges: bool
    table: bytes


class GlossaryStore:
    """Keeps each tenant's glossary, in place of its last."""

    def __init__(self, database: Database, tenants: TenantStore) -> None:
        self._database = database
        self._tenants = tenants

    def put(self, tenant: str, table: bytes, merges: bool) -> StoredGlossary:
        """Keeps a table that has been read without a fault."""
        made = StoredGlossary(tenant, time.time(), merges, table)
        sealed = seal(self._tenants.data_key(tenant), table, _subject(tenant))
        with self._database.transaction() as connection:
            connection.execute(glossaries.delete().where(glossaries.c.tenant == tenant))
            connection.execute(
                glossaries.insert().values(
                    tenant=tenant, created_at=made.created_at, merges=merges, sealed=sealed
                )
            )
        return made

    def get(self, tenant: str) -> StoredGlossary:
        """Raises `NotFoundError` if the tenant has none."""
        chosen = sa.select(glossaries).where(glossaries.c.tenant == tenant)
        with self._database.transaction() as connection:
            row = connection.execute(chosen).one_or_none()
        if row is None:
            raise _missing()
        return self._open(row)

    def delete(self, tenant: str) -> None:
        """Raises `NotFoundError` if the tenant has none."""
        gone = glossaries.delete().where(glossaries.c.tenant == tenant)
        with self._database.transaction() as connection:
            if not connection.execute(gone).rowcount:
                raise _missing()

    def all(self) -> Iterator[StoredGlossary]:
        """Those of all tenants."""
        with self._database.transaction() as connection:
            rows = connection.execute(sa.select(glossaries)).all()
        for row in rows:
            yield self._open(row)

    def _open(self, row: sa.Row[tuple[object, ...]]) -> StoredGlossary:
        key = self._tenants.data_key(row.tenant)
        table = unseal(key, row.sealed, _subject(row.tenant))
        return StoredGlossary(row.tenant, row.created_at, row.merges, table)


def _subject(tenant: str) -> str:
    return f"the glossary of {tenant}"


def _missing() -> NotFoundError:
    return NotFoundError("there is no glossary", remedy="PUT /v1/glossaries gives you one")
