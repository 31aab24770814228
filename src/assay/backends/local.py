"""The engine as a back end, in the caller's process.

Three kinds of thread meet here. The caller's event loop awaits; a small pool renders, encodes and
compiles (the tokenizer and the constraint compiler let go of the interpreter lock); the engine
thread computes. A request that fails in preparation never reaches the engine, and equal requests
in flight are one (`backends/shared.py`).

Compiling a constraint: an ordinary one is compiled at once, in milliseconds. One at risk of taking
long (`decoding/risk.py`) is first tried in a process that is killed after
`EngineConfig.grammar_timeout_s` (`backends/trials.py`); only what passes there is compiled here.
Trials have a thread of their own, and so have the compilations after them, so that no ordinary
request waits for either.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from assay.backends.base import BackendInfo
from assay.backends.checks import check_request
from assay.backends.shared import Call, SharedCalls
from assay.backends.trials import Case, Trials
from assay.engine.config import EngineConfig
from assay.errors import AssayError, EngineStoppedError
from assay.models.packed import load_packed
from assay.models.store import DEFAULT_MODEL, resolve_model
from assay.types import Generation, GenerationRequest, JsonConstraint

if TYPE_CHECKING:
    from assay.engine.load import LoadedEngine
    from assay.engine.warmup import WarmUp

_NUM_PREPARING_THREADS = 2


class LocalBackend:
    """Runs a packed model in process. Construction is cheap; the engine starts at first use.

    `model` is the name of a pulled model, or the path of a packed one.

    Raises:
        ModelNotPulledError: there is no such model here.
        CorruptModelError, UnsupportedModelError: it cannot be used.
    """

    def __init__(
        self, model: str | Path = DEFAULT_MODEL, *, config: EngineConfig | None = None
    ) -> None:
        self.config = config or EngineConfig()
        self._packed = load_packed(resolve_model(model))
        self._executor = ThreadPoolExecutor(_NUM_PREPARING_THREADS, "assay-prepare")
        self._trial_executor = ThreadPoolExecutor(1, "assay-trial")
        self._tried_executor = ThreadPoolExecutor(1, "assay-prepare-tried")
        self._trials = Trials(self.config.grammar_timeout_s)
        self._calls = SharedCalls()
        self._lock = Lock()
        self._loaded: LoadedEngine | None = None
        self._warm_up: WarmUp | None = None
        self._is_closed = False

    @property
    def info(self) -> BackendInfo:
        choices = None if self._loaded is None else self._loaded.choices
        return BackendInfo(
            "local",
            self._packed.name,
            self._packed.config.max_position_embeddings,
            "" if choices is None else choices.describe(),
        )

    def start(self) -> None:
        """Loads the weights and starts the engine, if that has not been done; takes seconds.

        What first requests would wait for is then done on a thread of its own, up to the first
        request (`EngineConfig.warm_up`).

        Raises:
            EngineStoppedError: the back end is closed.
            ModelError: the model does not load.
            ConfigError: the configuration does not suit the model.
        """
        self._engine()

    def count_tokens(self, text: str) -> int:
        return self._engine().tokenizer.count(text)

    async def generate(self, request: GenerationRequest) -> Generation:
        check_request(request)
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Generation] = loop.create_future()
        receiver = partial(_hand_over, loop, future)
        call, is_new = self._calls.join(request, receiver)
        if is_new:
            self._submit(self._executor, call, partial(self._begin, call))
        try:
            return await future
        except asyncio.CancelledError:
            self._calls.leave(call, receiver)
            raise

    def check_integrity(self) -> int:
        """Checks every invariant of the engine between two steps; waits for the step in progress.

        Returns the number of KV blocks that requests hold: 0 once all have ended.

        Raises:
            AssertionError: an invariant is broken.
            EngineStoppedError: the back end is closed.
        """
        return self._engine().thread.check_integrity().result()

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            loaded, self._loaded = self._loaded, None
            if self._warm_up is not None:
                self._warm_up.give_way()
        if loaded is not None:
            loaded.thread.close()
            if loaded.merger is not None:
                loaded.merger.close()
        self._trials.close()
        for executor in (self._executor, self._trial_executor, self._tried_executor):
            executor.shutdown(wait=False)

    def _engine(self) -> LoadedEngine:
        with self._lock:
            if self._is_closed:
                raise EngineStoppedError("the back end is closed")
            if self._loaded is None:
                from assay.engine.load import load_engine

                self._loaded = load_engine(self._packed, self.config)
                if self.config.warm_up:
                    from assay.engine.warmup import WarmUp

                    self._warm_up = WarmUp(self._loaded)
            return self._loaded

    def _submit(self, executor: ThreadPoolExecutor, call: Call, work: Callable[[], None]) -> None:
        """Runs a part of a call in a pool; an error that it raises is the call's result."""

        def run() -> None:
            try:
                work()
            except Exception as error:  # noqa: BLE001  whatever it is, it is the caller's to see
                self._calls.settle(call, error)

        try:
            executor.submit(run)
        except RuntimeError:
            self._calls.settle(call, EngineStoppedError("the back end is closed"))

    def _begin(self, call: Call) -> None:
        """Prepares a call, or has its constraint tried before that where it is at risk."""
        from assay.decoding.risk import is_at_risk

        if self._calls.is_over(call):
            return
        constraint = call.request.constraint
        if constraint is None or not is_at_risk(constraint):
            self._prepare(call)
            return
        case = Case.of(constraint)
        executor = self._tried_executor if self._trials.is_known(case) else self._trial_executor
        self._submit(executor, call, partial(self._try, call, case))

    def _try(self, call: Call, case: Case) -> None:
        """Waits for the verdict on a call's constraint, and goes on if it is a good one."""
        if self._calls.is_over(call):
            return
        self._trials.check(case, self._engine().vocabulary)
        self._submit(self._tried_executor, call, partial(self._prepare, call))

    def _prepare(self, call: Call) -> None:
        """Encodes the prompt, compiles the constraint and hands both to the engine's thread."""
        from assay.decoding.matcher import compile_constraint
        from assay.engine.chaining import chain_prompt

        if self._calls.is_over(call):
            return
        engine = self._engine()
        if self._warm_up is not None:
            self._warm_up.give_way()
        prompt = engine.tokenizer.encode_prompt(call.request.messages)
        merger = engine.merger
        if merger is not None:
            prompt = merger.merge(prompt, call.request.messages)
        chained = chain_prompt(engine.chains, engine.tokenizer, call.request, prompt, merger)
        constraint = call.request.constraint
        matcher = None
        if constraint is not None:
            matcher = compile_constraint(constraint, engine.vocabulary)
        if self._calls.is_over(call):
            return
        deliver = partial(self._finish, call, engine)
        ticket = engine.thread.submit(
            call.request, prompt.token_ids, matcher, deliver, prompt.segments, chained
        )
        self._calls.set_cancel(call, partial(engine.thread.cancel, ticket))

    def _finish(self, call: Call, engine: LoadedEngine, result: Generation | AssayError) -> None:
        """Called on the engine thread with what became of a call."""
        constraint = call.request.constraint
        if (
            isinstance(result, Generation)
            and isinstance(constraint, JsonConstraint)
            and result.finish_reason == "stop"
        ):
            token_bytes = engine.tokenizer.token_bytes
            locate = partial(_with_spans, constraint, result, token_bytes)
            work = partial(_settle_with, self._calls, call, locate)
            self._submit(self._executor, call, work)
        else:
            self._calls.settle(call, result)


def _settle_with(calls: SharedCalls, call: Call, work: Callable[[], Generation]) -> None:
    calls.settle(call, work())


def _with_spans(
    constraint: JsonConstraint, generation: Generation, token_bytes: Callable[[int], bytes]
) -> Generation:
    from assay.decoding.spans import locate_spans

    tokens = [token_bytes(token.token_id) for token in generation.tokens]
    return replace(generation, spans=locate_spans(constraint, generation.text, tokens))


def _hand_over(
    loop: asyncio.AbstractEventLoop,
    future: asyncio.Future[Generation],
    result: Generation | Exception,
) -> None:
    """Called on any thread: passes a result to the loop that awaits it."""

    def settle() -> None:
        if future.done():
            return
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)

    if not loop.is_closed():
        loop.call_soon_threadsafe(settle)
