"""The engine as a back end, in the caller's process.

Three kinds of thread meet here. The caller's event loop awaits; a small pool renders, encodes and
compiles (the tokenizer and the constraint compiler let go of the interpreter lock); the engine
thread computes. A request that fails in preparation never reaches the engine.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from assay.backends.base import BackendInfo
from assay.backends.checks import check_request
from assay.engine.config import EngineConfig
from assay.errors import AssayError, EngineStoppedError
from assay.models.packed import load_packed
from assay.models.store import DEFAULT_MODEL, resolve_model
from assay.types import Generation, GenerationRequest, JsonConstraint

if TYPE_CHECKING:
    from assay.engine.load import LoadedEngine
    from assay.engine.sequence import Constraint

_NUM_PREPARING_THREADS = 2

_Result = TypeVar("_Result")


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
        self._lock = Lock()
        self._loaded: LoadedEngine | None = None
        self._is_closed = False

    @property
    def info(self) -> BackendInfo:
        return BackendInfo("local", self._packed.name, self._packed.config.max_position_embeddings)

    def start(self) -> None:
        """Loads the weights and starts the engine, if that has not been done; takes seconds.

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
        prompt_ids, constraint = await self._in_pool(partial(self._prepare, request))
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Generation] = loop.create_future()
        engine = self._engine()
        ticket = engine.thread.submit(
            request, prompt_ids, constraint, partial(_hand_over, loop, future)
        )
        try:
            generation = await future
        except asyncio.CancelledError:
            engine.thread.cancel(ticket)
            raise
        if isinstance(request.constraint, JsonConstraint) and generation.finish_reason == "stop":
            return await self._in_pool(
                partial(_with_spans, request.constraint, generation, engine.tokenizer.token_bytes)
            )
        return generation

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            loaded, self._loaded = self._loaded, None
        if loaded is not None:
            loaded.thread.close()
        self._executor.shutdown(wait=False)

    def _engine(self) -> LoadedEngine:
        with self._lock:
            if self._is_closed:
                raise EngineStoppedError("the back end is closed")
            if self._loaded is None:
                from assay.engine.load import load_engine

                self._loaded = load_engine(self._packed, self.config)
            return self._loaded

    def _prepare(self, request: GenerationRequest) -> tuple[list[int], Constraint | None]:
        engine = self._engine()
        prompt_ids = engine.tokenizer.encode_chat(request.messages)
        if request.constraint is None:
            return prompt_ids, None
        from assay.decoding.matcher import compile_constraint

        return prompt_ids, compile_constraint(request.constraint, engine.vocabulary)

    async def _in_pool(self, work: Callable[[], _Result]) -> _Result:
        try:
            future = asyncio.get_running_loop().run_in_executor(self._executor, work)
        except RuntimeError as error:
            raise EngineStoppedError("the back end is closed") from error
        return await future


def _with_spans(
    constraint: JsonConstraint, generation: Generation, token_bytes: Callable[[int], bytes]
) -> Generation:
    from assay.decoding.spans import locate_spans

    tokens = [token_bytes(token.token_id) for token in generation.tokens]
    return replace(generation, spans=locate_spans(constraint, generation.text, tokens))


def _hand_over(
    loop: asyncio.AbstractEventLoop,
    future: asyncio.Future[Generation],
    result: Generation | AssayError,
) -> None:
    """Called on the engine thread: passes a result to the loop that awaits it."""

    def settle() -> None:
        if future.done():
            return
        if isinstance(result, AssayError):
            future.set_exception(result)
        else:
            future.set_result(result)

    if not loop.is_closed():
        loop.call_soon_threadsafe(settle)
