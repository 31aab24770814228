"""Tenants: whose documents they are, and the data key that encrypts what is kept of them."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from assay.errors import ConflictError, InputError, NotFoundError, SealBrokenError
from assay.server.store.database import Database
from assay.server.store.sealing import MasterKeys, new_key, seal, unseal
from assay.server.store.tables import tenants

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")


@dataclass(frozen=True, slots=True)
class Tenant:
    name: str
    created_at: float
    is_active: bool


class TenantStore:
    """Creates tenants, and opens their data keys with the master keys."""

    def __init__(self, database: Database, master_keys: MasterKeys) -> None:
        self._database = database
        self._master_keys = master_keys

    def create(self, name: str) -> Tenant:
        """Raises `InputError` for a name that is none, `ConflictError` for one that is taken."""
        if not _NAME.fullmatch(name):
            raise InputError(
                f"{name!r} is no tenant's name",
                remedy="lower-case letters, digits, - and _; at most 63",
            )
        made = Tenant(name, time.time(), True)
        current = self._master_keys.current
        sealed = seal(self._master_keys.keys[current], new_key(), _subject(name))
        try:
            with self._database.transaction() as connection:
                connection.execute(
                    tenants.insert().values(
                        name=name,
                        created_at=made.created_at,
                        is_active=True,
                        master_key=current,
                        sealed_key=sealed,
                    )
                )
        except sa.exc.IntegrityError:
            raise ConflictError(f"there is a tenant {name!r} already") from None
        return made

    def all(self) -> Sequence[Tenant]:
        """All tenants by name."""
        chosen = sa.select(tenants.c.name, tenants.c.created_at, tenants.c.is_active)
        with self._database.transaction() as connection:
            rows = connection.execute(chosen.order_by(tenants.c.name)).all()
        return [Tenant(*row) for row in rows]

    def set_active(self, name: str, is_active: bool) -> None:
        """Lets a tenant in or keeps it out; what it has is kept. Raises `NotFoundError`."""
        changed = tenants.update().where(tenants.c.name == name).values(is_active=is_active)
        with self._database.transaction() as connection:
            if not connection.execute(changed).rowcount:
                raise NotFoundError(f"there is no tenant {name!r}")

    def data_key(self, name: str) -> bytes:
        """The key that encrypts what is kept of a tenant.

        Raises:
            NotFoundError: there is no such tenant.
            SealBrokenError: its master key is not at hand.
        """
        chosen = sa.select(tenants.c.master_key, tenants.c.sealed_key)
        with self._database.transaction() as connection:
            row = connection.execute(chosen.where(tenants.c.name == name)).one_or_none()
        if row is None:
            raise NotFoundError(f"there is no tenant {name!r}")
        return self._open(name, row.master_key, row.sealed_key)

    def seal_anew(self, master_keys: MasterKeys) -> int:
        """Seals all data keys with the current one of other master keys, which still open the old
        seals; says how many were."""
        current = master_keys.current
        chosen = sa.select(tenants.c.name, tenants.c.master_key, tenants.c.sealed_key)
        with self._database.transaction() as connection:
            rows = connection.execute(chosen.where(tenants.c.master_key != current)).all()
            for row in rows:
                key = self._open(row.name, row.master_key, row.sealed_key)
                sealed = seal(master_keys.keys[current], key, _subject(row.name))
                connection.execute(
                    tenants.update()
                    .where(tenants.c.name == row.name)
                    .values(master_key=current, sealed_key=sealed)
                )
        self._master_keys = master_keys
        return len(rows)

    def _open(self, name: str, master_key: str, sealed: bytes) -> bytes:
        key = self._master_keys.keys.get(master_key)
        if key is None:
            raise SealBrokenError(
                f"the key of tenant {name!r} is sealed with the master key {master_key}, which is "
                "not at hand",
                remedy="put it back into the file of master keys",
            )
        return unseal(key, sealed, _subject(name))


def _subject(name: str) -> str:
    return f"the key of tenant {name}"
