"""Who asks: the bearer token of a request, checked for what the route needs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from assay.errors import AuthenticationError, ForbiddenError
from assay.server.service import Service, service_of
from assay.server.store.audit import Event, fingerprint_of
from assay.server.store.keys import ApiKey, Scope

_BEARER = HTTPBearer(auto_error=False, description="A key of `assay keys create`.")


@dataclass(frozen=True, slots=True)
class Caller:
    """The key of a request, and what names its client in the audit log."""

    key: ApiKey
    fingerprint: str
    service: Service

    @property
    def tenant(self) -> str:
        return self.key.tenant

    async def note(self, action: str, subject: str = "", outcome: str = "ok") -> None:
        """Writes what was done into the audit log."""
        event = Event(action, outcome, self.tenant, self.key.key_id, subject, self.fingerprint)
        await asyncio.to_thread(self.service.audit.append, event)


def caller_with(scope: Scope) -> Callable[..., Awaitable[Caller]]:
    """A dependency: the caller, who has a valid key with this scope.

    Raises (when it runs):
        AuthenticationError: no key, or none that is valid. The attempt is written down.
        ForbiddenError: the key lacks the scope.
        RateLimitError: its tenant asks too often.
    """

    async def find(
        request: Request,
        credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_BEARER)],
    ) -> Caller:
        service = service_of(request)
        fingerprint = client_of(request)
        try:
            if credentials is None:
                raise AuthenticationError(
                    "the request carries no API key",
                    remedy="send `Authorization: Bearer KEY`; `assay keys create` makes one",
                )
            key = await asyncio.to_thread(service.keys.check, credentials.credentials)
        except AuthenticationError:
            event = Event("authenticate", "refused", fingerprint=fingerprint)
            await asyncio.to_thread(service.audit.append, event)
            raise
        caller = Caller(key, fingerprint, service)
        service.rates.take(key.tenant)
        if scope not in key.scopes:
            await caller.note(f"{request.method} {request.url.path}", outcome="forbidden")
            raise ForbiddenError(
                f"the key {key.key_id} may not do this: it lacks the scope {scope.value!r}",
                remedy="create a key that has it",
            )
        return caller

    return find


def client_of(request: Request) -> str:
    """The fingerprint of a request's client."""
    address = request.client.host if request.client else ""
    return fingerprint_of(address, request.headers.get("user-agent", ""), time.time())
