"""The units' own answers to a case: what any user of the analyzer gets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

from assay.analysis import AsyncAnalyzer
from assay.backends.base import BackendInfo
from assay.documents import Document, read_document
from assay.errors import AssayError, ModelNotPulledError, UnitError
from assay.evaluation.base import Ask, Case, finding_of
from assay.evaluation.judgement import Response
from assay.types import FieldResult, Generation, GenerationRequest, UnitResult
from assay.units import Task, get_unit


class NoModel:
    """A back end without a model: every unit goes on to its fallbacks."""

    @property
    def info(self) -> BackendInfo:
        return BackendInfo("none", "none", 1, "no model: fallbacks alone")

    def start(self) -> None:
        """Nothing: it is ready."""

    def count_tokens(self, text: str) -> int:
        return len(text)

    async def generate(self, request: GenerationRequest) -> Generation:  # noqa: ARG002
        raise ModelNotPulledError("units are evaluated without a model")

    def close(self) -> None:
        """Nothing: it holds nothing."""


class UnitAnswerer:
    """Answers through an analyzer. A field that no path answers because there is no model is
    absent, not failed."""

    system = "assay"

    def __init__(self, analyzer: AsyncAnalyzer) -> None:
        self._analyzer = analyzer

    async def answer(self, case: Case) -> tuple[Document, Sequence[Response]]:
        """As the protocol says."""
        try:
            document = await read_case(case)
        except AssayError as error:
            return Document(case.case_id, "", ""), [Response(error=error.code)] * len(case.asks)
        tasks: dict[str, Task] = {}
        found: dict[str, UnitResult | str] = {}
        for ask in case.asks:
            if ask.reader is not None:
                continue
            name = _task_name(ask)
            try:
                unit = get_unit(ask.unit) if isinstance(ask.unit, str) else ask.unit
                tasks[name] = Task(unit, ask.arguments, name)
            except UnitError as error:
                found[name] = error.code
        if tasks:
            try:
                analysis = await self._analyzer.analyze(document, units=list(tasks.values()))
                found.update(analysis.results)
            except AssayError as error:
                found.update(dict.fromkeys(tasks, error.code))
        return document, [
            Response(await asyncio.to_thread(ask.reader, document.text), confidence=1.0)
            if ask.reader is not None
            else _response(ask, found[_task_name(ask)], document)
            for ask in case.asks
        ]


async def read_case(case: Case) -> Document:
    """The document of a case.

    Raises:
        DocumentError: it cannot be read.
    """
    if isinstance(case.source, Document):
        return case.source
    return await asyncio.to_thread(read_document, case.source, name=case.case_id)


def _task_name(ask: Ask) -> str:
    """The same for asks that one run of a unit answers."""
    return f"{ask.unit_name} {json.dumps(ask.arguments, sort_keys=True, ensure_ascii=False)}"


def _response(ask: Ask, result: UnitResult | str, document: Document) -> Response:
    if isinstance(result, str):
        return Response(error=result)
    field = result.fields.get(ask.answered_by)
    if field is None:
        return Response(error="unknown_field")
    finding = finding_of(ask, result)
    code = field.error.code if field.error else ""
    return Response(
        finding,
        field.path.value if field.path else None,
        field.confidence,
        # A model that is not there fails no unit: nothing was found, and the chain is at its end.
        "" if code == ModelNotPulledError.code else code,
        _num_ungrounded(field, document),
    )


def _num_ungrounded(field: FieldResult, document: Document) -> int:
    """Quotations that do not stand where they say; a value without any counts, unless it
    says no."""
    if field.value is None:
        return 0
    wrong = sum(
        document.text[item.start : item.end] != item.quote or not item.quote
        for item in field.evidence
    )
    return wrong + int(not field.evidence and field.value is not False)
