"""How fast the engine reads and writes, and how soon it starts.

    python -m benchmarks.engine [--model NAME|PATH] [--precision P] [--repeats N] [--json-only]
                                [--peers [NAME,…]] [--contexts 64 512 2048]

Prefill: one prompt of 128, 512 or 2,048 tokens and one token of answer. Decode: 1, 8 or 32
sequences with a context of 512 tokens (with peers: 64, 512 and 2,048), steps after the prompt.
Both through `Engine.step`, with scheduling and sampling, prefix caching off, prompts of random
tokens (fixed seed). Beside them the same engine in bfloat16, measured in turns with the other,
since a shared machine drifts.

Cold start: a new process, from its start to its first answer under a JSON Schema, through
`LocalBackend`; peak memory is that process's. Then in processes with a pause between start and the
first request: the first request of each kind and the next, with warm-up and without, in turns.

The ceiling is what the bare matrix products of all layers would allow at 512 rows (see
`benchmarks.gemm`); `gemm_share` is prefill's share of it. With `--peers`, the engines that `make
peers` installed are measured afterwards from outside (see `benchmarks.peers.rates`).

The last line is one JSON object: medians, and under "spread" the least and the greatest. With
peers it holds besides one object of these keys an engine, under its name; ours is `assay`.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
import time
from collections.abc import Callable
from collections.abc import Sequence as Seq
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
from benchmarks.gemm import measure_ceiling
from benchmarks.local_engine import kv_bytes_per_token
from benchmarks.peers import registry
from benchmarks.peers.base import PeerError
from benchmarks.peers.rates import measure_peer
from benchmarks.report import run
from benchmarks.starts import cold_start, of_a_kind
from benchmarks.texts import make_prompt_ids

PREFILL_TOKENS = (128, 512, 2048)
DECODE_BATCHES = (1, 8, 32)
CONTEXT, DECODE_STEPS = 512, 16
PEER_CONTEXTS = (64, 512, 2048)
CEILING_ROWS = 512
# Batches whose prompts are longer than this in all are repeated twice only.
HEAVY_TOKENS = 20_000
REFERENCE = "bf16"
SEED = 0

# What is known of every engine.
OWN_KEYS = (
    "prefill_tok_s", "decode_tok_s", "cold_start_s", "peak_rss_mb", "gemm_share", "spread"
)  # fmt: skip

Rates = dict[str, list[float]]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description=__doc__)
    parser.add_argument("--model", default=DEFAULT_MODEL, help="name or path of a packed model")
    parser.add_argument("--precision", default="auto", help="auto, int8, bf16 or float32")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json-only", action="store_true", help="print nothing but the last line")
    parser.add_argument("--peers", nargs="?", const="all", help="all that are installed, or names")
    parser.add_argument("--contexts", type=int, nargs="+", help="tokens before a decode step")
    options = parser.parse_args()
    try:
        peers = registry.choose_peers(options.peers)
    except PeerError as error:
        parser.error(str(error))
    contexts = options.contexts or (PEER_CONTEXTS if peers else (CONTEXT,))
    shapes = [(batch, context) for context in contexts for batch in DECODE_BATCHES]
    say: Callable[[str], None] = _silent if options.json_only else print

    path = resolve_model(options.model)
    packed = load_packed(path)
    precision = resolve_precision(options.precision, processor_flags())
    say(f"{packed.name}, {precision}, {torch.get_num_threads()} threads on {_processor()}")

    starts = [cold_start(path, precision) for _ in range(max(2, options.repeats // 2))]
    for name in starts[0]["steps_s"]:
        say(f"  {name:>12} {_summary([start['steps_s'][name] for start in starts], 's')}")
    kinds = of_a_kind(path, precision, max(2, options.repeats // 2), say)
    seconds = [start["cold_start_s"] for start in starts]
    memory = [start["peak_rss_mb"] for start in starts]
    say(f"cold start     {_summary(seconds, 's')}, peak {_summary(memory, 'MB')}")

    names = dict.fromkeys([str(precision), REFERENCE])
    engines = {name: _build(packed, name, shapes) for name in names}
    prefill, decode = _measure(engines, packed.config.vocab_size, shapes, options.repeats, say)
    engines.clear()
    ceiling = measure_ceiling(packed.config, precision, CEILING_ROWS)
    share = statistics.median(prefill[precision][str(CEILING_ROWS)]) / ceiling["tok_s"]
    say(f"bare matrix products: {ceiling['tok_s']:,.0f} tok/s; prefill reaches {share:.0%}")

    result: dict[str, Any] = {
        "prefill_tok_s": _medians(prefill[precision]),
        "decode_tok_s": _medians(decode[precision]),
        "cold_start_s": round(statistics.median(seconds), 2),
        "of_a_kind_ms": kinds,
        "peak_rss_mb": round(statistics.median(memory)),
        "gemm_share": round(share, 4),
        "gemm_ceiling": ceiling,
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
    if peers:
        result["assay"] = {name: result[name] for name in OWN_KEYS}
        result |= _measure_peers(peers, packed, shapes, options.repeats, say)
    print(json.dumps(result))
    return 0


def _measure_peers(
    names: Seq[str],
    packed: PackedModel,
    shapes: Seq[tuple[int, int]],
    repeats: int,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """One object for each peer; `error` in place of rates where it failed."""
    found: dict[str, Any] = {}
    for name in names:
        if name == "openvino_leaders":
            continue  # the same engine: only the client differs
        try:
            found[name] = measure_peer(
                name,
                registry.peer_model(packed),
                prefill_tokens=PREFILL_TOKENS,
                decode_shapes=shapes,
                repeats=min(repeats, 3),
                say=say,
            )
        except PeerError as error:
            say(f"{name}: {error}")
            found[name] = {"error": str(error)}
    return found


def _measure(
    engines: dict[str, Engine],
    vocab_size: int,
    shapes: Seq[tuple[int, int]],
    repeats: int,
    say: Callable[[str], None],
) -> tuple[dict[str, Rates], dict[str, Rates]]:
    """Tokens a second for each engine and size, the engines taking turns; the first is warm-up."""
    prefill: dict[str, Rates] = {name: {} for name in engines}
    decode: dict[str, Rates] = {name: {} for name in engines}
    kinds = [("prefill", 1, size) for size in PREFILL_TOKENS]
    kinds += [("decode", batch, context) for batch, context in shapes]
    for kind, batch, size in kinds:
        label = str(size) if kind == "prefill" else f"{batch}x{size}"
        rates = prefill if kind == "prefill" else decode
        for repeat in range((repeats if batch * size <= HEAVY_TOKENS else min(repeats, 2)) + 1):
            for name, engine in engines.items():
                if kind == "prefill":
                    rate = _prefill(engine, vocab_size, size)
                else:
                    rate = _decode(engine, vocab_size, batch, size)
                if repeat:
                    rates[name].setdefault(label, []).append(rate)
        for name in engines:
            say(f"{kind:>7} {label:>7} {name:>7} {_summary(rates[name][label], 'tok/s')}")
    return prefill, decode


def _build(packed: PackedModel, precision: str, shapes: Seq[tuple[int, int]]) -> Engine:
    """An engine that never ends an answer early, never finds a prompt in its cache, and has room
    for each of `shapes`."""
    endless = replace(packed, config=replace(packed.config, eos_token_ids=()))
    num_tokens = max(batch * (context + DECODE_STEPS + batch + 32) for batch, context in shapes)
    num_bytes = max(num_tokens, 4 * max(PREFILL_TOKENS)) * kv_bytes_per_token(
        packed.config, 4 if precision == "float32" else 2
    )
    config = EngineConfig(
        precision=precision, enable_prefix_caching=False, kv_cache_bytes=num_bytes
    )
    return build_engine(endless, config, packed.tokenizer())


def _prefill(engine: Engine, vocab_size: int, num_tokens: int) -> float:
    _add(engine, vocab_size, num_tokens, seed=SEED, max_tokens=1)
    start = time.perf_counter()
    while engine.has_work:
        engine.step()
    return num_tokens / (time.perf_counter() - start)


def _decode(engine: Engine, vocab_size: int, batch: int, context: int) -> float:
    """Only steps in which every sequence decodes one token are timed."""
    for index in range(batch):
        _add(engine, vocab_size, context, seed=index, max_tokens=DECODE_STEPS + batch + 1)
    while any(sequence.num_computed_tokens < context for sequence in engine.scheduler.sequences()):
        engine.step()
    start = time.perf_counter()
    for _ in range(DECODE_STEPS):
        engine.step()
    elapsed = time.perf_counter() - start
    for sequence in engine.scheduler.sequences():
        engine.cancel(sequence.seq_id)
    engine.step()
    return batch * DECODE_STEPS / elapsed


def _add(engine: Engine, vocab_size: int, num_tokens: int, *, seed: int, max_tokens: int) -> None:
    prompt_ids = make_prompt_ids(seed, num_tokens, vocab_size)
    request = GenerationRequest(
        (Message("user", ""),), sampling=SamplingParams(max_tokens=max_tokens)
    )
    engine.add_request(request, prompt_ids)


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
    sys.exit(run(main))
