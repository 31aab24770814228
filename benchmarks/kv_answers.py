"""A question answered in one mode: by the model alone, and by the product with its fallbacks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from assay.analysis.confidence import confidence_of
from assay.types import AnswerPath, Generation, GenerationRequest
from assay.units import Task
from assay.units.machine import FieldRun
from assay.units.outcome import field_result
from benchmarks.cuad import Place, Verdict, judge_field
from benchmarks.kv_engine import EnginePrompt, Measured, MeasuredEngine
from benchmarks.kv_tasks import Question, Reading


@dataclass(frozen=True)
class Answered:
    """`measured` is None where the model was not asked, or failed; `text` is what it wrote, None if
    that is no whole answer."""

    model: Verdict
    product: Verdict
    measured: Measured | None
    text: str | None


class _OnePrompt:
    """A back end, as far as a field's run needs one, that answers with a prompt of its own."""

    def __init__(self, engine: MeasuredEngine, prompt: EnginePrompt) -> None:
        self._engine = engine
        self._prompt = prompt
        self.measured: Measured | None = None

    async def generate(self, request: GenerationRequest) -> Generation:
        """Takes the constraint and the sampling from `request`."""
        self.measured = self._engine.ask(self._prompt, request.sampling, request.constraint)
        return self.measured.generation


def answer(
    engine: MeasuredEngine, prompt: EnginePrompt, reading: Reading, question: Question
) -> Answered:
    """Runs a question's whole state machine, the model reading `prompt`, and judges what came."""
    backend = _OnePrompt(engine, prompt)
    task = reading.plan.field_task(Task(question.unit), question.field, backend, confidence_of)
    run = asyncio.run(FieldRun(task).run())
    result = field_result(run, reading.plan.document)
    by_model = next((a for a in run.answers if a.signals.path is AnswerPath.MODEL), None)
    prefix = f"/{question.field.name}"
    alone: Iterable[Place] = ()
    if by_model is not None:
        alone = ((item.start, item.end, item.pointer) for item in by_model.standings)
    product = [
        (item.start, item.end, item.pointer.removeprefix(prefix)) for item in result.evidence
    ]
    value = None if by_model is None else by_model.value
    measured = backend.measured
    is_whole = measured is not None and measured.generation.finish_reason == "stop"
    return Answered(
        judge_field(reading.contract, *question.key, value, list(alone)),
        judge_field(reading.contract, *question.key, result.value, product),
        measured,
        measured.generation.text if measured is not None and is_whole else None,
    )
