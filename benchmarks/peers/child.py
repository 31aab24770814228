"""A process started here, spoken to in lines of JSON, and ended by its own id.

A child gets a session of its own: Ctrl-C reaches only this process, which ends the child, and what
the child started, in `close`.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.peers.base import PeerError

ROOT = Path(__file__).parents[2]
_TERMINATE_S = 20


class Child:
    """A running process; its standard error, and its output where unread, go to `log`."""

    def __init__(
        self,
        command: Sequence[str],
        log: Path,
        environment: Mapping[str, str],
        *,
        speaks_json: bool = True,
    ) -> None:
        log.parent.mkdir(parents=True, exist_ok=True)
        self.log = log
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        with log.open("wb") as errors:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE if speaks_json else subprocess.DEVNULL,
                stdout=subprocess.PIPE if speaks_json else errors,
                stderr=errors,
                env={**os.environ, **environment},
                cwd=ROOT,
                start_new_session=True,
            )
        if speaks_json:
            threading.Thread(target=self._read, daemon=True).start()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def send(self, message: Mapping[str, Any]) -> None:
        """Writes one message.

        Raises:
            PeerError: the process has gone.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self.failed("went away") from error

    def receive(self, deadline: float) -> dict[str, Any]:
        """The next message; `deadline` is a time of `time.monotonic`.

        Raises:
            PeerError: none came in time, the process has gone, or it reports an error.
        """
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise self.failed("did not answer in time") from None
        if line is None:
            raise self.failed("ended")
        message: dict[str, Any] = json.loads(line)
        if "error" in message:
            raise PeerError(message["error"])
        return message

    def failed(self, what: str) -> PeerError:
        """An error that says what happened, with the end of the log."""
        tail = self.log.read_text(encoding="utf-8", errors="replace").strip().splitlines()[-5:]
        return PeerError(f"the process {what}; {self.log} ends: " + " | ".join(tail))

    def close(self) -> None:
        """Asks the process to end, waits, and kills what is left of its session."""
        if self._process.stdin is not None and not self._process.stdin.closed:
            with contextlib.suppress(OSError):  # it has gone already
                self._process.stdin.close()
        if self.is_running:
            self._process.terminate()
        try:
            self._process.wait(_TERMINATE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        with contextlib.suppress(ProcessLookupError):  # nothing of the session is left
            os.killpg(self._process.pid, signal.SIGKILL)
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            for line in self._process.stdout:
                self._lines.put(line.decode("utf-8", errors="replace"))
        except ValueError:
            pass  # closed while reading
        self._lines.put(None)
