"""Our engine as benchmarks see it: the cost of its cache, its books, its requests one by one."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from assay.backends.base import Backend, BackendInfo
from assay.backends.local import LocalBackend
from assay.engine.config import EngineConfig
from assay.errors import AssayError
from assay.models.config import ModelConfig
from assay.types import Generation, GenerationRequest


@contextmanager
def local_backend(model: str, config: EngineConfig | None = None) -> Iterator[LocalBackend]:
    """A started back end, closed with the block."""
    backend = LocalBackend(model, config=config)
    try:
        backend.start()
        yield backend
    finally:
        backend.close()


def kv_bytes_per_token(config: ModelConfig, bytes_per_value: int = 2) -> int:
    """Keys and values of one token in all layers."""
    return 2 * config.num_layers * config.num_kv_heads * config.head_dim * bytes_per_value


async def check_books(backend: LocalBackend, patience_s: float = 10.0) -> int:
    """Checks every invariant until no request holds a block, at most for `patience_s` seconds.

    To be called when all requests have ended: cancelled ones may leave the engine a little later.
    Returns the number of blocks not given back.

    Raises:
        AssertionError: an invariant is broken.
    """
    deadline = time.perf_counter() + patience_s
    while num_held := await asyncio.to_thread(backend.check_integrity):
        if time.perf_counter() > deadline:
            break
        await asyncio.sleep(0.02)
    return num_held


@dataclass
class RecordingBackend:
    """Passes requests on under a salt of its own, and counts what came back.

    Under a new salt nothing is cached: documents become cold again without a restart. Failures are
    kept: an analysis lives on without its model, and would look fast.
    """

    inner: Backend
    salt: str = ""
    num_answers: int = 0
    errors: list[AssayError] = field(default_factory=list)

    @property
    def info(self) -> BackendInfo:
        return self.inner.info

    def start(self) -> None:
        self.inner.start()

    def count_tokens(self, text: str) -> int:
        return self.inner.count_tokens(text)

    async def generate(self, request: GenerationRequest) -> Generation:
        salted = replace(request, cache_salt=f"{self.salt}{request.cache_salt}")
        try:
            generation = await self.inner.generate(salted)
        except AssayError as error:
            self.errors.append(error)
            raise
        self.num_answers += 1
        return generation

    def close(self) -> None:
        """Nothing: the inner back end is closed by its owner."""
