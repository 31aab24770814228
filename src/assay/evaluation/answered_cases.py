"""Which labelled cases are asked to see how far answers can be trusted, and with whom answering."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assay.backends.base import Backend
from assay.evaluation.answers import AskRecord, CollectedCase, collect, read_records, write_records
from assay.evaluation.base import Case
from assay.evaluation.degrade import DAMAGES, degrade
from assay.evaluation.run import read_cases
from assay.evaluation.sets import get_set
from assay.evaluation.units import NoModel

#: The sets whose judges see evidence and whose questions are units'.
SETS = ("cuad", "sroie", "tatqa", "cfpb", "email_intent", "lawbench_zh")


@dataclass(frozen=True, slots=True)
class Choice:
    """How many cases of each set, spread evenly over it, at most; of how many of these the model is
    asked too; and how many damaged versions of each picture there are."""

    max_cases: int | None = None
    max_with_model: int | None = None
    num_damaged: int = 2


def choose_cases(
    sets: Sequence[str], folder: Path, split: str, choice: Choice
) -> tuple[list[CollectedCase], list[CollectedCase]]:
    """The cases of which rules alone are asked, and those of which the model is too.

    Raises:
        ConfigError: there is no such set.
        DocumentNotFoundError: a set's file is not there.
    """
    alone: list[CollectedCase] = []
    together: list[CollectedCase] = []
    for name in sets:
        evaluation_set = get_set(name)
        cases = read_cases(evaluation_set, folder, split, choice.max_cases)
        most = len(cases) if choice.max_with_model is None else choice.max_with_model
        asked = {number * len(cases) // most for number in range(min(most, len(cases)))}
        if most >= len(cases):
            asked = set(range(len(cases)))
        for number, case in enumerate(cases):
            items = [
                CollectedCase(evaluation_set, version, variant)
                for version, variant in _versions(case, number, choice.num_damaged)
            ]
            (together if number in asked else alone).extend(items)
    return alone, together


def _versions(case: Case, number: int, num_damaged: int) -> Iterator[tuple[Case, str]]:
    yield case, ""
    if isinstance(case.source, bytes):
        for step in range(num_damaged):
            damage = DAMAGES[(number * num_damaged + step) % len(DAMAGES)]
            yield replace(case, source=degrade(case.source, damage, number)), damage


def collect_records(
    alone: Sequence[CollectedCase],
    together: Sequence[CollectedCase],
    backend: Backend,
    kept: Path | None,
    tell: Callable[[str], None],
) -> list[AskRecord]:
    """The records of all cases. Those that the file `kept` has are taken from there, the others are
    added to it.

    Raises:
        RecordError: the file is damaged.
    """
    records = read_records(kept) if kept is not None and kept.exists() else []
    done = {(item.set_name, item.case_id, item.variant) for item in records}
    total = len(alone) + len(together)
    num_done = 0

    def on_case(found: list[AskRecord]) -> None:
        nonlocal num_done
        num_done += 1
        records.extend(found)
        if kept is not None:
            write_records(kept, found)
        tell(f"{num_done} of {total - len(done)} cases")

    for cases, answering in ((alone, NoModel()), (together, backend)):
        left = [
            item
            for item in cases
            if (item.evaluation_set.name, item.case.case_id, item.variant) not in done
        ]
        if left:
            asyncio.run(collect(left, answering, on_case))
    wanted = {
        (item.evaluation_set.name, item.case.case_id, item.variant) for item in (*alone, *together)
    }
    return [item for item in records if (item.set_name, item.case_id, item.variant) in wanted]
