"""The process in which constraints are tried: what it compiles is thrown away at once.

Started by `backends/trials.py`, which alone speaks to it (`trial_messages`), through standard
input and output. It ends when its input ends, so it outlives the process that started it by one
trial at most.

What a trial may take is bounded by the operating system, which ends a process that takes more of
processor time (by `SIGPROF`), memory or stack. The stack is no larger than that of any thread that
will use the grammar.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
from typing import Any, BinaryIO

from assay.decoding.matcher import compile_constraint
from assay.decoding.trial_messages import (
    constraint_from_json,
    encode,
    error_to_json,
    read_message,
    too_much_memory,
    write_message,
)
from assay.decoding.vocabulary import Vocabulary

_STACK_BYTES = 2 * 2**20


def main() -> None:
    """Serves trials from standard input until it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with contextlib.suppress(BrokenPipeError):
        serve(sys.stdin.buffer, replies)


def serve(requests: BinaryIO, replies: BinaryIO) -> None:
    start = read_message(requests)
    if start is None:
        return
    try:
        vocabulary = Vocabulary(
            start["tokenizer_json"], start["vocab_size"], start["eos_token_ids"]
        )
        _ = vocabulary.tokenizer
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _limit(resource.RLIMIT_STACK, _STACK_BYTES)
    except BaseException as error:  # noqa: BLE001  told to the other side
        _reply(replies, error_to_json(error))
        return
    _reply(replies, None)
    while (request := read_message(requests)) is not None:
        signal.setitimer(signal.ITIMER_PROF, request["timeout_s"])
        refusal = _try(request["constraint"], vocabulary, start["memory_bytes"])
        signal.setitimer(signal.ITIMER_PROF, 0)
        _reply(replies, refusal)


def _try(
    constraint: dict[str, Any], vocabulary: Vocabulary, memory_bytes: int
) -> dict[str, Any] | None:
    # Counted from what the process has now: what earlier trials left behind is not this one's.
    _limit(resource.RLIMIT_AS, _address_space_bytes() + memory_bytes)
    try:
        compile_constraint(constraint_from_json(constraint), vocabulary)
    except MemoryError:
        return error_to_json(too_much_memory(memory_bytes))
    except BaseException as error:  # noqa: BLE001  told to the other side
        return error_to_json(error)
    finally:
        _limit(resource.RLIMIT_AS, resource.RLIM_INFINITY)
    return None


def _limit(kind: int, soft: int) -> None:
    """Sets a soft limit, as far as the hard one allows."""
    hard = resource.getrlimit(kind)[1]
    if hard != resource.RLIM_INFINITY:
        soft = hard if soft == resource.RLIM_INFINITY else min(soft, hard)
    resource.setrlimit(kind, (soft, hard))


def _address_space_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - not a real path
        return int(file.read().split()[0]) * resource.getpagesize()


def _reply(replies: BinaryIO, error: dict[str, Any] | None) -> None:
    write_message(replies, encode({"error": error}))
