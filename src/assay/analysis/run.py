"""Runs a plan: all fields of all units side by side, each unit's result as soon as it is whole."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field

from assay.analysis.plan import Plan
from assay.backends.base import Backend
from assay.errors import AssayError
from assay.types import ErrorInfo, FieldResult, Status, UnitResult, Usage
from assay.units import Task, UnitField
from assay.units.answer import Signals
from assay.units.computed import ComputedField, compute
from assay.units.machine import FieldRun
from assay.units.outcome import field_result, unit_result

#: Called with each run of a field and its result, when its unit has been asked.
OnRun = Callable[[Task, FieldRun, FieldResult], None]


@dataclass(slots=True)
class Telling:
    """Calls an `OnRun` in such a way that what it raises costs no result. `failures` are the
    errors, each kind once, in order."""

    on_run: OnRun
    failures: list[ErrorInfo] = field(default_factory=list)

    def __call__(self, task: Task, run: FieldRun, result: FieldResult) -> None:
        try:
            self.on_run(task, run, result)
        except Exception as error:  # noqa: BLE001  a caller's code may raise anything
            failure = ErrorInfo("on_run_failed", f"{type(error).__name__}: {error}")
            if failure not in self.failures:
                self.failures.append(failure)


async def run_plan(
    plan: Plan,
    backend: Backend,
    confidence: Callable[[Signals], float],
    on_run: OnRun | None = None,
) -> AsyncIterator[tuple[Task, UnitResult]]:
    """Yields each task with its result, in the order they finish. A unit fails alone.

    Leaving the iterator early cancels what is still running.
    """
    running = _Running(plan, backend, confidence, on_run)
    tasks = {running.start(task): task for task in plan.tasks}
    try:
        pending = set(tasks)
        while pending:
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            for item in done:
                yield tasks[item], item.result()
    finally:
        await running.cancel()


async def run_field(
    plan: Plan,
    task: Task,
    unit_field: UnitField,
    backend: Backend,
    confidence: Callable[[Signals], float],
) -> tuple[FieldRun, FieldResult]:
    """Runs one field to its end, whatever its unit's own code raises."""
    run = FieldRun(plan.field_task(task, unit_field, backend, confidence))
    try:
        await run.run()
        return run, field_result(run, plan.document)
    except Exception as error:  # noqa: BLE001  a unit's own code may raise anything
        return run, _failed(error)


@dataclass
class _Running:
    """The tasks of a plan that have been started; what is needed runs once for all who need it."""

    plan: Plan
    backend: Backend
    confidence: Callable[[Signals], float]
    on_run: OnRun | None
    started: dict[tuple[str, bool], asyncio.Task[UnitResult]] = field(default_factory=dict)

    def start(self, task: Task, *, is_needed: bool = False) -> asyncio.Task[UnitResult]:
        key = (task.name, is_needed)
        if key not in self.started:
            self.started[key] = asyncio.create_task(self._run_unit(task))
        return self.started[key]

    async def cancel(self) -> None:
        for item in self.started.values():
            item.cancel()
        await asyncio.gather(*self.started.values(), return_exceptions=True)

    async def _run_unit(self, task: Task) -> UnitResult:
        unit = task.unit
        others = {name: self._start_needed(name) for name in unit.uses}
        runs = (
            run_field(self.plan, task, item, self.backend, self.confidence)
            for item in unit.fields.values()
        )
        outcomes = await asyncio.gather(*runs)
        if self.on_run:
            for run, result in outcomes:
                self.on_run(task, run, result)
        fields = {name: result for name, (_, result) in zip(unit.fields, outcomes, strict=True)}
        for name, item in unit.computed.items():
            fields[name] = await _run_computed(item, task, fields, others)
        ordered = {name: fields[name] for name in unit.field_names}
        return unit_result(ordered, sum((run.usage for run, _ in outcomes), Usage()))

    def _start_needed(self, name: str) -> asyncio.Task[UnitResult]:
        for task in self.plan.tasks:
            # The same work, if it was asked for as it is needed.
            if task.unit.name == name and task.arguments == Task(task.unit).arguments:
                return self.start(task)
        (needed,) = (task for task in self.plan.needed if task.unit.name == name)
        return self.start(needed, is_needed=True)


async def _run_computed(
    item: ComputedField,
    task: Task,
    fields: Mapping[str, FieldResult],
    others: Mapping[str, asyncio.Task[UnitResult]],
) -> FieldResult:
    try:
        operands = {
            operand.name: fields[operand.field]
            if operand.unit is None
            else (await others[operand.unit]).fields[operand.field]
            for operand in item.operands
        }
        return compute(item, operands, task.arguments)
    except Exception as error:  # noqa: BLE001  as above
        return _failed(error)


def _failed(error: Exception) -> FieldResult:
    code = error.code if isinstance(error, AssayError) else "unit_failed"
    info = ErrorInfo(code, f"{type(error).__name__}: {error}")
    return FieldResult(Status.ERROR, None, (), 0.0, None, info)
