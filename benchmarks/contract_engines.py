"""The engines of the contracts benchmark, each answering many tasks that arrive at once.

- `assay`: the product as a user gets it, through `AsyncAnalyzer`: for each question the segments
  that matter go into the prompt, rules and heuristics stand behind the model, values are copied.
- `assay_whole`: the same engine under the peers' conditions: the whole document in every prompt,
  the same words as theirs, no fallbacks; values and quotations are copied from it.
- any peer: the same prompts as `assay_whole`, token for token, and the same schema, not grounded.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, get_type_hints

from pydantic import create_model

from assay.analysis import AsyncAnalyzer, Progress
from assay.backends.local import LocalBackend
from assay.documents import read_document
from assay.errors import AssayError
from assay.models.tokenizer import Tokenizer
from assay.types import GenerationRequest, JsonConstraint, SamplingParams, Usage
from assay.units import Unit, get_unit
from assay.units.excerpt import Excerpt
from benchmarks.contract_tasks import (
    MAX_TOKENS,
    Answered,
    Question,
    Task,
    read_answer,
    sources_of,
    whole_excerpt,
)
from benchmarks.cuad import Contract
from benchmarks.local_engine import RecordingBackend
from benchmarks.peers.base import Peer, PeerRequest


class EngineFailedError(Exception):
    """Our engine refused or lost a request: the round says nothing."""


class ContractEngine(Protocol):
    """Answers tasks; `settings` says under which conditions."""

    @property
    def name(self) -> str: ...

    @property
    def settings(self) -> Mapping[str, Any]: ...

    def ask(self, tasks: Sequence[Task], salt: str) -> list[Answered]:
        """All tasks at once; documents are unseen under a new salt. Latency is each task's own."""
        ...


@dataclass
class AssayEngine:
    """The product: one analysis a contract, all at once."""

    backend: LocalBackend
    name: str = "assay"

    @property
    def settings(self) -> Mapping[str, Any]:
        return {
            "api": "AsyncAnalyzer.analyze, one call a contract with all its questions",
            "reads": "the segments chosen for each question; the bytes are read within the time",
            "fallbacks": "as in the catalogue",
            **self.backend.config.as_mapping(),
        }

    def ask(self, tasks: Sequence[Task], salt: str) -> list[Answered]:
        return asyncio.run(self._ask(tasks, salt))

    async def _ask(self, tasks: Sequence[Task], salt: str) -> list[Answered]:
        backend = RecordingBackend(self.backend, salt)
        analyzer = AsyncAnalyzer(backend=backend)
        by_contract: dict[str, list[Task]] = defaultdict(list)
        for task in tasks:
            by_contract[task.contract.name].append(task)
        started = time.perf_counter()
        groups = await asyncio.gather(
            *(_analyze(analyzer, group, started) for group in by_contract.values())
        )
        if backend.errors:
            raise EngineFailedError(f"{len(backend.errors)} requests failed") from backend.errors[0]
        found = {(a.task.contract.name, a.task.question): a for group in groups for a in group}
        return [found[task.contract.name, task.question] for task in tasks]


async def _analyze(
    analyzer: AsyncAnalyzer, tasks: Sequence[Task], started: float
) -> list[Answered]:
    contract = tasks[0].contract
    units = _units_of([task.question for task in tasks])
    answers: list[Answered] = []

    def take(progress: Progress) -> None:
        latency_s = time.perf_counter() - started
        usage = progress.result.usage
        for task in tasks:
            if task.question.unit != progress.unit:
                continue
            result = progress.result.fields[task.question.field]
            answers.append(
                Answered(
                    task,
                    _texts(result.value),
                    result.evidence[0].quote if result.evidence else None,
                    latency_s,
                    usage.num_prompt_tokens,
                    usage.num_cached_tokens,
                    usage.num_decoded_tokens,
                    usage.num_forced_tokens,
                    usage.num_requests,
                    result.error is None,
                )
            )
            usage = Usage()  # a unit's tokens count once, with its first field

    document = await asyncio.to_thread(read_document, contract.text.encode(), name="contract.txt")
    await analyzer.analyze(document, units=units, on_progress=take)
    return answers


def _units_of(questions: Sequence[Question]) -> list[Unit]:
    """The catalogue's units with only the fields that are asked for."""
    wanted: dict[str, list[str]] = defaultdict(list)
    for question in questions:
        wanted[question.unit].append(question.field)
    units = []
    for name, fields in wanted.items():
        unit = get_unit(name)
        hints = get_type_hints(unit.output, include_extras=True)
        members: dict[str, Any] = {field: (hints[field], None) for field in fields}
        output = create_model("Asked", **members)
        units.append(Unit(unit.name, unit.summary, output, system=unit.system, prompt=unit.prompt))
    return units


def _texts(value: Any) -> tuple[str, ...]:
    """The copied words of a field's value: of a clause, a date, or each party's name."""
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Mapping):
        return _texts(value.get("text") or value.get("name"))
    if isinstance(value, list):
        return tuple(text for item in value for text in _texts(item))
    return ()


@dataclass
class AssayWholeEngine:
    """Our engine with the whole document in every prompt, as the peers have it."""

    backend: LocalBackend
    name: str = "assay_whole"

    @property
    def settings(self) -> Mapping[str, Any]:
        return {
            "api": "LocalBackend.generate, all tasks at once",
            "reads": "the whole document, first in the prompt; cut and encoded within the time",
            "fallbacks": "none",
            "structured_output": "the peers' schema, value and quotation grounded",
            "max_tokens": MAX_TOKENS,
            **self.backend.config.as_mapping(),
        }

    def ask(self, tasks: Sequence[Task], salt: str) -> list[Answered]:
        return asyncio.run(self._ask(tasks, salt))

    async def _ask(self, tasks: Sequence[Task], salt: str) -> list[Answered]:
        excerpts: dict[str, asyncio.Task[Excerpt]] = {}
        started = time.perf_counter()
        for task in tasks:
            if task.contract.name not in excerpts:
                work = asyncio.to_thread(whole_excerpt, task.contract)
                excerpts[task.contract.name] = asyncio.create_task(work)
        return await asyncio.gather(
            *(self._answer(task, excerpts[task.contract.name], salt, started) for task in tasks)
        )

    async def _answer(
        self, task: Task, cutting: asyncio.Task[Excerpt], salt: str, started: float
    ) -> Answered:
        excerpt = await cutting
        request = GenerationRequest(
            messages=task.messages(excerpt.text, salt),
            constraint=JsonConstraint(task.question.schema(grounded=True), sources_of(excerpt)),
            sampling=SamplingParams(max_tokens=MAX_TOKENS[task.question.shape]),
        )
        try:
            generation = await self.backend.generate(request)
        except AssayError as error:
            raise EngineFailedError(f"{task.contract.name}: a request failed") from error
        is_whole = generation.finish_reason == "stop"
        values, quote = read_answer(json.loads(generation.text) if is_whole else None)
        return Answered(
            task,
            values,
            quote,
            time.perf_counter() - started,
            generation.usage.num_prompt_tokens,
            generation.usage.num_cached_tokens,
            generation.usage.num_decoded_tokens,
            generation.usage.num_forced_tokens,
            is_whole=is_whole,
        )


class PeerEngine:
    """A peer on the same prompts. They are encoded before the clock starts."""

    def __init__(self, peer: Peer, tokenizer: Tokenizer) -> None:
        self.name = peer.name
        self._peer = peer
        self._tokenizer = tokenizer
        self._shown: dict[str, str] = {}

    @cached_property
    def settings(self) -> Mapping[str, Any]:
        return {
            "reads": "the whole document, first in the prompt",
            "max_tokens": MAX_TOKENS,
            "start_s": round(self._peer.start_s, 2),
            **self._peer.settings,
        }

    def ask(self, tasks: Sequence[Task], salt: str) -> list[Answered]:
        requests = [
            PeerRequest(
                self._tokenizer.encode_chat(task.messages(self._text_of(task.contract), salt)),
                MAX_TOKENS[task.question.shape],
                task.question.schema(grounded=False),
                group=task.contract.name,
            )
            for task in tasks
        ]
        answered = []
        for task, request, answer in zip(
            tasks, requests, self._peer.generate(requests), strict=True
        ):
            parsed = _parse(answer.text)
            values, quote = read_answer(parsed)
            answered.append(
                Answered(
                    task,
                    values,
                    quote,
                    answer.latency_s,
                    len(request.prompt_ids),
                    answer.num_cached_tokens,
                    answer.num_tokens,
                    is_whole=parsed is not None,
                )
            )
        return answered

    def _text_of(self, contract: Contract) -> str:
        if contract.name not in self._shown:
            self._shown[contract.name] = whole_excerpt(contract).text
        return self._shown[contract.name]


def _parse(text: str) -> dict[str, Any] | None:
    try:
        answer = json.loads(text)
    except json.JSONDecodeError:
        return None
    return answer if isinstance(answer, dict) else None
