"""A peer that runs as a worker in its own virtual environment, spoken to over its pipes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from benchmarks.peers.base import PeerAnswer, PeerRequest
from benchmarks.peers.child import Child


class PipedPeer:
    """Starts `python -m MODULE ARGUMENTS` with the interpreter of a virtual environment.

    Raises:
        PeerError: the worker did not become ready.
    """

    def __init__(
        self,
        name: str,
        python: Path,
        module: str,
        arguments: Sequence[str],
        log: Path,
        *,
        environment: Mapping[str, str] | None = None,
        start_timeout_s: float = 180,
        batch_timeout_s: float = 1800,
    ) -> None:
        self.name = name
        self._batch_timeout_s = batch_timeout_s
        started = time.monotonic()
        command = [str(python), "-m", module, *arguments]
        self._child = Child(command, log, environment or {})
        try:
            ready = self._child.receive(started + start_timeout_s)
        except BaseException:
            self._child.close()
            raise
        self.start_s = time.monotonic() - started
        self.settings: Mapping[str, Any] = ready["settings"]

    @property
    def pid(self) -> int:
        return self._child.pid

    def generate(self, requests: Sequence[PeerRequest]) -> list[PeerAnswer]:
        for request in requests:
            self._child.send(asdict(request))
        self._child.send({"go": True})
        deadline = time.monotonic() + self._batch_timeout_s
        answers: dict[int, PeerAnswer] = {}
        while len(answers) < len(requests):
            message = self._child.receive(deadline)
            index = message.pop("index")
            answers[index] = PeerAnswer(**message)
        return [answers[index] for index in range(len(requests))]

    def close(self) -> None:
        self._child.close()
