"""What happens once in a process, done before a request waits for it.

The first call of many things costs more than the next ones: modules are imported, a template and
patterns compiled, a trie built, threads started, memory touched. Each `Step` makes one of them
happen. `benchmarks/warmup.py` measures every step over real requests; `warmup.json`
says what each costs and saves and which are worth it, by kind of engine, and `WarmUp` runs these.

Steps run one after the other on a thread of their own, in the order in which a request needs them,
and end at the first request: most of a step holds the interpreter lock, so that beside a request
it would take as much time as it saves. What remains, that request does for itself and the later
ones. Forward passes go through the engine's thread, as requests under salts of their own.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from threading import Event, Thread

from assay.decoding.matcher import compile_constraint
from assay.decoding.spans import locate_spans
from assay.engine.load import LoadedEngine
from assay.engine.sequence import Constraint
from assay.errors import AssayError, InputError
from assay.types import (
    Generation,
    GenerationRequest,
    JsonConstraint,
    Message,
    SamplingParams,
    Source,
)

RECORD = Path(__file__).with_name("warmup.json")
# A new salt for each request, or a second call would find the first one's prompt in the cache.
_salts = (f"assay.warm-up.{number}" for number in count())
_CHUNK_TOKENS = 512
_logger = logging.getLogger(__name__)

_TEXT = "The supplier is Alder Mills Ltd. The fee of 1,250.00 USD is due on 3 March 2024."
_MESSAGES = (Message("system", "Copy."), Message("user", f"{_TEXT} Who is the supplier?"))
# A value or null, copied, beside a whole sentence: what the units' questions have in common.
_CONSTRAINT = JsonConstraint(
    {
        "type": "object",
        "properties": {
            "value": {"anyOf": [{"type": "string", "x-verbatim": "word"}, {"type": "null"}]},
            "quote": {"anyOf": [{"type": "string", "x-verbatim": "sentence"}, {"type": "null"}]},
        },
        "required": ["value", "quote"],
        "additionalProperties": False,
    },
    (Source(_TEXT, (0, 33, len(_TEXT))),),
)
_ANSWER = '{"value": "Alder Mills Ltd", "quote": null}'


@dataclass(frozen=True, slots=True)
class Step:
    """Something that is slow the first time. `makes_ready` names the function, as
    `module:qualified.name`, whose calls it spares the wait."""

    name: str
    run: Callable[[LoadedEngine], object]
    makes_ready: str


def forward(engine: LoadedEngine) -> None:
    """A forward pass of one token: the engine's threads, and weights that are read where mapped."""
    _answer(engine, engine.tokenizer.encode("a")[:1], None)


def chat_template(engine: LoadedEngine) -> None:
    """Jinja imported, the template compiled, the tokenizer's patterns."""
    engine.tokenizer.encode_chat(_MESSAGES)


def vocabulary(engine: LoadedEngine) -> None:
    """llguidance imported and its trie of the vocabulary built."""
    _ = engine.vocabulary.tokenizer


def constraint(engine: LoadedEngine) -> None:
    """A grounded JSON Schema compiled: the patterns that read schemas and sources."""
    compile_constraint(_CONSTRAINT, engine.vocabulary).forced_tokens()


def masks(engine: LoadedEngine) -> None:
    """A constrained answer of a few tokens: the masks' thread, llguidance's executor, the lexer."""
    matcher = compile_constraint(_CONSTRAINT, engine.vocabulary)
    _answer(engine, engine.tokenizer.encode(_TEXT)[:8], matcher, max_tokens=6)


def spans(engine: LoadedEngine) -> None:
    """An answer's leaves found in its source: jsonschema imported, where a leaf has a choice."""
    tokens = [engine.tokenizer.token_bytes(i) for i in engine.tokenizer.encode(_ANSWER)]
    locate_spans(_CONSTRAINT, _ANSWER, tokens)


def chunk(engine: LoadedEngine) -> None:
    """A forward pass over a long prompt: scratch memory of full size, blocks, the embedding."""
    ids = engine.tokenizer.encode(_TEXT * 40)[:_CHUNK_TOKENS]
    _answer(engine, ids, None)


#: Every candidate, in the order in which a request needs them.
STEPS = {
    step.name: step
    for step in (
        Step("forward", forward, "assay.engine.engine:Engine.step"),
        Step("chat_template", chat_template, "assay.models.tokenizer:Tokenizer.encode_prompt"),
        Step("vocabulary", vocabulary, "assay.decoding.matcher:compile_constraint"),
        Step("constraint", constraint, "assay.decoding.matcher:compile_constraint"),
        Step("masks", masks, "assay.decoding.masks:BatchFiller.fill"),
        Step("spans", spans, "assay.decoding.spans:locate_spans"),
        Step("chunk", chunk, "assay.engine.engine:Engine.step"),
    )
}


@cache
def chosen_steps(kind: str) -> tuple[Step, ...]:
    """The steps that the record says are worth it in an engine of a kind (`Choices.kind`); in one
    that was not measured, those worth it in every engine that was."""
    engines = json.loads(RECORD.read_text(encoding="utf-8"))["engines"]
    measured = [engines[kind]] if kind in engines else list(engines.values())
    chosen = [{item["name"] for item in engine["steps"] if item["chosen"]} for engine in measured]
    return tuple(step for name, step in STEPS.items() if all(name in names for names in chosen))


class WarmUp:
    """Runs steps over an engine on a thread of its own, from construction on.

    A step that fails is told to the log and harms nobody: whoever needs it for a request is told
    the same. The thread ends by itself, at the latest after the step in which the engine closed.
    """

    def __init__(self, engine: LoadedEngine, steps: Sequence[Step] | None = None) -> None:
        self._engine = engine
        kind = engine.choices.kind if engine.choices else ""
        self._steps = tuple(chosen_steps(kind) if steps is None else steps)
        self._is_over = Event()
        self._thread = Thread(target=self._run, name="assay-warm-up")
        self._thread.start()

    def give_way(self) -> None:
        """No further step is begun. May be called from any thread, any number of times."""
        self._is_over.set()

    def wait(self, timeout_s: float | None = None) -> bool:
        """Waits for the last step; says whether it has ended."""
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        for step in self._steps:
            if self._is_over.is_set():
                return
            try:
                step.run(self._engine)
            except AssayError as error:
                _logger.info("warm-up: %s: %s", step.name, error)
            except Exception:
                _logger.exception("warm-up: %s failed", step.name)


def _answer(
    engine: LoadedEngine, prompt_ids: Sequence[int], constraint: Constraint | None, *,
    max_tokens: int = 1,
) -> None:  # fmt: skip
    """Has the engine's thread answer, and waits.

    Raises:
        AssayError: it cannot.
    """
    if not prompt_ids:
        raise InputError("the tokenizer makes no tokens of plain text")
    sampling = SamplingParams(max_tokens=max_tokens)
    request = GenerationRequest(_MESSAGES, sampling=sampling, cache_salt=next(_salts))
    future: Future[Generation | AssayError] = Future()
    engine.thread.submit(request, prompt_ids, constraint, future.set_result)
    result = future.result()
    if isinstance(result, AssayError):
        raise result
