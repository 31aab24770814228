"""Constraints tried in a process that can be killed, before they are compiled in this one.

A compiled matcher cannot cross processes, so what passes is compiled a second time; that is the
price, and only constraints at risk pay it (`decoding/risk.py`). The process is started at the first
trial, kept for the next, killed when a trial takes too long, and started anew when it is gone. It
runs one trial at a time; those who wait for theirs wait for each other and for nobody else.

Too long is processor time, counted by the operating system, so that a verdict does not depend on
what else the machine does. Where it does so much that the time has not come together after
`_PATIENCE` times as long, the trial ends too. Verdicts are remembered by a digest of the
constraint, the last `_MAX_VERDICTS` of them, save where the machine may have been to blame.
"""

from __future__ import annotations

import hashlib
import json
import signal
import subprocess
import sys
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from threading import Lock, Timer
from typing import TYPE_CHECKING, Any

from assay.errors import (
    AssayError,
    CapacityError,
    EngineStoppedError,
    GrammarTooComplexError,
    InvalidGrammarError,
)
from assay.types import Constraint

if TYPE_CHECKING:
    from assay.decoding.vocabulary import Vocabulary

MEMORY_BYTES = 512 * 2**20
"""What compiling one constraint may take."""

_MAX_VERDICTS = 1024
_START_TIMEOUT_S = 60.0
_LONGEST_S = 86_400.0
_PATIENCE = 5
# -P and the same search path: the same modules are found, and none in the working directory.
_COMMAND = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from assay.decoding.trial_process import main; main()"
)


@dataclass(frozen=True)
class Case:
    """A constraint as it is sent to be tried."""

    body: bytes

    @cached_property
    def digest(self) -> bytes:
        return hashlib.sha256(self.body).digest()

    @classmethod
    def of(cls, constraint: Constraint) -> Case:
        """Checks the constraint's size and encodes it.

        Raises:
            InvalidGrammarError: the schema is not JSON.
            GrammarTooComplexError: it is too large to be tried at all.
        """
        from assay.decoding.grammar import check_limits
        from assay.decoding.trial_messages import constraint_to_json, encode

        check_limits(constraint)
        try:
            return cls(encode(constraint_to_json(constraint)))
        except (TypeError, ValueError) as error:
            raise InvalidGrammarError(f"the schema is not JSON: {error}") from error


class Trials:
    """Owns the process and the verdicts. May be used from any thread."""

    def __init__(self, timeout_s: float, *, memory_bytes: int = MEMORY_BYTES) -> None:
        # Timers do not count to infinity.
        self._timeout_s = min(timeout_s, _LONGEST_S)
        self._memory_bytes = memory_bytes
        self._verdicts: OrderedDict[bytes, dict[str, Any] | None] = OrderedDict()
        # Held for a whole trial; the other for an instant, so that closing need not wait.
        self._trial_lock = Lock()
        self._lock = Lock()
        self._process: _Process | None = None
        self._is_closed = False

    def is_known(self, case: Case) -> bool:
        """Whether `check` answers at once."""
        with self._lock:
            return case.digest in self._verdicts

    def check(self, case: Case, vocabulary: Vocabulary) -> None:
        """Returns if the constraint compiles in time and memory; waits for its turn before.

        Raises:
            GrammarTooComplexError: it took more than `timeout_s` of processor time, or too much
                memory or stack.
            ConstraintError: what compiling it raised.
            CapacityError: the process could not be started, or died of something else.
            EngineStoppedError: `close` was called.
        """
        from assay.decoding.trial_messages import error_to_json

        if self._recall(case):
            return
        with self._trial_lock:
            if self._recall(case):
                return
            error, is_certain = self._try(case, vocabulary)
            if is_certain:
                self._remember(case, error_to_json(error) if error else None)
        if error is not None:
            raise error

    def close(self) -> None:
        """Ends the process, and a trial under way with it. Idempotent."""
        with self._lock:
            self._is_closed = True
            process = self._process
        if process is not None:
            process.kill()
            with self._trial_lock:
                process.reap()

    def _recall(self, case: Case) -> bool:
        """Whether there is a verdict already; raises it if it is a refusal."""
        from assay.decoding.trial_messages import error_from_json

        with self._lock:
            if case.digest not in self._verdicts:
                return False
            self._verdicts.move_to_end(case.digest)
            verdict = self._verdicts[case.digest]
        if verdict is not None:
            raise error_from_json(verdict)
        return True

    def _remember(self, case: Case, verdict: dict[str, Any] | None) -> None:
        with self._lock:
            self._verdicts[case.digest] = verdict
            if len(self._verdicts) > _MAX_VERDICTS:
                self._verdicts.popitem(last=False)

    def _try(self, case: Case, vocabulary: Vocabulary) -> tuple[AssayError | None, bool]:
        """The verdict, and whether it is certain to be the constraint's own."""
        from assay.decoding.trial_messages import error_from_json

        process = self._running(vocabulary)
        request = b'{"timeout_s": %a, "constraint": %b}' % (self._timeout_s, case.body)
        verdict = process.ask(request, _PATIENCE * self._timeout_s)
        if verdict is not None:
            error = verdict["error"]
            return (error_from_json(error) if error else None), True
        self._forget(process)
        if self._is_closed:
            raise EngineStoppedError("the back end is closed")
        if process.is_late or process.exit_status == -signal.SIGPROF:
            return self._took_too_long(), not process.is_late
        if process.exit_status in (-signal.SIGABRT, -signal.SIGSEGV, -signal.SIGBUS):
            from assay.decoding.trial_messages import too_much_memory

            return too_much_memory(self._memory_bytes), True
        raise CapacityError(
            f"the process that tries constraints died (exit status {process.exit_status})",
            remedy="ask again: the next request starts another",
        )

    def _took_too_long(self) -> GrammarTooComplexError:
        return GrammarTooComplexError(
            f"the constraint was not compiled within {self._timeout_s:g} s of processor time",
            remedy="simplify the schema, shorten the source, or raise grammar_timeout_s",
        )

    def _running(self, vocabulary: Vocabulary) -> _Process:
        from assay.decoding.trial_messages import encode, error_from_json

        with self._lock:
            if self._is_closed:
                raise EngineStoppedError("the back end is closed")
            if self._process is not None:
                return self._process
            try:
                process = self._process = _Process()
            except OSError as error:
                raise CapacityError(
                    f"the process that tries constraints did not start: {error}"
                ) from error
        start = {
            "tokenizer_json": vocabulary.tokenizer_json,
            "vocab_size": vocabulary.vocab_size,
            "eos_token_ids": vocabulary.eos_token_ids,
            "memory_bytes": self._memory_bytes,
        }
        ready = process.ask(encode(start), _START_TIMEOUT_S)
        if ready is not None and ready["error"] is None:
            return process
        self._forget(process)
        if self._is_closed:
            raise EngineStoppedError("the back end is closed")
        if ready is not None:
            raise error_from_json(ready["error"])
        raise CapacityError(
            f"the process that tries constraints did not start (exit status {process.exit_status})"
        )

    def _forget(self, process: _Process) -> None:
        process.kill()
        process.reap()
        with self._lock:
            self._process = None


class _Process:
    """One process from its start to its end."""

    def __init__(self) -> None:
        self.is_late = False
        self._popen = subprocess.Popen(
            [sys.executable, "-P", "-c", _COMMAND, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    @property
    def exit_status(self) -> int | None:
        """Negative: the signal that ended it; None as long as it has not been reaped."""
        return self._popen.returncode

    def ask(self, body: bytes, timeout_s: float) -> Mapping[str, Any] | None:
        """Sends a message and returns the answer; None if the process died, or was killed for
        being late."""
        from assay.decoding.trial_messages import read_message, write_message

        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        timer = Timer(timeout_s, self._end)
        timer.daemon = True
        timer.start()
        try:
            write_message(self._popen.stdin, body)
            answer = read_message(self._popen.stdout)
        except (OSError, ValueError):
            answer = None
        finally:
            timer.cancel()
            timer.join()
        return None if self.is_late else answer

    def _end(self) -> None:
        self.is_late = True
        self.kill()

    def kill(self) -> None:
        self._popen.kill()

    def reap(self) -> None:
        """Waits for the end of a process that was killed or died."""
        self._popen.wait()
        for pipe in (self._popen.stdin, self._popen.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()
