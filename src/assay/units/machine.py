"""The state machine that answers one field of a unit on one document.

::

    PLANNED ──> GENERATING ──> VALIDATING ──> DONE
       │            │              │
       │            │              └──> FALLING_BACK ──> VALIDATING
       │            └──────────────────────┘  │
       └──────────────────────────────────────┴──> FAILED

The chain says in which order the model (GENERATING) and the fallbacks answer. Each answer is
checked and given a confidence; a failure, or a confidence below what is asked for, moves on to the
next step. The answer kept is the one with the highest confidence, so a later step never makes a
result worse. The run's trace says what happened and when.
"""

from __future__ import annotations

import asyncio
import dataclasses
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from assay.backends.base import Backend
from assay.errors import AssayError, TokenLimitError
from assay.reports import CacheReport
from assay.types import (
    AnswerPath,
    ErrorInfo,
    Generation,
    GenerationRequest,
    JsonConstraint,
    SamplingParams,
    Usage,
)
from assay.units.answer import Answer, Signals, beside, from_candidates
from assay.units.chain import MODEL_FIRST, Chain
from assay.units.excerpt import Excerpt
from assay.units.fallbacks.base import DraftFallback, Fallback
from assay.units.lifting import lift
from assay.units.model_answer import parse_generation
from assay.units.shown import find_shown
from assay.units.sources import make_offer
from assay.units.states import TRANSITIONS, State, Step
from assay.units.unit import Unit, UnitField


def _clear(_start: int, _end: int) -> float:
    """The quality of text that nobody had to read off a picture."""
    return 1.0


def _doubt(_family: str, turned_down: float | None, _num_silent: int) -> float:
    """As sure of an absence as not of what was turned down."""
    return 1 - (turned_down or 0.0)


@dataclass(frozen=True, slots=True)
class FieldTask:
    """What a run needs: the question, what the model may see, and who answers.

    `relevance` is the score of the best segment chosen. `confidence` turns signals into a number.
    The model reads what of `excerpt` has something to copy, or in its place all of `context`.
    `arguments` are the unit's, by name. `quality` is how clear a span of the document is,
    `document_quality` the whole of it on average. `min_confidence` is what the precision that is
    asked for takes: the chain goes on below it, and what stays below is not given. `absence` says
    how sure it is that there is nothing, from the field's family, the confidence of the surest
    answer turned down (None: there was none) and how many fallbacks found nothing.
    """

    unit: Unit
    field: UnitField
    document_text: str
    excerpt: Excerpt
    relevance: float
    chinese: bool
    backend: Backend
    confidence: Callable[[Signals], float]
    cache_salt: str = ""
    context: Excerpt | None = None
    arguments: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    chain: Chain = MODEL_FIRST
    quality: Callable[[int, int], float] = _clear
    document_quality: float = 1.0
    route_margin: float = 0.0
    min_confidence: float = 0.0
    absence: Callable[[str, float | None, int], float] = _doubt

    @property
    def enough(self) -> float:
        """The confidence that ends the chain."""
        own = self.field.question.enough if self.chain.enough is None else self.chain.enough
        return max(own, self.min_confidence)

    @property
    def floor(self) -> float:
        """The confidence below which an answer counts as absent, whoever asks for what."""
        return self.field.question.floor if self.chain.floor is None else self.chain.floor


@dataclass(slots=True)
class FieldRun:
    """One run of the machine. `answers` are all that were given, in order; `num_silent` counts the
    fallbacks that found nothing. `request` and `generation` are what the model was asked and said,
    `cache` is what its answer had of a KV cache."""

    task: FieldTask
    state: State = State.PLANNED
    trace: list[Step] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    error: ErrorInfo | None = None
    usage: Usage = field(default_factory=Usage)
    num_silent: int = 0
    cache: CacheReport | None = None
    request: GenerationRequest | None = None
    generation: Generation | None = None
    _started: float = field(default_factory=time.perf_counter)

    @property
    def best(self) -> Answer | None:
        """The answer with the highest confidence that has a value; None if no path found one that
        the chain keeps."""
        strict = self.task.chain.strict
        found = [
            answer
            for answer in self.answers
            if answer.value is not None
            and not (strict and (answer.complaints or answer.candidates))
        ]
        return max(found, key=lambda answer: answer.confidence, default=None)

    async def run(self) -> FieldRun:
        """Runs to DONE or FAILED. Only cancellation escapes; every `AssayError` ends in `error`."""
        self._enter(State.PLANNED, f"{len(self.task.excerpt.passages)} passages")
        for path in self.task.chain.steps:
            if path is AnswerPath.MODEL and not self._is_settled():
                await self._ask_model()
            for fallback in self.task.field.question.fallbacks:
                if fallback.path is path and not self._is_settled():
                    await self._fall_back(fallback)
        if self.error and self.best is None:
            if self.state is State.VALIDATING:
                self._enter(State.FALLING_BACK, "no step left")
            self._enter(State.FAILED, self.error.message)
        else:
            if self.state is State.PLANNED or self.state is State.GENERATING:
                self._enter(State.FALLING_BACK, "no step found anything")
            self._enter(State.DONE, "answered" if self.best else "absent")
        return self

    # -- the model ----------------------------------------------------------------------------

    async def _ask_model(self) -> None:
        task = self.task
        offer = make_offer(task.field, task.excerpt)
        if not offer.sources:
            return
        self._enter(State.GENERATING, f"{len(offer.sources)} sources")
        sources = tuple(item.as_source() for item in offer.sources)
        request = GenerationRequest(
            messages=task.unit.messages(
                task.field,
                task.context or offer.excerpt,
                chinese=task.chinese,
                arguments=task.arguments,
            ),
            constraint=JsonConstraint(task.field.schema, sources),
            sampling=SamplingParams(max_tokens=task.field.question.max_tokens),
            cache_salt=task.cache_salt,
            is_preamble_public=task.unit.has_public_preamble,
        )
        self.request = request
        try:
            self.generation = generation = await task.backend.generate(request)
            self.usage = self.usage + generation.usage
            self.cache = generation.cache
            if generation.finish_reason != "stop":
                raise TokenLimitError(
                    f"the answer was not complete after {request.sampling.max_tokens} tokens"
                )
        except AssayError as error:
            self.error = ErrorInfo(error.code, error.message)
            return
        value, standings = parse_generation(
            task.field, generation, offer.sources, task.document_text
        )
        value, standings, complaints = find_shown(
            task.field.annotation, value, standings, task.document_text
        )
        chosen = [token for token in generation.tokens if not token.forced]
        self._judge(
            Answer(
                value,
                standings,
                Signals(
                    AnswerPath.MODEL,
                    task.field.family,
                    probability=math.exp(sum(token.logprob for token in chosen)),
                    margin=min((token.margin for token in chosen), default=1.0),
                    entropy=sum(token.entropy for token in chosen) / max(1, len(chosen)),
                    num_decided=len(chosen),
                    relevance=task.relevance,
                    num_occurrences=max(
                        (span.num_occurrences for span in generation.spans), default=1
                    ),
                ),
                complaints,
            )
        )

    # -- the rest of the chain ----------------------------------------------------------------

    async def _fall_back(self, fallback: Fallback | DraftFallback) -> None:
        self._enter(State.FALLING_BACK, f"{self._reason_to_go_on()}; {fallback.path.value} next")
        try:
            answer = await asyncio.to_thread(self._ask_fallback, fallback)
        except Exception as error:  # noqa: BLE001  a unit's own code may raise anything
            self.error = ErrorInfo("fallback_failed", f"{type(error).__name__}: {error}")
            return
        if answer is None:
            self.num_silent += 1
            self._weigh()
        else:
            self._judge(answer)

    def _ask_fallback(self, fallback: Fallback | DraftFallback) -> Answer | None:
        task = self.task
        if isinstance(fallback, DraftFallback):
            draft = fallback.draft(task.document_text, task.arguments)
            if draft is None:
                return None
        else:
            candidates = fallback.find(task.document_text)
            if not candidates:
                return None
            draft = from_candidates(
                task.field.annotation,
                candidates,
                task.document_text,
                max_found=task.field.question.max_found,
            )
        signals = Signals(
            fallback.path, task.field.family, score=draft.score, relevance=task.relevance
        )
        return Answer(draft.value, draft.standings, signals)

    def _is_settled(self) -> bool:
        best = self.best
        return best is not None and best.confidence >= self.task.enough

    def _reason_to_go_on(self) -> str:
        if self.error:
            return self.error.code
        best = self.best
        return f"confidence {best.confidence:.2f}" if best else "no answer yet"

    # -- judging ------------------------------------------------------------------------------

    def _judge(self, answer: Answer) -> None:
        """Normalises, validates and weighs an answer, and all earlier ones in its light."""
        self._enter(State.VALIDATING, answer.signals.path.value)
        if answer.value is not None:
            lifted = lift(self.task.field.annotation, answer.value, self.task.document_text)
            text = self.task.document_text
            quotes = tuple(text[item.start : item.end] for item in answer.standings)
            complaints = [*answer.complaints, *lifted.complaints]
            num_before = len(complaints)
            validators = self.task.field.question.validators
            for validator in validators:
                complaint = validator(lifted.value, quotes)
                if complaint:
                    complaints.append(complaint)
            answer.value = lifted.value
            answer.complaints = tuple(complaints)
            clear = (self.task.quality(item.start, item.end) for item in answer.standings)
            answer.signals = replace(
                answer.signals,
                num_complaints=len(complaints),
                num_passed=len(validators) - (len(complaints) - num_before),
                quality=min(clear, default=1.0),
                document_quality=self.task.document_quality,
                route_margin=self.task.route_margin,
                language="zh" if self.task.chinese else "en",
            )
            answer.candidates = tuple(
                {"pointer": pointer, "readings": readings}
                for pointer, readings in lifted.ambiguous.items()
            )
        self.answers.append(answer)
        self._weigh()

    def _weigh(self) -> None:
        for answer in self.answers:
            answer.signals = beside(answer, self.answers, self.num_silent)
            answer.confidence = self.task.confidence(answer.signals)

    def _enter(self, state: State, note: str) -> None:
        assert state is self.state or state in TRANSITIONS[self.state], (self.state, state)
        self.state = state
        self.trace.append(Step(state, (time.perf_counter() - self._started) * 1000, note))
