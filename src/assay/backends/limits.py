"""A limit on how long a request's preparation is waited for."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


def within(seconds: float, work: Callable[[], T]) -> T:
    """What `work` returns or raises, if it does so in time.

    The work runs on a thread of its own, which goes on to its end when the time is up: what bounds
    it is the work's own affair.

    Raises:
        TimeoutError: it takes longer than `seconds`.
    """
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001  raised by whoever waits
            future.set_exception(error)

    Thread(target=run, name="assay-limited", daemon=True).start()
    return future.result(seconds)
