"""Puts the cases of sets to whoever is evaluated, a few side by side."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from assay.evaluation.base import Case, EvaluationSet
from assay.evaluation.judgement import Answerer, Judgement, JudgementLog, judge_case

#: Cases in flight: enough to keep the engine's batches filled while others are read and judged.
NUM_SIDE_BY_SIDE = 4


Judged = list[Judgement]


#: Told of a case done: the set, how many of its cases are done, of how many.
OnDone = Callable[[str, int, int], None]


def read_cases(
    evaluation_set: EvaluationSet, folder: Path, split: str, limit: int | None = None
) -> list[Case]:
    """The cases of a set, or `limit` of them, spread evenly over its file.

    Raises:
        DocumentNotFoundError: its file is not there.
    """
    cases = list(evaluation_set.read(folder, split))
    if limit is None or limit >= len(cases):
        return cases
    return [cases[number * len(cases) // limit] for number in range(limit)]


def with_plain_questions(
    cases: Sequence[tuple[EvaluationSet, Sequence[Case]]],
) -> list[tuple[EvaluationSet, list[Case]]]:
    """What a baseline is asked: the asks that have a plain question, and the cases and sets that
    have such asks."""
    found = []
    for evaluation_set, members in cases:
        asked = (
            replace(case, asks=tuple(ask for ask in case.asks if ask.plain)) for case in members
        )
        if kept := [case for case in asked if case.asks]:
            found.append((evaluation_set, kept))
    return found


async def evaluate(
    cases: Sequence[tuple[EvaluationSet, Sequence[Case]]],
    answerer: Answerer,
    log: JudgementLog,
    on_done: OnDone = lambda *_: None,
    num_side_by_side: int = NUM_SIDE_BY_SIDE,
) -> Judged:
    """Has every case answered and judged, in the order of the sets; what the log has is taken from
    there."""
    room = asyncio.Semaphore(num_side_by_side)
    found: Judged = []
    for evaluation_set, members in cases:
        kept = [log.done(answerer.system, evaluation_set.name, case) for case in members]
        num_done = sum(judged is not None for judged in kept)

        async def judge(case: Case, evaluation_set: EvaluationSet = evaluation_set) -> Judged:
            async with room:
                document, responses = await answerer.answer(case)
            return judge_case(evaluation_set, case, answerer.system, document, responses)

        async with asyncio.TaskGroup() as group:
            tasks = [
                None if judged else group.create_task(judge(case))
                for case, judged in zip(members, kept, strict=True)
            ]
            for done in asyncio.as_completed([task for task in tasks if task]):
                log.add(await done)
                num_done += 1
                on_done(evaluation_set.name, num_done, len(members))
        for judged, task in zip(kept, tasks, strict=True):
            found.extend(judged or (task.result() if task else ()))
    return found
