"""What it takes to start a prompt of 2,000 tokens from each tier, and what saving costs a step.

python -m benchmarks.tiers

Two prompts take turns in a KV cache that holds one (but for `live`): each finds its own blocks in
host memory or on disk, in files that the system has at hand, and drives the other's out. `found_ms`
is the time to find, verify, reserve and load; `first_token_ms` runs from the request to its first
token.
`save_ms_a_block` is the copy to memory touched for the first time (`growing`) and used before
(`grown`). Then 32 sequences decode in a full cache: the time that a step's saves take.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import Any

from assay.engine.config import EngineConfig
from assay.engine.engine import Engine
from assay.engine.load import build_engine
from assay.kv_cache.moves import BlockSave, Move
from assay.models.packed import PackedModel, load_packed
from assay.models.store import DEFAULT_MODEL, resolve_model
from assay.types import GenerationRequest, SamplingParams
from benchmarks.report import machine, print_last_line, run, spread
from benchmarks.texts import make_prompt_ids

NUM_TOKENS, BATCH, CONTEXT, NUM_DECODED = 2000, 32, 384, 48


class TimedEngine:
    """An engine with clocks at its cache: `found_s` since `ask`, and each step's moves."""

    def __init__(self, packed: PackedModel, **settings: Any) -> None:
        config = EngineConfig.from_mapping({"max_num_batched_tokens": 2048, **settings})
        self.engine: Engine = build_engine(packed, config, packed.tokenizer())
        self.vocab_size = packed.config.vocab_size
        self.found_s = 0.0
        self.saves: list[tuple[int, float]] = []
        contents, runner = self.engine._manager.contents, self.engine._runner
        take, move = contents.take, runner.move

        def timed_take(*arguments: Any) -> Any:
            started = time.perf_counter()
            try:
                return take(*arguments)
            finally:
                self.found_s += time.perf_counter() - started

        def timed_move(moves: Sequence[Move]) -> None:
            saves = [item for item in moves if isinstance(item, BlockSave)]
            started = time.perf_counter()
            move(saves)
            saved = time.perf_counter()
            move([item for item in moves if not isinstance(item, BlockSave)])
            self.saves.append((len(saves), saved - started))
            self.found_s += time.perf_counter() - saved

        contents.take, runner.move = timed_take, timed_move  # type: ignore[method-assign]

    def add(self, name: str, num_tokens: int, max_tokens: int) -> None:
        prompt = make_prompt_ids(name, num_tokens, self.vocab_size)
        request = GenerationRequest((), sampling=SamplingParams(max_tokens=max_tokens))
        self.engine.add_request(request, prompt)

    def ask(self, name: str) -> tuple[float, float]:
        """Seconds to find what is there of a prompt, and to its first token."""
        self.found_s = 0.0
        started = time.perf_counter()
        self.add(name, NUM_TOKENS + 1, 1)
        while self.engine.has_work:
            self.engine.step()
        elapsed = time.perf_counter() - started
        writer = self.engine._manager.contents.tiers.writer
        if writer is not None:
            writer.flush()
        return self.found_s, elapsed


def measure_starts(packed: PackedModel, repeats: int, **common: Any) -> dict[str, Any]:
    """By tier: milliseconds to find `NUM_TOKENS`, and to the first token; `common` are settings."""
    num_blocks = -(-(NUM_TOKENS + 2) // 16)
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        settings: dict[str, dict[str, Any]] = {
            "live": {"num_blocks": 2 * num_blocks},
            "host": {"num_blocks": num_blocks, "host_cache_bytes": 2**28},
            "disk": {"num_blocks": num_blocks, "host_cache_bytes": 0, "disk_cache_dir": folder},
        }
        for tier, setting in settings.items():
            engine = TimedEngine(packed, **setting, **common)
            computed = [engine.ask(name)[1] for name in ("first", "second")]
            figures.setdefault("computed", {"first_token_ms": _ms(computed)})
            times = [engine.ask(("first", "second")[i % 2]) for i in range(2 * repeats)]
            figures[tier] = {
                "found_ms": _ms([found for found, _ in times]),
                "first_token_ms": _ms([total for _, total in times]),
            }
            if tier == "host":
                # The last prompt's blocks are saved for the first time.
                growing = [s / n for n, s in engine.saves if n]
                figures["save_ms_a_block"] = {"growing": _ms(growing)}
            if tier == "disk":
                grown = [s / n for n, s in engine.saves[2:] if n]
                figures["save_ms_a_block"]["grown"] = _ms(grown)
            found = engine.engine.cache_statistics
            assert getattr(found, f"num_{tier}") >= 2 * repeats * (NUM_TOKENS // 16 - 1)
            engine.engine.close()
    return figures


def measure_decoding(packed: PackedModel, **common: Any) -> dict[str, Any]:
    """Milliseconds of saves in the steps that decode, where each new block drives out another."""
    num_blocks = BATCH * -(-(CONTEXT + NUM_DECODED) // 16)
    engine = TimedEngine(packed, num_blocks=num_blocks, host_cache_bytes=2**28, **common)
    for turn in range(2):
        for number in range(BATCH):
            engine.add(f"{turn} {number}", CONTEXT - number % 16, NUM_DECODED)
        engine.saves.clear()
        steps = []
        while engine.engine.has_work:
            running = engine.engine.scheduler.sequences()
            decodes = all(sequence.num_pending_tokens == 1 for sequence in running)
            started = time.perf_counter()
            engine.engine.step()
            if decodes:
                steps.append((time.perf_counter() - started, *engine.saves[-1]))
    engine.engine.close()
    return {
        "step_ms": _ms([step for step, _, _ in steps]),
        "saved_blocks": spread([num_blocks for _, num_blocks, _ in steps]),
        "save_ms": _ms([saving for _, _, saving in steps]),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tiers")
    parser.add_argument("--model", default=DEFAULT_MODEL)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=None, help="default: as the engine chooses")
    options = parser.parse_args(arguments)
    packed = load_packed(resolve_model(options.model))
    common = {} if options.threads is None else {"num_threads": options.threads}
    figures = {
        "machine": machine(),
        "num_tokens": NUM_TOKENS,
        "num_threads": options.threads,
        **measure_starts(packed, options.repeats, **common),
        "decoding": measure_decoding(packed, **common),
    }
    for name, values in figures.items():
        print(f"{name}: {values}", file=sys.stderr)
    print_last_line(figures)
    return 0


def _ms(seconds: Sequence[float]) -> dict[str, float]:
    return spread([value * 1000 for value in seconds])


if __name__ == "__main__":
    sys.exit(run(main))
