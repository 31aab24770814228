"""API keys: `assay_KEYID_SECRET`, of which only the secret's hash is kept.

A secret is 256 random bits, so SHA-256 is hash enough; it is compared in constant time.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import sqlalchemy as sa

from assay.errors import AuthenticationError, InputError, NotFoundError
from assay.server.store.database import Database
from assay.server.store.tables import keys, tenants

_TOKEN = re.compile(r"assay_([0-9a-f]{12})_([A-Za-z0-9_-]{43})")


class Scope(StrEnum):
    """What a key may do."""

    ANALYZE = "analyze"
    DOCUMENTS = "documents"
    GLOSSARIES = "glossaries"
    USAGE = "usage"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key without its secret."""

    key_id: str
    tenant: str
    label: str
    scopes: frozenset[Scope]
    created_at: float
    expires_at: float | None
    revoked_at: float | None

    def is_valid(self, now: float) -> bool:
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)


class KeyStore:
    """Creates, checks, rotates and revokes keys."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def create(
        self,
        tenant: str,
        label: str = "",
        scopes: Iterable[Scope] = (Scope.ANALYZE, Scope.DOCUMENTS, Scope.USAGE),
        valid_for_s: float | None = None,
    ) -> tuple[ApiKey, str]:
        """A new key and its token, which is told only here.

        Raises:
            NotFoundError: there is no such tenant.
            InputError: it would have no scope, or be valid for no time.
        """
        chosen = frozenset(scopes)
        if not chosen:
            raise InputError("a key without a scope opens nothing", remedy="give it one")
        if valid_for_s is not None and valid_for_s <= 0:
            raise InputError("a key has to be valid for a while")
        now = self._clock()
        expires_at = None if valid_for_s is None else now + valid_for_s
        key_id, secret = secrets.token_hex(6), secrets.token_urlsafe(32)
        made = ApiKey(key_id, tenant, label, chosen, now, expires_at, None)
        with self._database.transaction() as connection:
            known = sa.select(tenants.c.name).where(tenants.c.name == tenant)
            if connection.execute(known).first() is None:
                raise NotFoundError(
                    f"there is no tenant {tenant!r}", remedy=f"assay tenants create {tenant}"
                )
            connection.execute(
                keys.insert().values(
                    key_id=key_id,
                    tenant=tenant,
                    label=label,
                    secret_hash=_hash(secret),
                    scopes=" ".join(sorted(chosen)),
                    created_at=now,
                    expires_at=expires_at,
                )
            )
        return made, f"assay_{key_id}_{secret}"

    def check(self, token: str) -> ApiKey:
        """The key that a token is of.

        Raises:
            AuthenticationError: of none, or of one that has expired, was revoked, or whose tenant
                is kept out. Which of these is not told.
        """
        match = _TOKEN.fullmatch(token)
        if match:
            chosen = sa.select(keys, tenants.c.is_active).join(tenants)
            with self._database.transaction() as connection:
                row = connection.execute(chosen.where(keys.c.key_id == match[1])).one_or_none()
            if row and hmac.compare_digest(row.secret_hash, _hash(match[2])):
                found = _as_key(row)
                if row.is_active and found.is_valid(self._clock()):
                    return found
        raise AuthenticationError(
            "that API key is not valid",
            remedy="send a key of `assay keys create` as a bearer token",
        )

    def all(self, tenant: str | None = None) -> Sequence[ApiKey]:
        """All keys, or those of one tenant, the newest first."""
        chosen = sa.select(keys).order_by(keys.c.created_at.desc())
        if tenant is not None:
            chosen = chosen.where(keys.c.tenant == tenant)
        with self._database.transaction() as connection:
            return [_as_key(row) for row in connection.execute(chosen)]

    def revoke(self, key_id: str, after_s: float = 0.0) -> ApiKey:
        """Ends a key now, or after a while in which its holder changes to another.

        Raises:
            NotFoundError: there is no such key.
        """
        now = self._clock()
        ending = {"revoked_at": now} if after_s <= 0 else {"expires_at": now + after_s}
        with self._database.transaction() as connection:
            changed = keys.update().where(keys.c.key_id == key_id).values(**ending)
            if not connection.execute(changed).rowcount:
                raise NotFoundError(f"there is no key {key_id!r}", remedy="assay keys list")
            row = connection.execute(sa.select(keys).where(keys.c.key_id == key_id)).one()
        return _as_key(row)

    def rotate(self, key_id: str, overlap_s: float = 0.0) -> tuple[ApiKey, str]:
        """A new key for the holder of an old one, which ends after `overlap_s`; the new one is
        valid for as long as the old one was made for.

        Raises:
            NotFoundError: there is no such key.
        """
        old = next((item for item in self.all() if item.key_id == key_id), None)
        if old is None:
            raise NotFoundError(f"there is no key {key_id!r}", remedy="assay keys list")
        valid_for_s = None if old.expires_at is None else old.expires_at - old.created_at
        made = self.create(old.tenant, old.label, old.scopes, valid_for_s)
        self.revoke(key_id, overlap_s)
        return made


def _hash(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def _as_key(row: sa.Row[tuple[object, ...]]) -> ApiKey:
    return ApiKey(
        row.key_id,
        row.tenant,
        row.label,
        frozenset(map(Scope, row.scopes.split())),
        row.created_at,
        row.expires_at,
        row.revoked_at,
    )
