"""What every path says to the questions of labelled cases, and how right it is, to be kept.

A record has no words of the document: signals, places and how right each answer is. From records a
calibration is fitted and measured in seconds, and any chain replayed, without asking a model again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

from assay.analysis import make_plan
from assay.analysis.plan import Plan
from assay.backends.base import Backend
from assay.documents import Document
from assay.errors import DocumentError, RecordError, UnknownUnitError
from assay.evaluation.base import Ask, Case, EvaluationSet, Finding, Place
from assay.evaluation.units import read_case
from assay.types import AnswerPath
from assay.units import Task, get_unit
from assay.units.answer import Answer, Signals, beside
from assay.units.fallbacks.base import Standing
from assay.units.fallbacks.stored import weights_from
from assay.units.machine import FieldRun

#: No confidence reaches this, so that every step of a chain is taken.
_NEVER_ENOUGH = 2.0


@dataclass(frozen=True, slots=True)
class Said:
    """One answer: its signals when nobody else had been heard, where it stands, how right it is
    (0 to 1). One that `has_value` not says that there is nothing; one that `is_open` has several
    readings."""

    signals: Signals
    spans: tuple[tuple[int, int], ...]
    has_value: bool
    is_open: bool
    right: float

    def as_answer(self) -> Answer:
        """As the machine that runs a field has it; its value stands for whatever it was."""
        standings = tuple(Standing("", start, end) for start, end in self.spans)
        candidates = ("several",) if self.is_open else ()
        complaints = ("some",) * self.signals.num_complaints
        value = "something" if self.has_value else None
        return Answer(value, standings, self.signals, complaints, candidates)


@dataclass(frozen=True, slots=True)
class AskRecord:
    """One ask of a case, and what each step of its chain says: an answer, or None where a fallback
    found nothing.

    `variant` tells apart versions of one case, such as a picture made worse. `chain` is the order
    in which the unit asks, `enough` and `floor` are its question's. `has_gold` says whether there
    is something to be found.
    """

    set_name: str
    case_id: str
    variant: str
    field: str
    unit: str
    is_scan: bool
    has_gold: bool
    chain: tuple[AnswerPath, ...]
    enough: float
    floor: float
    steps: tuple[tuple[AnswerPath, Said | None], ...]

    def to_line(self) -> str:
        """One line of JSON."""
        return json.dumps(asdict(self), ensure_ascii=False) + "\n"

    @property
    def family(self) -> str:
        """The unit's field that was asked, as calibrations name it; empty if nothing was said."""
        return next((said.signals.family for _, said in self.steps if said is not None), "")

    @classmethod
    def from_line(cls, line: str) -> Self:
        """Reads `to_line`.

        Raises:
            RecordError: that is no such line.
        """
        try:
            row = json.loads(line)
            row["chain"] = tuple(map(AnswerPath, row["chain"]))
            row["steps"] = tuple((AnswerPath(path), _said(item)) for path, item in row["steps"])
            return cls(**row)
        except (ValueError, TypeError, KeyError) as error:
            raise RecordError(f"that is no record of an ask: {error}") from None


def _said(row: dict[str, Any] | None) -> Said | None:
    if row is None:
        return None
    signals = {**row["signals"], "path": AnswerPath(row["signals"]["path"])}
    spans = tuple((start, end) for start, end in row["spans"])
    return Said(**{**row, "signals": Signals(**signals), "spans": spans})


@dataclass(frozen=True, slots=True)
class CollectedCase:
    """A case to be asked, as it is called, and the weights of specialists that have not seen it
    (None: the package's)."""

    evaluation_set: EvaluationSet
    case: Case
    variant: str = ""
    weights: Path | None = None


async def collect(
    cases: Sequence[CollectedCase],
    backend: Backend,
    on_case: Callable[[list[AskRecord]], None],
    num_side_by_side: int = 4,
) -> None:
    """Has every path answer every ask, a few cases side by side, and hands over the records of each
    case as it is done. A document that cannot be read has none."""
    room = asyncio.Semaphore(num_side_by_side)

    async def one(item: CollectedCase) -> None:
        async with room:
            on_case(await ask_all(item, backend))

    async with asyncio.TaskGroup() as group:
        for item in cases:
            group.create_task(one(item))


async def ask_all(item: CollectedCase, backend: Backend) -> list[AskRecord]:
    """The records of one case. Asks that no unit's field answers have none."""
    try:
        document = await read_case(item.case)
    except DocumentError:
        return []
    with weights_from(item.weights) if item.weights else nullcontext():
        plan = await asyncio.to_thread(make_plan, document, ())
        runs = [(ask, run) for ask in item.case.asks if (run := _run(ask, plan, backend))]
        await asyncio.gather(*(run.run() for _, run in runs))
    return [_record(item, document, ask, run) for ask, run in runs]


def _run(ask: Ask, plan: Plan, backend: Backend) -> FieldRun | None:
    try:
        unit = get_unit(ask.unit) if isinstance(ask.unit, str) else ask.unit
    except UnknownUnitError:
        return None
    if ask.reader is not None or ask.answered_by not in unit.fields:
        return None
    field = unit.fields[ask.answered_by]
    asked = replace(field, question=replace(field.question, enough=_NEVER_ENOUGH))
    return FieldRun(plan.field_task(Task(unit, ask.arguments), asked, backend, _half))


def _half(_signals: Signals) -> float:
    """What stands for a confidence where none is asked for."""
    return 0.5


def _record(item: CollectedCase, document: Document, ask: Ask, run: FieldRun) -> AskRecord:
    judge = item.evaluation_set.judge
    unit = run.task.unit
    said = [
        Said(
            replace(answer.signals, agreement=None, num_silent=0),
            tuple((standing.start, standing.end) for standing in answer.standings),
            answer.value is not None,
            bool(answer.candidates),
            rightness(item.evaluation_set, ask, document, answer),
        )
        for answer in run.answers
    ]
    steps: list[tuple[AnswerPath, Said | None]] = [(one.signals.path, one) for one in said]
    for path in {fallback.path for fallback in run.task.field.question.fallbacks}:
        asked = sum(item.path is path for item in run.task.field.question.fallbacks)
        answered = sum(one.signals.path is path for one in said)
        steps += [(path, None)] * (asked - answered)
    return AskRecord(
        item.evaluation_set.name,
        item.case.case_id,
        item.variant,
        ask.field,
        unit.name,
        document.char_quality is not None,
        judge(ask, document, Finding()).num_gold > 0,
        unit.chain.steps,
        unit.fields[ask.answered_by].question.enough,
        unit.fields[ask.answered_by].question.floor,
        tuple(steps),
    )


def rightness(evaluation_set: EvaluationSet, ask: Ask, document: Document, answer: Answer) -> float:
    """The share of what was given or should have been that is right; 1 where a value says, rightly,
    that there is nothing to be given."""
    places = tuple(Place(item.start, item.end, item.pointer) for item in answer.standings)
    counts = evaluation_set.judge(ask, document, Finding(answer.value, places))
    total = counts.num_answered + counts.num_gold - counts.num_right
    return counts.num_right / total if total else 1.0


@dataclass(frozen=True, slots=True)
class Kept:
    """What a run of a field would keep: its surest answer, whatever its confidence, and how right
    that is (None: there is none), and how many fallbacks were silent."""

    answer: Answer | None
    said: Said | None
    num_silent: int


def replay(
    record: AskRecord,
    confidence: Callable[[Signals], float],
    steps: Sequence[AnswerPath] | None = None,
    enough: float | None = None,
) -> Kept:
    """Takes the steps of a chain (the unit's own if not given) until an answer is sure enough."""
    enough = record.enough if enough is None else enough
    given: list[tuple[Answer, Said]] = []
    num_silent = 0
    best: tuple[Answer, Said] | None = None
    for path in steps or record.chain:
        for said in (said for at, said in record.steps if at is path):
            if best is not None and best[0].confidence >= enough:
                return Kept(*best, num_silent)
            if said is None:
                num_silent += 1
            else:
                given.append((said.as_answer(), said))
            answers = [answer for answer, _ in given]
            for answer in answers:
                answer.signals = beside(answer, answers, num_silent)
                answer.confidence = confidence(answer.signals)
            found = [item for item in given if item[0].value is not None]
            best = max(found, key=lambda item: item[0].confidence, default=None)
    return Kept(*best, num_silent) if best else Kept(None, None, num_silent)


def read_records(path: Path) -> list[AskRecord]:
    """The records of a file.

    Raises:
        RecordError: a line is none.
    """
    return [AskRecord.from_line(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_records(path: Path, records: Iterable[AskRecord]) -> None:
    """Adds records to a file, a line each."""
    with path.open("a", encoding="utf-8") as out:
        out.writelines(record.to_line() for record in records)


def states_of(record: AskRecord) -> Iterator[tuple[Signals, float, float]]:
    """Each answer with a value as it looks after every set of other paths that may have spoken
    before: its signals, how right it is, and its weight among all (an answer's add up to 1)."""
    paths = sorted({path for path, _ in record.steps})
    for path, said in record.steps:
        if said is None or not said.has_value:
            continue
        others = [other for other in paths if other is not path]
        for chosen in range(1 << len(others)):
            heard = {path, *(item for bit, item in enumerate(others) if chosen >> bit & 1)}
            spoken = [one for at, one in record.steps if at in heard]
            answer = said.as_answer()
            others_said = (one.as_answer() for one in spoken if one and one is not said)
            signals = beside(answer, others_said, spoken.count(None))
            yield signals, said.right, 1 / (1 << len(others))
