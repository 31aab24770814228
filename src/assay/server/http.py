"""Serving an application until the process is told to end."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

_ENDING = (signal.SIGINT, signal.SIGTERM)


def run_server(app: ASGIApp, host: str, port: int) -> None:
    """Serves until SIGINT or SIGTERM, then takes no more requests, finishes those that it has, and
    returns. A second SIGINT ends it where it stands."""
    config = uvicorn.Config(app, host=host, port=port, log_level="info", server_header=False)
    asyncio.run(_Server(config).serve())


class _Server(uvicorn.Server):
    """uvicorn's, whose ending by a signal is no failure of the process."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # Whoever else hears of signals (the command ends within a second) has to let it finish.
        handlers = {signum: signal.signal(signum, self.handle_exit) for signum in _ENDING}
        wakeup_fd = signal.set_wakeup_fd(-1)
        try:
            yield
        finally:
            signal.set_wakeup_fd(wakeup_fd)
            for signum, handler in handlers.items():
                signal.signal(signum, handler)
