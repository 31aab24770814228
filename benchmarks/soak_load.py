"""The requests of the soak: good, cancelled and bad, each with the ends that it may come to."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from assay.types import (
    GenerationRequest,
    JsonConstraint,
    Message,
    RegexConstraint,
    SamplingParams,
    Source,
)
from benchmarks.texts import make_contract

_DONE = frozenset({"stop", "length"})
_QUESTIONS = ("Who are the parties?", "Which law governs?", "When was this made?", "What is owed?")
#: As many documents come up again and again; the others are new each time.
_NUM_SHARED = 12


@dataclass(frozen=True)
class Job:
    """A request, when to give up on it, and how it may end: a finish reason or an error's code."""

    kind: str
    request: GenerationRequest
    allowed: frozenset[str]
    cancel_after_s: float | None = None


def _ask(text: str, question: str, salt: str = "", **rest: Any) -> GenerationRequest:
    messages = (Message("user", f"{text}\n\n{question}"),)
    return GenerationRequest(messages, cache_salt=salt, **rest)


def _document(source: random.Random, max_model_len: int) -> str:
    is_shared = source.random() < 0.7
    seed = source.randrange(_NUM_SHARED) if is_shared else source.getrandbits(40)
    # Made-up contracts take at least two characters a token; the tiny tokenizer of tests, one.
    return make_contract(seed, min(max_model_len // 3, random.Random(seed).randint(200, 4000)))


def _grounded(source: random.Random, max_model_len: int) -> Job:
    text = _document(source, max_model_len)
    leaf = {"anyOf": [{"type": "string", "x-verbatim": "word"}, {"type": "null"}]}
    schema = {"type": "object", "properties": {"a": leaf, "b": leaf}, "required": ["a", "b"]}
    constraint = JsonConstraint({**schema, "additionalProperties": False}, (Source(text),))
    request = _ask(
        text,
        source.choice(_QUESTIONS),
        salt=source.choice(("", "one", "two")),
        constraint=constraint,
        sampling=SamplingParams(max_tokens=source.choice((16, 64))),
    )
    return Job("grounded", request, _DONE)


def _pattern(source: random.Random, max_model_len: int) -> Job:
    request = _ask(
        _document(source, max_model_len),
        "On which date?",
        constraint=RegexConstraint(r"\d{4}-\d{2}-\d{2}"),
        sampling=SamplingParams(max_tokens=24),
    )
    return Job("pattern", request, _DONE)


def _free(source: random.Random, max_model_len: int) -> Job:
    sampling = SamplingParams(
        max_tokens=source.choice((4, 32, 96)),
        temperature=source.choice((0.0, 0.8)),
        top_p=0.9,
        seed=source.getrandbits(30),
        stop=source.choice(((), ("\n\n",))),
        num_logprobs=source.choice((0, 3)),
    )
    request = _ask(_document(source, max_model_len), "Sum this up.", sampling=sampling)
    return Job("free", request, _DONE)


def _cancelled(source: random.Random, max_model_len: int) -> Job:
    job = source.choice((_grounded, _pattern, _free))(source, max_model_len)
    delay_s = source.choice((0.0, source.uniform(0.0, 0.5)))
    return Job("cancelled", job.request, _DONE | {"cancelled"}, delay_s)


def _too_long(_source: random.Random, max_model_len: int) -> Job:
    text = make_contract(1, 12 * max_model_len)
    return Job("too long", _ask(text, "What?"), frozenset({"prompt_too_long"}))


def _bad_keyword(source: random.Random, _max_model_len: int) -> Job:
    schema = {"type": "array", "contains": {"type": "integer"}, "minContains": source.randint(2, 9)}
    request = _ask("", "What?", constraint=JsonConstraint(schema))
    return Job("bad keyword", request, frozenset({"unsupported_keyword"}))


def _bad_pattern(_source: random.Random, _max_model_len: int) -> Job:
    request = _ask("", "What?", constraint=RegexConstraint("(unclosed"))
    return Job("bad pattern", request, frozenset({"invalid_grammar"}))


def _bad_sampling(_source: random.Random, _max_model_len: int) -> Job:
    request = _ask("", "What?", sampling=SamplingParams(temperature=-1.0))
    return Job("bad sampling", request, frozenset({"invalid_sampling"}))


#: Kind of job -> how often it comes up, in shares of the sum.
_SHARES: dict[Callable[[random.Random, int], Job], int] = {
    _grounded: 40,
    _pattern: 12,
    _free: 16,
    _cancelled: 20,
    _too_long: 2,
    _bad_keyword: 4,
    _bad_pattern: 3,
    _bad_sampling: 3,
}
KINDS = tuple(make.__name__.strip("_").replace("_", " ") for make in _SHARES)


def make_job(source: random.Random, max_model_len: int) -> Job:
    """The next request of a client."""
    (make,) = source.choices(list(_SHARES), weights=list(_SHARES.values()))
    return make(source, max_model_len)
