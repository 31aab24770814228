"""How long it takes to attach 2,000 tokens of slices to a new sequence.

The time runs from the request's arrival in the engine to the moment when all that is attached lies
in the sequence's blocks and the model may begin: finding, reserving, copying, turning keys.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from assay.engine.chaining import ChainedPrompt
from assay.kv_cache.chains import Chain
from assay.types import SamplingParams
from benchmarks.kv_engine import EnginePrompt, MeasuredEngine
from benchmarks.texts import make_prompt_ids

NUM_SLICES, SLICE_TOKENS, NUM_AROUND = 10, 200, 32
_ONE_TOKEN = SamplingParams(max_tokens=1)


def time_attaching(engine: MeasuredEngine, repeats: int) -> list[float]:
    """Seconds, `repeats` times, of the kind of slices that the engine takes."""
    make = _independent if engine.chains is None else _chained
    seconds = []
    for repeat in range(repeats + 1):
        elapsed = _until_moved(engine, make(engine, repeat))
        if repeat:
            seconds.append(elapsed)
    return seconds


def _independent(engine: MeasuredEngine, repeat: int) -> EnginePrompt:
    """The same slices in another order, none where it was computed."""
    preamble, slices, tail = _texts(engine, repeat)
    token_ids, segments = list(preamble), []
    for number in range(NUM_SLICES):
        token_ids.append(preamble[number])
        segments.append(range(len(token_ids), len(token_ids) + SLICE_TOKENS))
        token_ids += slices[(number + repeat) % NUM_SLICES]
    return EnginePrompt(token_ids + tail, tuple(segments))


def _chained(engine: MeasuredEngine, repeat: int) -> EnginePrompt:
    """Every other segment of a document of twice the length."""
    assert engine.chains is not None
    preamble, slices, tail = _texts(engine, repeat)
    chain = Chain("", preamble, [*slices, *slices], engine.chains.layout)
    chosen = tuple(range(0, 2 * NUM_SLICES, 2))
    return EnginePrompt((), chained=ChainedPrompt(chain, chosen, tail))


def _texts(engine: MeasuredEngine, repeat: int) -> tuple[list[int], list[list[int]], list[int]]:
    """A preamble and slices that are always the same, and a tail that never is."""
    size = engine.tokenizer.vocab_size
    slices = [make_prompt_ids(f"slice {i}", SLICE_TOKENS, size) for i in range(NUM_SLICES)]
    tail = make_prompt_ids(f"tail {repeat}", NUM_AROUND, size)
    return make_prompt_ids("preamble", NUM_AROUND, size), slices, tail


def _until_moved(engine: MeasuredEngine, prompt: EnginePrompt) -> float:
    runner = engine.engine._runner
    move: Callable[[Sequence[Any]], None] = runner.move
    ends: list[float] = []

    def watched(moves: Sequence[Any]) -> None:
        move(moves)
        ends.append(time.perf_counter())

    runner.move = watched
    try:
        started = time.perf_counter()
        engine.ask(prompt, _ONE_TOKEN)
    finally:
        del runner.move
    return ends[0] - started
