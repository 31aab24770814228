"""What a step costs besides the model where 32 sequences have retention windows.

Each asks about the same 2,000 tokens and decodes alone. Counted are the steps after all windows
were first chosen: what is scored and chosen then is the share of a step that refreshes take.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

from benchmarks.kv_engine import EnginePrompt, MeasuredEngine
from benchmarks.kv_replay import Replay
from benchmarks.texts import make_prompt_ids

NUM_SEQUENCES, NUM_TOKENS, NUM_QUESTION = 32, 2000, 24
#: Two turns of refreshes at the default interval of 32, and those in which windows are first made.
NUM_STEPS, NUM_SKIPPED = 72, 8


def time_scoring(engine: MeasuredEngine) -> dict[str, float]:
    """Means over steps, in ms: `scorer_ms`, scoring pairs and choosing among them; `refresh_ms`,
    all that is done about windows between steps, reading the pairs included."""
    keeper = engine.engine._keeper
    assert keeper is not None
    look_after, select = keeper.look_after, keeper._select
    chosen_s: list[float] = []
    per_step: list[tuple[float, float]] = []

    def clocked(work: Callable[..., Any], spent: list[float]) -> Callable[..., Any]:
        def timed(*arguments: Any) -> Any:
            started = time.perf_counter()
            result = work(*arguments)
            spent.append(time.perf_counter() - started)
            return result

        return timed

    def watched(*arguments: Any) -> None:
        chosen_s.clear()
        spent: list[float] = []
        clocked(look_after, spent)(*arguments)
        per_step.append((sum(chosen_s), spent[0]))

    keeper.look_after, keeper._select = watched, clocked(select, chosen_s)
    try:
        engine.replay(*_work(engine))
    finally:
        del keeper.look_after, keeper._select
    counted = per_step[-(NUM_STEPS - NUM_SKIPPED) :]
    scoring, all_of_it = zip(*counted, strict=True)
    return {
        "scorer_ms": round(1000 * statistics.mean(scoring), 3),
        "refresh_ms": round(1000 * statistics.mean(all_of_it), 3),
    }


def _work(engine: MeasuredEngine) -> tuple[list[EnginePrompt], list[Replay]]:
    size = engine.tokenizer.vocab_size
    document = make_prompt_ids("document", NUM_TOKENS, size)
    answer = make_prompt_ids("answer", NUM_STEPS, size)
    prompts = [
        EnginePrompt(document + make_prompt_ids(f"question {i}", NUM_QUESTION, size))
        for i in range(NUM_SEQUENCES)
    ]
    return prompts, [Replay((), answer) for _ in prompts]
