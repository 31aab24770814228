"""A bound on what a client may send, before anything is read into memory (ASGI middleware)."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assay.errors import TooLargeError


class BodyLimit:
    """Refuses requests of more than `max_bytes`, by their header, or as soon as more has come."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        said = dict(scope["headers"]).get(b"content-length", b"")
        # Raised where the body is read, so that the answer is made where all errors are.
        num_left = -1 if said.isdigit() and int(said) > self._max_bytes else self._max_bytes

        async def counted() -> Message:
            nonlocal num_left
            message = {} if num_left < 0 else await receive()
            num_left -= len(message.get("body", b""))
            if num_left < 0:
                raise TooLargeError(
                    f"the request is larger than {self._max_bytes:,} bytes",
                    remedy="send a smaller document, or raise max_body_bytes",
                )
            return message

        await self._app(scope, counted, send)
