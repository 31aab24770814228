"""One ask, answered and judged; and the log of such that a run can be taken up again from."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
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
    """A file of judgements, a line (a JSON list) for each case, written as cases are done.

    What the file holds when it is opened counts as done. A line cut short by a crash does not.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._done: dict[tuple[str, str, str], list[Judgement]] = {}
        self._is_cut = False
        if path is not None and path.exists():
            text = path.read_text(encoding="utf-8")
            self._is_cut = bool(text) and not text.endswith("\n")
            for judgements in filter(None, map(_read_line, text.splitlines())):
                self._done[_key(judgements[0])] = judgements

    def done(self, system: str, set_name: str, case: Case) -> list[Judgement] | None:
        """The judgements of a case, if all are there."""
        found = self._done.get((system, set_name, case.case_id), [])
        return found if len(found) == len(case.asks) else None

    def add(self, judgements: Sequence[Judgement]) -> None:
        """Writes the judgements of one case."""
        if self._path is None:
            return
        line = json.dumps([asdict(item) for item in judgements], ensure_ascii=False)
        with self._path.open("a", encoding="utf-8") as out:
            out.write(f"\n{line}\n" if self._is_cut else f"{line}\n")
        self._is_cut = False


def _key(judgement: Judgement) -> tuple[str, str, str]:
    return judgement.system, judgement.set_name, judgement.case_id


def _read_line(line: str) -> list[Judgement]:
    try:
        rows: list[dict[str, Any]] = json.loads(line) if line else []
    except json.JSONDecodeError:
        return []
    return [Judgement(**{**row, "counts": Counts(**row["counts"])}) for row in rows]
