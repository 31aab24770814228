"""Records of runs: what each field went through, to be read, kept and replayed.

A record holds what the model said, so that a run can be made again without it: with another
calibration, other validators or fallbacks, or as proof of what an answer was based on. It holds
words of the document: keep it as you keep the document.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any, Self

from assay.backends.base import BackendInfo
from assay.documents import Document
from assay.errors import RecordError
from assay.routing import Route
from assay.types import (
    FieldResult,
    GeneratedToken,
    Generation,
    GenerationRequest,
    SourceSpan,
    Usage,
)
from assay.units import Task
from assay.units.machine import FieldRun

VERSION = 1


@dataclass(frozen=True, slots=True)
class RunRecord:
    """One run of one field. `document` is the digest of the text that it ran on, `task` the name of
    its result. `steps` are the states it went through, `answers` what each path said, `said` what
    the model did, by the digest of what it was asked; None if it was not asked or failed. `routing`
    is what a request in words was taken to mean, and by which rule, if there was one."""

    document: str
    task: str
    unit: str
    unit_version: str
    arguments: Mapping[str, Any]
    field: str
    steps: tuple[Mapping[str, Any], ...]
    answers: tuple[Mapping[str, Any], ...]
    result: Mapping[str, Any]
    asked: str | None = None
    said: Mapping[str, Any] | None = None
    failed: Mapping[str, str] | None = None
    routing: Mapping[str, Any] | None = None

    def to_line(self) -> str:
        """One line of JSON."""
        content = {"version": VERSION, **asdict(self)}
        return json.dumps(content, ensure_ascii=False, default=str) + "\n"

    @classmethod
    def from_line(cls, line: str) -> Self:
        """Reads `to_line`.

        Raises:
            RecordError: that is no record, or one of another version.
        """
        try:
            content = json.loads(line)
            version = content.pop("version")
            if version != VERSION:
                raise RecordError(f"a record of version {version} cannot be read")
            record = cls(**content)
            if record.said is not None:
                _to_generation(record.said)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise RecordError(f"that is no record of a run: {error}") from None
        return record


def record_run(
    document: Document,
    task: Task,
    run: FieldRun,
    result: FieldResult,
    routing: Route | None = None,
) -> RunRecord:
    """The record of a run that has ended."""
    answers = (
        {
            "path": answer.signals.path.value,
            "value": answer.value,
            "standings": [asdict(item) for item in answer.standings],
            "signals": asdict(answer.signals),
            "complaints": list(answer.complaints),
            "confidence": answer.confidence,
        }
        for answer in run.answers
    )
    said = run.generation
    return RunRecord(
        digest_of(document.text),
        task.name,
        task.unit.name,
        task.unit.version,
        dict(task.arguments),
        run.task.field.name,
        tuple(asdict(step) for step in run.trace),
        tuple(answers),
        {"value": result.value, **result.as_json()},
        None if run.request is None else _digest_of_request(run.request),
        None if said is None else {**asdict(said), "cache": None},
        None if run.error is None else run.error.as_json(),
        None if routing is None else routing.as_json(),
    )


class RecordedBackend:
    """Says again what records have of a model (`backends.base.Backend`). What they do not have
    raises `RecordError`, which a run takes as it takes any model that fails."""

    def __init__(self, records: Iterable[RunRecord]) -> None:
        self._said = {
            record.asked: _to_generation(record.said)
            for record in records
            if record.asked is not None and record.said is not None
        }

    @property
    def info(self) -> BackendInfo:
        return BackendInfo("recorded", "records", 2**20, "answers that were recorded")

    def start(self) -> None:
        """Nothing: it is ready."""

    def count_tokens(self, text: str) -> int:
        return len(text)

    async def generate(self, request: GenerationRequest) -> Generation:
        """What was said to the same request."""
        try:
            return self._said[_digest_of_request(request)]
        except KeyError:
            raise RecordError("no record has an answer to this question") from None

    def close(self) -> None:
        """Nothing: it holds nothing."""


def digest_of(text: str) -> str:
    """What names a text."""
    return blake2b(text.encode(), digest_size=16).hexdigest()


def _digest_of_request(request: GenerationRequest) -> str:
    """What names what a model is asked, whoever asks and whatever it has cached."""
    said = [[item.role, item.content] for item in request.messages]
    constraint = None if request.constraint is None else asdict(request.constraint)
    asked = [said, constraint, asdict(request.sampling)]
    return digest_of(json.dumps(asked, sort_keys=True, ensure_ascii=False, default=str))


def _to_generation(said: Mapping[str, Any]) -> Generation:
    return Generation(
        said["text"],
        tuple(
            GeneratedToken(**{**token, "alternatives": tuple(map(tuple, token["alternatives"]))})
            for token in said["tokens"]
        ),
        said["finish_reason"],
        Usage(**said["usage"]),
        tuple(SourceSpan(**span) for span in said["spans"]),
    )
