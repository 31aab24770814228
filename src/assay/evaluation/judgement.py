"""One ask, answered and judged; and the log of such that a run can be taken up again from."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from assay.documents import Document
from assay.evaluation.base import Case, Counts, EvaluationSet, Finding

#: What answered, where it was not a step of a unit's chain.
BASELINE = "baseline"


@dataclass(frozen=True, slots=True)
class Response:
    """What answered one ask, and what it found.

    `path` is the step of the chain, or `BASELINE`; None where nothing answered. `error` is the code
    of what went wrong, empty if nothing did. `num_ungrounded` counts values, or quotations of them,
    that do not stand in the document.
    """

    finding: Finding = dataclasses.field(default_factory=Finding)
    path: str | None = None
    confidence: float = 0.0
    error: str = ""
    num_ungrounded: int = 0


class Answerer(Protocol):
    """Whoever is evaluated."""

    @property
    def system(self) -> str:
        """What it is called in logs."""
        ...

    async def answer(self, case: Case) -> tuple[Document, Sequence[Response]]:
        """The document as it was read, and a response to each ask of the case, in order. Never
        raises an `AssayError`: what fails is a response with its code."""
        ...


@dataclass(frozen=True, slots=True)
class Judgement:
    """How right one response was."""

    system: str
    set_name: str
    case_id: str
    field: str
    unit: str
    language: str
    path: str | None
    confidence: float
    error: str
    num_ungrounded: int
    counts: Counts


def judge_case(
    evaluation_set: EvaluationSet,
    case: Case,
    system: str,
    document: Document,
    responses: Sequence[Response],
) -> list[Judgement]:
    """Holds the responses to a case against its gold."""
    return [
        Judgement(
            system,
            evaluation_set.name,
            case.case_id,
            ask.field,
            f"{ask.unit_name}.{ask.answered_by}",
            case.language,
            response.path,
            response.confidence,
            response.error,
            response.num_ungrounded,
            evaluation_set.judge(ask, document, response.finding),
        )
        for ask, response in zip(case.asks, responses, strict=True)
    ]


class JudgementLog:
    """A file of judgements, a line each, written case by case as they come.

    What the file holds when it is opened counts as done. A case cut short by a crash is done anew.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._done: dict[tuple[str, str, str], list[Judgement]] = {}
        if path is not None and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._add(_read_line(line))

    def done(self, system: str, set_name: str, case: Case) -> list[Judgement] | None:
        """The judgements of a case, if all are there."""
        found = self._done.get((system, set_name, case.case_id), [])
        return found if len(found) == len(case.asks) else None

    def add(self, judgements: Iterable[Judgement]) -> None:
        if self._path is None:
            return
        lines = [json.dumps(asdict(item), ensure_ascii=False) + "\n" for item in judgements]
        with self._path.open("a", encoding="utf-8") as out:
            out.write("".join(lines))

    def _add(self, judgement: Judgement | None) -> None:
        if judgement is not None:
            key = (judgement.system, judgement.set_name, judgement.case_id)
            self._done.setdefault(key, []).append(judgement)


def _read_line(line: str) -> Judgement | None:
    try:
        row: dict[str, Any] = json.loads(line)
    except json.JSONDecodeError:
        return None  # the last line of a run that was killed
    return Judgement(**{**row, "counts": Counts(**row["counts"])})
