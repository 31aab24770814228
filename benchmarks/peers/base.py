"""What a benchmark asks of another engine, and gets back.

Prompts are token ids, rendered and encoded once by our tokenizer: all engines hold the same model
and read exactly the same tokens. Standard library only, so that workers can import it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol


@dataclass(frozen=True)
class PeerRequest:
    """One prompt. The answer is greedy, and valid against `schema` where there is one.

    `ignore_eos` makes the answer exactly `max_tokens` long. Requests of one `group` share a
    document; engines that need help to share its prefix may use that.
    """

    prompt_ids: Sequence[int]
    max_tokens: int
    schema: Mapping[str, Any] | None = None
    ignore_eos: bool = False
    group: str = ""


@dataclass(frozen=True)
class PeerAnswer:
    """`latency_s` runs from the moment when all requests were handed over, and so does `prefill_s`,
    at which all prompts were computed. It and `num_cached_tokens` are None where an engine does not
    tell."""

    text: str
    num_tokens: int
    finish_reason: str
    latency_s: float
    num_cached_tokens: int | None = None
    prefill_s: float | None = None


@dataclass(frozen=True)
class PeerModel:
    """The model as peers load it: a GGUF file and the same weights as a Hugging Face folder."""

    gguf: Path
    folder: Path
    eos_token_ids: tuple[int, ...]
    vocab_size: int


class PeerError(Exception):
    """A peer did not start, did not answer in time, or answered with an error."""


class Peer(Protocol):
    """A running engine. `settings` says how it was started, for the record."""

    name: str
    settings: Mapping[str, Any]
    start_s: float

    @property
    def pid(self) -> int:
        """The process that was started for it."""
        ...

    def generate(self, requests: Sequence[PeerRequest]) -> list[PeerAnswer]:
        """Sends all requests at once and waits for all answers, in the order of the requests.

        Raises:
            PeerError: the peer failed or the time is up.
        """
        ...

    def close(self) -> None:
        """Ends the process. Safe to call twice."""
        ...
