"""Runs a plan: all fields of all units side by side, each unit's result as soon as it is whole."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

from assay.analysis.plan import Plan
from assay.backends.base import Backend
from assay.errors import AssayError
from assay.types import ErrorInfo, FieldResult, Status, UnitResult, Usage
from assay.units import Unit, UnitField
from assay.units.answer import Signals
from assay.units.machine import FieldRun
from assay.units.outcome import field_result, unit_result


async def run_plan(
    plan: Plan, backend: Backend, confidence: Callable[[Signals], float]
) -> AsyncIterator[tuple[Unit, UnitResult]]:
    """Yields each unit with its result, in the order they finish. A unit fails alone.

    Leaving the iterator early cancels what is still running.
    """
    tasks = {
        asyncio.create_task(_run_unit(plan, unit, backend, confidence)): unit for unit in plan.units
    }
    try:
        pending = set(tasks)
        while pending:
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                yield tasks[task], task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def run_field(
    plan: Plan,
    unit: Unit,
    unit_field: UnitField,
    backend: Backend,
    confidence: Callable[[Signals], float],
) -> tuple[FieldRun, FieldResult]:
    """Runs one field to its end, whatever its unit's own code raises."""
    run = FieldRun(plan.task_for(unit, unit_field, backend, confidence))
    try:
        await run.run()
        return run, field_result(run, plan.document)
    except Exception as error:  # noqa: BLE001  a unit's own code may raise anything
        code = error.code if isinstance(error, AssayError) else "unit_failed"
        info = ErrorInfo(code, f"{type(error).__name__}: {error}")
        return run, FieldResult(Status.ERROR, None, (), 0.0, None, info)


async def _run_unit(
    plan: Plan, unit: Unit, backend: Backend, confidence: Callable[[Signals], float]
) -> UnitResult:
    runs = (run_field(plan, unit, item, backend, confidence) for item in unit.fields.values())
    outcomes = await asyncio.gather(*runs)
    fields = {name: result for name, (_, result) in zip(unit.fields, outcomes, strict=True)}
    return unit_result(fields, sum((run.usage for run, _ in outcomes), Usage()))
