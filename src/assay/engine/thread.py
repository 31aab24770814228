"""The thread that an engine runs on, and the way in and out of it.

Only this thread touches the engine. Others put orders into an inbox, read between steps; results
go out through each request's own `deliver`, called on the engine thread, once, with a generation
or an error. Nothing in flight is ever left without one of the two, save what was cancelled.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from collections.abc import Sequence as Seq
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Condition, Thread, current_thread

from assay.engine.chaining import ChainedPrompt
from assay.engine.engine import Engine
from assay.engine.sequence import Constraint
from assay.errors import AssayError, EngineStoppedError
from assay.kv_cache.statistics import CacheStatistics
from assay.types import Generation, GenerationRequest

_logger = logging.getLogger(__name__)

Deliver = Callable[[Generation | AssayError], None]


@dataclass(frozen=True, slots=True)
class _Add:
    ticket: int
    request: GenerationRequest
    prompt_ids: Seq[int]
    constraint: Constraint | None
    deliver: Deliver
    segments: Seq[range]
    chained: ChainedPrompt | None


@dataclass(frozen=True, slots=True)
class _Cancel:
    ticket: int


@dataclass(frozen=True, slots=True)
class _Check:
    result: Future[int]


class EngineThread:
    """Runs `engine` on a daemon thread from construction to `close`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._wake = Condition()
        self._inbox: list[_Add | _Cancel | _Check] = []
        self._is_closing = False
        self._next_ticket = 0
        # The two maps belong to the engine thread.
        self._request_ids: dict[int, int] = {}
        self._in_flight: dict[int, _Add] = {}
        self._thread = Thread(target=self._run, name="assay-engine", daemon=True)
        self._thread.start()

    def submit(
        self,
        request: GenerationRequest,
        prompt_ids: Seq[int],
        constraint: Constraint | None,
        deliver: Deliver,
        segments: Seq[range] = (),
        chained: ChainedPrompt | None = None,
    ) -> int:
        """Queues a request (`Engine.add_request`); returns a ticket for `cancel`. May be called
        from any thread.

        Raises:
            EngineStoppedError: `close` has been called.
        """
        with self._wake:
            if self._is_closing:
                raise EngineStoppedError("the engine is closed")
            ticket = self._next_ticket
            self._next_ticket += 1
            self._inbox.append(
                _Add(ticket, request, prompt_ids, constraint, deliver, segments, chained)
            )
            self._wake.notify()
        return ticket

    def cancel(self, ticket: int) -> None:
        """Drops a request before the next step; nothing more is delivered for it afterwards."""
        with self._wake:
            self._inbox.append(_Cancel(ticket))
            self._wake.notify()

    def check_integrity(self) -> Future[int]:
        """Checks the engine's invariants between two steps, after the orders given before.

        The result is the number of KV blocks that requests hold then, or the `AssertionError` of
        an invariant that is broken. May be called from any thread.

        Raises:
            EngineStoppedError: `close` has been called.
        """
        check = _Check(Future())
        with self._wake:
            if self._is_closing:
                raise EngineStoppedError("the engine is closed")
            self._inbox.append(check)
            self._wake.notify()
        return check.result

    @property
    def cache_statistics(self) -> CacheStatistics:
        """Where the blocks of prompts came from so far. May be read from any thread."""
        return self._engine.cache_statistics

    def close(self) -> None:
        """Fails what is in flight with `EngineStoppedError`, saves the cache where the engine has a
        disk to save it to, and ends the thread. Idempotent."""
        with self._wake:
            self._is_closing = True
            self._wake.notify()
        if current_thread() is not self._thread:
            self._thread.join()

    def _run(self) -> None:
        error = EngineStoppedError("the engine was closed with the request in flight")
        has_died = False
        try:
            while self._take_orders():
                self._step()
        except BaseException as cause:
            _logger.exception("the engine thread died")
            error = EngineStoppedError(f"the engine died: {cause!r}")
            has_died = True
        finally:
            with self._wake:
                self._is_closing = True
                late, self._inbox = self._inbox, []
            for order in [*self._in_flight.values(), *late]:
                if isinstance(order, _Add):
                    self._deliver(order, error)
                elif isinstance(order, _Check) and order.result.set_running_or_notify_cancel():
                    order.result.set_exception(error)
            self._in_flight = {}
            self._request_ids = {}
            self._close_engine(has_died=has_died)

    def _close_engine(self, *, has_died: bool) -> None:
        try:
            if has_died:
                # What a broken step has left is not worth keeping.
                self._engine.abort()
            self._engine.close()
        except Exception:
            _logger.exception("the engine could not be closed in good order")

    def _take_orders(self) -> bool:
        """Waits until there is something to do and reads the inbox; false when closing."""
        with self._wake:
            while not (self._inbox or self._is_closing or self._engine.has_work):
                self._wake.wait()
            if self._is_closing:
                return False
            orders, self._inbox = self._inbox, []
        for order in orders:
            if isinstance(order, _Add):
                self._add(order)
            elif isinstance(order, _Cancel):
                self._drop(order.ticket)
            else:
                self._check(order)
        return True

    def _add(self, order: _Add) -> None:
        try:
            request_id = self._engine.add_request(
                order.request, order.prompt_ids, order.constraint, order.segments, order.chained
            )
        except AssayError as error:
            self._deliver(order, error)
            return
        except Exception as cause:
            _logger.exception("a request could not be queued")
            self._deliver(order, AssayError(f"the request could not be queued: {cause!r}"))
            return
        self._request_ids[order.ticket] = request_id
        self._in_flight[request_id] = order

    def _drop(self, ticket: int) -> None:
        request_id = self._request_ids.pop(ticket, None)
        if request_id is not None:
            del self._in_flight[request_id]
            self._engine.cancel(request_id)

    def _check(self, order: _Check) -> None:
        if not order.result.set_running_or_notify_cancel():
            return
        try:
            self._engine.check_integrity()
            order.result.set_result(self._engine.num_held_blocks)
        except Exception as broken:  # noqa: BLE001  whatever it is, it is for who asked
            order.result.set_exception(broken)

    def _step(self) -> None:
        try:
            finished = self._engine.step()
        except Exception as cause:
            # One bad step must hang nobody: all who were in it are told, the next start anew.
            _logger.exception("an engine step failed")
            self._engine.abort()
            error = EngineStoppedError(f"the engine failed in a step: {cause!r}")
            for order in self._in_flight.values():
                self._deliver(order, error)
            self._in_flight = {}
            self._request_ids = {}
            return
        for item in finished:
            order = self._in_flight.pop(item.request_id)
            del self._request_ids[order.ticket]
            result = item.generation if item.generation is not None else item.error
            assert result is not None
            self._deliver(order, result)

    def _deliver(self, order: _Add, result: Generation | AssayError) -> None:
        try:
            order.deliver(result)
        except Exception:
            _logger.exception("a result could not be delivered")
