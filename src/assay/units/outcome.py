"""From finished runs to results: a field's from its run, a unit's from its fields'."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.documents import Document
from assay.types import AnswerPath, ErrorInfo, Evidence, FieldResult, Status, UnitResult, Usage
from assay.units.machine import FieldRun
from assay.units.states import State


def field_result(run: FieldRun, document: Document) -> FieldResult:
    """What one run found.

    An answer below the question's `floor` counts as absent. The confidence of an absence is how
    sure it is that nothing is there. One that is not
    sure enough for the precision asked for is absent too, with an error that says so.
    """
    if run.state is State.FAILED:
        return FieldResult(Status.ERROR, None, (), 0.0, None, run.error)
    best = run.best
    floor = run.task.floor
    if best is None or best.confidence < max(floor, run.task.min_confidence):
        path = best.signals.path if best else _first_path(run)
        turned_down = best.confidence if best else None
        confidence = run.task.absence(run.task.field.family, turned_down, run.num_silent)
        error = None
        if best and best.confidence >= floor:
            error = _withheld(best.confidence, run.task.min_confidence)
        return FieldResult(Status.ABSENT, None, (), confidence, path, error)
    evidence = tuple(
        Evidence(
            item.start,
            item.end,
            document.text[item.start : item.end],
            document.page_at(item.start),
            f"/{run.task.field.name}{item.pointer}",
            document.boxes_for(item.start, item.end),
        )
        for item in best.standings
    )
    status = Status.AMBIGUOUS if best.candidates else Status.OK
    return FieldResult(
        status, best.value, evidence, best.confidence, best.signals.path, None, best.candidates
    )


def _withheld(confidence: float, min_confidence: float) -> ErrorInfo:
    needed = (
        f"{min_confidence:.2f} is needed"
        if min_confidence <= 1
        else "answers of this field are never known to be right so often"
    )
    said = f"an answer of confidence {confidence:.2f} is withheld"
    return ErrorInfo("below_min_precision", f"{said}: for the precision asked for {needed}")


def _first_path(run: FieldRun) -> AnswerPath | None:
    return run.answers[0].signals.path if run.answers else None


def unit_result(fields: Mapping[str, FieldResult], usage: Usage) -> UnitResult:
    """What one unit found: the fields' values as one object, under the worst of their statuses.

    - `error`: every field failed. `partial`: some did.
    - `absent`: no field has a value. `ambiguous`: some value has several readings.
    - `ok`: otherwise; a field that is absent is null.
    """
    statuses = {result.status for result in fields.values()}
    failed = [result for result in fields.values() if result.status is Status.ERROR]
    errors = [result.error for result in failed or fields.values() if result.error]
    if statuses == {Status.ERROR}:
        return UnitResult(Status.ERROR, None, (), 0.0, None, errors[0], fields, usage)
    if Status.ERROR in statuses:
        status = Status.PARTIAL
    elif statuses == {Status.ABSENT}:
        status = Status.ABSENT
    elif Status.AMBIGUOUS in statuses:
        status = Status.AMBIGUOUS
    else:
        status = Status.OK
    answered = [item for item in fields.values() if item.status in (Status.OK, Status.AMBIGUOUS)]
    weakest = min(
        answered or [item for item in fields.values() if item.status is Status.ABSENT],
        key=lambda item: item.confidence,
    )
    value: dict[str, Any] | None = None
    if answered:
        value = {name: result.value for name, result in fields.items()}
    return UnitResult(
        status,
        value,
        tuple(item for result in fields.values() for item in result.evidence),
        weakest.confidence,
        weakest.path,
        errors[0] if errors and (failed or not answered) else None,
        fields,
        usage,
    )
