"""Ctrl-C ends the command within a second, whatever the main thread is doing.

Python runs signal handlers in the main thread, between two instructions: a thread that sits in
a long native call (a matrix product, a page of a PDF) answers late. So a second thread hears of
the signal through the wake-up descriptor. The main thread gets `KeyboardInterrupt` and a grace
period to unwind; when it is over, or at a second signal, the process ends where it stands.

=========================  ====================================================================
first SIGINT or SIGTERM    `KeyboardInterrupt` in the main thread
`GRACE_S` later            clean-up by the watcher, `os._exit(128 + signal)`
second signal              the same, at once
=========================  ====================================================================
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, Self

GRACE_S = 0.6
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_DONE = b"\0"


class Interrupts:
    """Holds the two signals while entered; to be entered in the main thread, once.

    `clean_up` runs in the watcher just before the process is ended by it; it must be safe beside
    whatever the main thread does. `received` is the number of the first signal, 0 if none came.
    """

    def __init__(self, clean_up: Callable[[], None], *, grace_s: float = GRACE_S) -> None:
        self.received = 0
        self._clean_up = clean_up
        self._grace_s = grace_s
        self._handlers: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        self._read_fd, self._write_fd = os.pipe()
        os.set_blocking(self._write_fd, False)
        for signum in _SIGNALS:
            self._handlers[signum] = signal.signal(signum, self._interrupt)
        self._wakeup_fd = signal.set_wakeup_fd(self._write_fd, warn_on_full_buffer=False)
        self._watcher = threading.Thread(target=self._watch, name="assay-interrupts", daemon=True)
        self._watcher.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        signal.set_wakeup_fd(self._wakeup_fd)
        for signum, handler in self._handlers.items():
            signal.signal(signum, handler)
        os.write(self._write_fd, _DONE)
        self._watcher.join()
        os.close(self._read_fd)
        os.close(self._write_fd)

    def _interrupt(self, signum: int, frame: FrameType | None) -> None:  # noqa: ARG002
        if not self.received:
            self.received = signum
            raise KeyboardInterrupt

    def _watch(self) -> None:
        first = os.read(self._read_fd, 1)
        if first == _DONE:
            return
        if select.select([self._read_fd], [], [], self._grace_s)[0]:
            second = os.read(self._read_fd, 1)
            if second == _DONE:
                return
        self._clean_up()
        if sys.stderr.isatty():
            os.write(sys.stderr.fileno(), b"\x1b[?25h\n")  # a progress line hides the cursor
        os._exit(128 + first[0])
