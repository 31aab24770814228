"""How fast the engine reads and writes, and how soon it starts.

    python -m benchmarks.engine [--model NAME|PATH] [--precision P] [--repeats N] [--json-only]

Prefill: one prompt of 128, 512 or 2,048 tokens and one token of answer. Decode: 1, 8 or 32
sequences with a context of 512 tokens, steps after the prompt. Both through `Engine.step`, with
scheduling and sampling, prefix caching off, prompts of random tokens (fixed seed). Beside them the
same engine in bfloat16, measured in turns with the other, since a shared machine drifts.

Cold start: a new process, from its start to its first answer under a JSON Schema, through
`LocalBackend`; peak memory is that process's.

The last line is one JSON object: medians, and under "spread" the least and the greatest.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from assay.engine.config import EngineConfig
from assay.engine.engine import Engine
from assay.engine.load import build_engine
from assay.engine.precision import processor_flags, resolve_precision
from assay.models.packed import PackedModel, load_packed
from assay.models.store import DEFAULT_MODEL, resolve_model
from assay.types import GenerationRequest, Message, SamplingParams

PREFILL_TOKENS = (128, 512, 2048)
DECODE_BATCHES = (1, 8, 32)
CONTEXT, DECODE_STEPS = 512, 16
REFERENCE = "bf16"
SEED = 0

Rates = dict[str, list[float]]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description=__doc__)
    parser.add_argument("--model", default=DEFAULT_MODEL, help="name or path of a packed model")
    parser.add_argument("--precision", default="auto", help="auto, int8, bf16 or float32")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json-only", action="store_true", help="print nothing but the last line")
    options = parser.parse_args()
    say: Callable[[str], None] = _silent if options.json_only else print

    path = resolve_model(options.model)
    packed = load_packed(path)
    precision = resolve_precision(options.precision, processor_flags())
    say(f"{packed.name}, {precision}, {torch.get_num_threads()} threads on {_processor()}")

    starts = [_cold_start(path, precision) for _ in range(max(2, options.repeats // 2))]
    for name in starts[0]["steps_s"]:
        say(f"  {name:>12} {_summary([start['steps_s'][name] for start in starts], 's')}")
    seconds = [start["cold_start_s"] for start in starts]
    memory = [start["peak_rss_mb"] for start in starts]
    say(f"cold start     {_summary(seconds, 's')}, peak {_summary(memory, 'MB')}")

    engines = {name: _build(packed, name) for name in dict.fromkeys([str(precision), REFERENCE])}
    prefill, decode = _measure(engines, options.repeats, say)

    result: dict[str, Any] = {
        "prefill_tok_s": _medians(prefill[precision]),
        "decode_tok_s": _medians(decode[precision]),
        "cold_start_s": round(statistics.median(seconds), 2),
        "peak_rss_mb": round(statistics.median(memory)),
        "precision": precision,
        "spread": {
            "prefill_tok_s": _ranges(prefill[precision]),
            "decode_tok_s": _ranges(decode[precision]),
            "cold_start_s": [round(min(seconds), 2), round(max(seconds), 2)],
            "peak_rss_mb": [round(min(memory)), round(max(memory))],
        },
        "machine": {
            "processor": _processor(),
            "threads": torch.get_num_threads(),
            "torch": torch.__version__,
            "python": platform.python_version(),
        },
    }
    if precision != REFERENCE:
        result["reference_bf16"] = {
            "prefill_tok_s": _medians(prefill[REFERENCE]),
            "decode_tok_s": _medians(decode[REFERENCE]),
        }
    print(json.dumps(result))


def _measure(
    engines: dict[str, Engine], repeats: int, say: Callable[[str], None]
) -> tuple[dict[str, Rates], dict[str, Rates]]:
    """Tokens a second for each engine and size, the engines taking turns; the first is warm-up."""
    prefill: dict[str, Rates] = {name: {} for name in engines}
    decode: dict[str, Rates] = {name: {} for name in engines}
    kinds = [("prefill", str(size), size) for size in PREFILL_TOKENS]
    kinds += [("decode", f"{batch}x{CONTEXT}", batch) for batch in DECODE_BATCHES]
    for kind, label, size in kinds:
        rates, once = (prefill, _prefill) if kind == "prefill" else (decode, _decode)
        for repeat in range(repeats + 1):
            for name, engine in engines.items():
                rate = once(engine, size)
                if repeat:
                    rates[name].setdefault(label, []).append(rate)
        for name in engines:
            say(f"{kind:>7} {label:>6} {name:>7} {_summary(rates[name][label], 'tok/s')}")
    return prefill, decode


def _build(packed: PackedModel, precision: str) -> Engine:
    """An engine that never ends an answer early and never finds a prompt in its cache."""
    endless = replace(packed, config=replace(packed.config, eos_token_ids=()))
    config = EngineConfig(precision=precision, enable_prefix_caching=False)
    return build_engine(endless, config, packed.tokenizer())


def _prefill(engine: Engine, num_tokens: int) -> float:
    _add(engine, num_tokens, seed=SEED, max_tokens=1)
    start = time.perf_counter()
    while engine.has_work:
        engine.step()
    return num_tokens / (time.perf_counter() - start)


def _decode(engine: Engine, batch: int) -> float:
    """Only steps in which every sequence decodes one token are timed."""
    for index in range(batch):
        _add(engine, CONTEXT, seed=index, max_tokens=DECODE_STEPS + batch + 1)
    while any(sequence.num_computed_tokens < CONTEXT for sequence in engine.scheduler.sequences()):
        engine.step()
    start = time.perf_counter()
    for _ in range(DECODE_STEPS):
        engine.step()
    elapsed = time.perf_counter() - start
    for sequence in engine.scheduler.sequences():
        engine.cancel(sequence.seq_id)
    engine.step()
    return batch * DECODE_STEPS / elapsed


def _add(engine: Engine, num_tokens: int, *, seed: int, max_tokens: int) -> None:
    chooser = random.Random(seed)
    prompt_ids = [chooser.randrange(1000, 30000) for _ in range(num_tokens)]
    request = GenerationRequest(
        (Message("user", ""),), sampling=SamplingParams(max_tokens=max_tokens)
    )
    engine.add_request(request, prompt_ids)


def _cold_start(path: Path, precision: str) -> dict[str, Any]:
    started = time.monotonic()
    process = subprocess.run(
        [sys.executable, "-m", "benchmarks.cold_start", str(path), precision, str(started)],
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode != 0:
        raise SystemExit(f"the cold start failed:\n{process.stderr}")
    report: dict[str, Any] = json.loads(process.stdout.splitlines()[-1])
    return report


def _silent(_: str) -> None:
    pass


def _summary(values: list[float], unit: str) -> str:
    digits = 2 if unit == "s" else 0
    middle, least, most = statistics.median(values), min(values), max(values)
    return f"{middle:,.{digits}f} {unit} ({least:,.{digits}f}-{most:,.{digits}f})"


def _medians(rates: Rates) -> dict[str, float]:
    return {label: round(statistics.median(values), 1) for label, values in rates.items()}


def _ranges(rates: Rates) -> dict[str, list[float]]:
    return {label: [round(min(v), 1), round(max(v), 1)] for label, v in rates.items()}


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{len(models)} x {models[0]}" if models else platform.machine()


if __name__ == "__main__":
    main()
