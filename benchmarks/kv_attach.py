"""How long it takes to attach 2,000 tokens of slices to a new sequence."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from assay.models.tokenizer import Prompt
from assay.types import SamplingParams
from benchmarks.kv_engine import MeasuredEngine
from benchmarks.texts import make_prompt_ids

NUM_SLICES, SLICE_TOKENS, NUM_AROUND = 10, 200, 32
_ONE_TOKEN = SamplingParams(max_tokens=1)


def time_independent(engine: MeasuredEngine, repeats: int) -> list[float]:
    """Seconds from the choice of blocks to the last key turned, for slices whose places all differ
    from where they were computed; the steps of the model are not in it."""
    vocab_size = engine.tokenizer.vocab_size
    preamble = make_prompt_ids("preamble", NUM_AROUND, vocab_size)
    slices = [make_prompt_ids(f"slice {i}", SLICE_TOKENS, vocab_size) for i in range(NUM_SLICES)]
    seconds = []
    for repeat in range(repeats + 1):
        order = [*slices[repeat % NUM_SLICES :], *slices[: repeat % NUM_SLICES]]
        token_ids, segments = list(preamble), []
        for number, item in enumerate(order):
            # A token between preamble and slice, so that no slice stands where it was computed.
            token_ids.append(preamble[number])
            segments.append(range(len(token_ids), len(token_ids) + SLICE_TOKENS))
            token_ids += item
        token_ids += make_prompt_ids(f"tail {repeat}", NUM_AROUND, vocab_size)
        with _clocked(engine) as spent:
            engine.ask(Prompt(token_ids, tuple(segments)), _ONE_TOKEN)
        if repeat:
            seconds.append(sum(spent))
    return seconds


@contextmanager
def _clocked(engine: MeasuredEngine) -> Iterator[list[float]]:
    """Collects the seconds spent in giving sequences their blocks and in copying into them."""
    manager, runner = engine.engine.scheduler.manager, engine.engine._runner
    spent: list[float] = []

    def clocked(work: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*arguments: Any) -> Any:
            started = time.perf_counter()
            try:
                return work(*arguments)
            finally:
                spent.append(time.perf_counter() - started)

        return timed

    manager.allocate, runner.move = map(clocked, (manager.allocate, runner.move))
    try:
        yield spent
    finally:
        del manager.allocate, runner.move
