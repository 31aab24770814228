"""Equal requests in flight are one computation.

Many users ask the same of the same document. As long as the first has not been answered, the
others wait for its answer; each is told on its own, and may leave on its own. The computation is
dropped when the last has left. Only greedy requests are shared, and only within one `cache_salt`:
what a tenant asks is seen by nobody else, not even in how long an answer takes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from copy import copy
from dataclasses import dataclass, field, replace
from threading import Lock

from assay.types import Generation, GenerationRequest, JsonConstraint

Receiver = Callable[[Generation | Exception], None]


@dataclass(eq=False, slots=True)
class Call:
    """One computation and who waits for it. `SharedCalls` alone writes it."""

    request: GenerationRequest
    key: Hashable | None
    receivers: list[Receiver] = field(default_factory=list)
    cancel: Callable[[], None] | None = None
    is_over: bool = False


class SharedCalls:
    """The calls in flight. May be used from any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._by_key: dict[Hashable, Call] = {}

    def join(self, request: GenerationRequest, receiver: Receiver) -> tuple[Call, bool]:
        """The call that answers `request`, and whether it is new: then the caller starts it.

        `receiver` is called once, on any thread, unless it leaves before.
        """
        key = _key(request)
        with self._lock:
            call = None if key is None else self._by_key.get(key)
            if call is not None and call.request == request:
                call.receivers.append(receiver)
                return call, False
            call = Call(request, key, [receiver])
            if key is not None:
                self._by_key.setdefault(key, call)
            return call, True

    def leave(self, call: Call, receiver: Receiver) -> None:
        """Takes a receiver out; the last to leave cancels the call."""
        with self._lock:
            if receiver in call.receivers:
                call.receivers.remove(receiver)
            if call.receivers or call.is_over:
                return
            self._end(call)
            cancel = call.cancel
        if cancel is not None:
            cancel()

    def is_over(self, call: Call) -> bool:
        """Whether nobody waits for the call any more."""
        with self._lock:
            return call.is_over

    def set_cancel(self, call: Call, cancel: Callable[[], None]) -> None:
        """Says how to drop the computation; it is dropped at once if the call is over."""
        with self._lock:
            call.cancel = cancel
            is_over = call.is_over
        if is_over:
            cancel()

    def settle(self, call: Call, result: Generation | Exception) -> None:
        """Tells all who wait; those who joined later were spared the prefill."""
        with self._lock:
            if call.is_over:
                return
            self._end(call)
            receivers, call.receivers = call.receivers, []
        for place, receiver in enumerate(receivers):
            receiver(result if place == 0 else _for_another(result))

    def _end(self, call: Call) -> None:
        call.is_over = True
        if call.key is not None and self._by_key.get(call.key) is call:
            del self._by_key[call.key]


def _for_another(result: Generation | Exception) -> Generation | Exception:
    if isinstance(result, Exception):
        return copy(result)  # each raises its own, with its own traceback
    usage = replace(result.usage, num_cached_tokens=result.usage.num_prompt_tokens)
    return replace(result, usage=usage)


def _key(request: GenerationRequest) -> Hashable | None:
    """What is equal for equal requests, the order of a schema's properties included; None for
    those that are not shared."""
    if request.sampling.temperature > 0:
        return None
    constraint: Hashable = request.constraint
    if isinstance(request.constraint, JsonConstraint):
        try:
            constraint = (json.dumps(request.constraint.schema), request.constraint.sources)
        except (TypeError, ValueError, RecursionError):
            return None
    kept = replace(request, constraint=None)
    try:
        hash(kept)
    except TypeError:
        return None
    return kept, constraint
