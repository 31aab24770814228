"""The one protocol through which everything above reaches a language model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from assay.types import Generation, GenerationRequest


@dataclass(frozen=True, slots=True)
class BackendInfo:
    """What is answering: shown at start and recorded with results.

    `engine` says in words how it computes: model, precision, operators, threads, cache. Empty
    before `start`, and where there is nothing to say.
    """

    name: str
    model: str
    max_model_len: int
    engine: str = ""


class Backend(Protocol):
    """A source of constrained generations.

    Calls may overlap without limit; the back end queues. Cancelling the awaiting task cancels the
    generation and gives its memory back within one step.
    """

    @property
    def info(self) -> BackendInfo: ...

    def start(self) -> None:
        """Gets ready, if that has not been done; else the first request does it. Takes its time.

        Raises:
            ModelError, ConfigError, CapacityError: it cannot serve.
        """
        ...

    def count_tokens(self, text: str) -> int:
        """The number of tokens that `text` takes in a prompt, without special tokens."""
        ...

    async def generate(self, request: GenerationRequest) -> Generation:
        """Generates one answer.

        Raises:
            InputError: the prompt, the sampling or the constraint cannot be served.
            CapacityError: the back end is closed or has no room.
        """
        ...

    def close(self) -> None:
        """Stops, failing what is in flight with `EngineStoppedError`. Safe to call twice."""
        ...
