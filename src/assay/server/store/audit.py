"""The audit log: who did what, append-only, each entry chained to the one before by its hash.

`entry_hash = SHA-256(previous_hash || canonical JSON of the entry)`. A row that is changed, added
or taken from the middle breaks the chain where `verify` finds it; triggers refuse changes in the
first place. An entry holds no word of a document.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from assay.errors import AuditBrokenError
from assay.server.store.database import Database
from assay.server.store.tables import audit

_GENESIS = bytes(32)
#: PostgreSQL's lock under which one writer at a time finds the last entry.
_ADVISORY_LOCK = 0x61737361


@dataclass(frozen=True, slots=True)
class Event:
    """What is to be written. `fingerprint` names the client of a request (`fingerprint_of`)."""

    action: str
    outcome: str
    tenant: str = ""
    key_id: str = ""
    subject: str = ""
    fingerprint: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Entry:
    number: int
    at: float
    event: Event


class AuditLog:
    """Appends entries, reads them, and tells whether any was tampered with."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def append(self, event: Event) -> None:
        """Writes an entry behind the last one. Raises `StoreError`."""
        with self._database.transaction() as connection:
            if not self._database.is_sqlite:
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_ADVISORY_LOCK)))
            newest = sa.select(audit.c.number, audit.c.entry_hash)
            last = connection.execute(newest.order_by(audit.c.number.desc()).limit(1)).first()
            number, previous = (last.number + 1, last.entry_hash) if last else (1, _GENESIS)
            row = {
                "number": number,
                "at": self._clock(),
                "tenant": event.tenant,
                "key_id": event.key_id,
                "action": event.action,
                "subject": event.subject,
                "outcome": event.outcome,
                "fingerprint": event.fingerprint,
                "details": json.dumps(event.details, sort_keys=True, ensure_ascii=False),
            }
            connection.execute(
                audit.insert().values(
                    **row, previous_hash=previous, entry_hash=_hash(previous, row)
                )
            )

    def entries(self, tenant: str | None = None, limit: int = 100) -> list[Entry]:
        """The last entries, of all or of one tenant, the newest first."""
        chosen = sa.select(audit).order_by(audit.c.number.desc()).limit(limit)
        if tenant is not None:
            chosen = chosen.where(audit.c.tenant == tenant)
        with self._database.transaction() as connection:
            return [_as_entry(row) for row in connection.execute(chosen)]

    def verify(self, head: str | None = None) -> tuple[int, str]:
        """How many entries there are, all as they were written, and the hash of the last in
        hexadecimal: the head. A head that was kept elsewhere tells whether the end was cut off.

        Raises:
            AuditBrokenError: one was changed, added or taken away; the message says which.
        """
        seen = head is None
        number, previous = 0, _GENESIS
        for row in self._rows():
            number += 1
            if row.number != number:
                raise _broken(f"entry {number} is missing")
            content = {name: getattr(row, name) for name in _HASHED}
            if row.previous_hash != previous or row.entry_hash != _hash(previous, content):
                raise _broken(f"entry {number} is not as it was written")
            previous = row.entry_hash
            seen |= previous.hex() == head
        if not seen:
            raise _broken("the entry with the head that you kept is gone")
        return number, previous.hex()

    def _rows(self) -> Iterator[Any]:
        with self._database.transaction() as connection:
            yield from connection.execute(sa.select(audit).order_by(audit.c.number))


_HASHED = (
    "number", "at", "tenant", "key_id", "action", "subject", "outcome", "fingerprint", "details",
)  # fmt: skip


def fingerprint_of(address: str, agent: str, at: float) -> str:
    """What names a client for an hour: SHA-256 over its address, its user agent and the hour."""
    return hashlib.sha256(f"{address}\n{agent}\n{int(at // 3600)}".encode()).hexdigest()


def _hash(previous: bytes, row: Mapping[str, Any]) -> bytes:
    content = json.dumps(row, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(previous + content.encode()).digest()


def _as_entry(row: Any) -> Entry:
    event = Event(
        row.action,
        row.outcome,
        row.tenant,
        row.key_id,
        row.subject,
        row.fingerprint,
        json.loads(row.details),
    )
    return Entry(row.number, row.at, event)


def _broken(what: str) -> AuditBrokenError:
    return AuditBrokenError(
        f"the audit log was tampered with: {what}",
        remedy="keep this database as evidence and restore the log from a backup",
    )
