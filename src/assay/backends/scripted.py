"""A back end that answers from a script: for tests of what stands above, without a model.

It holds a script to what a model would be held to: an answer must be derivable under the request's
constraint, down to the order of its keys and the place of its blanks, and its `Verbatim` leaves
must stand in the sources. Anything else is a mistake in the script and raises `ValueError`, so
that a test cannot pass on an answer that no model could give.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from assay.backends.base import BackendInfo
from assay.backends.checks import check_request
from assay.errors import EngineStoppedError, PromptTooLongError
from assay.types import (
    Constraint,
    GeneratedToken,
    Generation,
    GenerationRequest,
    JsonConstraint,
    Usage,
)

if TYPE_CHECKING:
    from llguidance import LLTokenizer

Answer = str | Mapping[str, Any] | Generation | Exception
"""Text, or an object written as JSON; a whole generation, given as it is; an error, raised."""

_PIECE = re.compile(r"\s*\w+|\s*[^\w\s]|\s+")


class ScriptedBackend:
    """Answers by a function of the request, or by a list, in order of the calls.

    `requests` is every request so far. Tokens are words and marks; `logprob` and `margin` are
    what each reports. A text of more than `max_tokens` tokens is cut, as a model's would be.
    """

    def __init__(
        self,
        answers: Callable[[GenerationRequest], Answer] | Iterable[Answer],
        *,
        logprob: float = -0.01,
        margin: float = 0.98,
        max_model_len: int = 8192,
    ) -> None:
        self.requests: list[GenerationRequest] = []
        self._answer = answers if callable(answers) else None
        self._script: Iterator[Answer] = iter(()) if callable(answers) else iter(answers)
        self._logprob = logprob
        self._margin = margin
        self._max_model_len = max_model_len
        self._is_closed = False

    @property
    def info(self) -> BackendInfo:
        return BackendInfo("scripted", "script", self._max_model_len)

    def start(self) -> None:
        """Nothing: it is ready."""

    def count_tokens(self, text: str) -> int:
        return len(_PIECE.findall(text))

    async def generate(self, request: GenerationRequest) -> Generation:
        """As the protocol says.

        Raises:
            ValueError: the script is at its end, or its answer breaks the constraint.
            ConstraintError: the constraint itself cannot be used.
        """
        if self._is_closed:
            raise EngineStoppedError("the back end is closed")
        check_request(request)
        num_prompt_tokens = sum(self.count_tokens(message.content) for message in request.messages)
        if num_prompt_tokens + request.sampling.max_tokens > self._max_model_len:
            raise PromptTooLongError(
                f"{num_prompt_tokens} prompt tokens and an answer of up to "
                f"{request.sampling.max_tokens} exceed {self._max_model_len} positions"
            )
        self.requests.append(request)
        # As with any other back end, a call can overlap with others and be cancelled.
        await asyncio.sleep(0)
        answer = self._next_answer(request)
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Generation):
            return answer
        text = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        return self._generation(request, text, num_prompt_tokens)

    def close(self) -> None:
        self._is_closed = True

    def _next_answer(self, request: GenerationRequest) -> Answer:
        if self._answer is not None:
            return self._answer(request)
        try:
            return next(self._script)
        except StopIteration:
            raise ValueError(f"the script has no answer to call {len(self.requests)}") from None

    def _generation(
        self, request: GenerationRequest, text: str, num_prompt_tokens: int
    ) -> Generation:
        for stop in request.sampling.stop:
            text = text.partition(stop)[0]
        pieces = _PIECE.findall(text)
        is_cut = len(pieces) > request.sampling.max_tokens
        pieces = pieces[: request.sampling.max_tokens]
        tokens = tuple(
            GeneratedToken(index, piece, self._logprob, forced=False, margin=self._margin)
            for index, piece in enumerate(pieces)
        )
        generation = Generation(
            text="".join(pieces),
            tokens=tokens,
            finish_reason="length" if is_cut else "stop",
            usage=Usage(
                num_prompt_tokens=num_prompt_tokens,
                num_decoded_tokens=len(tokens),
                num_requests=1,
            ),
        )
        if is_cut or request.constraint is None:
            return generation
        return _checked(request.constraint, generation)


def _checked(constraint: Constraint, generation: Generation) -> Generation:
    """`generation` with its spans, after checking that `constraint` allows it."""
    from assay.decoding.grammar import compile_lark
    from assay.decoding.spans import locate_spans

    # In this vocabulary each token is a byte, and its number the byte's value.
    matcher = compile_lark(constraint, _byte_tokenizer())
    answer = generation.text.encode()
    num_legal = matcher.try_consume_tokens(list(answer))
    if num_legal < len(answer) or not matcher.is_accepting():
        legal = answer[:num_legal].decode(errors="ignore")
        raise ValueError(
            f"no model could give the scripted answer {generation.text!r}: "
            f"the constraint allows it only up to {legal!r}"
        )
    if not isinstance(constraint, JsonConstraint):
        return generation
    pieces = [token.text.encode() for token in generation.tokens]
    return replace(generation, spans=locate_spans(constraint, generation.text, pieces))


@cache
def _byte_tokenizer() -> LLTokenizer:
    from llguidance import LLTokenizer

    return LLTokenizer("byte")
