"""Arrivals as they happened elsewhere, replayed on this machine.

    python -m benchmarks.trace --trace FILE [--seconds 120] [--scale auto] [--tokens 0.25]

FILE holds `t_seconds,input_tokens,output_tokens` rows (CSV) or `[timestamp_ms, input, output,
hash_ids]` rows (JSON lines, .gz or not), where equal hashes are equal blocks of 512 tokens. Token
counts are multiplied by `--tokens`, and gaps between arrivals by `--scale`: `auto` takes the scale
at which the work offered is `--load` (0.7) of what the engine was just measured to do with 16
requests at once, prefixes that requests share being counted each time.
Requests are sent when their time comes, whatever is still running (an open loop), for `--seconds`.

Reports how many came back, whole or as which error (none may be lost), latencies, how many were in
flight, and the wait: latency less what the request would take alone. The last line is one JSON
object.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.backends.local import LocalBackend
from assay.errors import AssayError
from assay.types import Generation, GenerationRequest
from benchmarks.local_engine import check_books, local_backend
from benchmarks.report import (
    latencies,
    machine,
    percentile,
    print_last_line,
    rss_mb,
    run,
)
from benchmarks.trace_rows import Row, fit_rows, offered_load, read_rows, request_for

#: What nobody waits for any longer, in seconds after the last arrival.
DRAIN_S = 600
#: Requests at once in the measurement of what the engine can do.
NUM_TOGETHER = 16


@dataclass(frozen=True)
class Rates:
    """Tokens a second: of a prompt, and of the answers of some requests together."""

    prefill: float
    decode: float

    def seconds(self, row: Row) -> float:
        return row.num_input / self.prefill + row.num_output / self.decode


@dataclass(frozen=True)
class Served:
    """A request's fate. `late_s` is how much later than due it was sent."""

    row: Row
    late_s: float
    latency_s: float
    num_in_flight: int
    outcome: str


async def measure_rates(
    backend: LocalBackend, num_tokens: int, num_requests: int, repeats: int = 3
) -> Rates:
    """Medians over `repeats`, each with new prompts of `num_tokens`, all at once: their time with
    one token of answer; then, the prompts being cached, the time of 32 tokens more."""
    prefill, step = [], []
    for repeat in range(repeats):
        first = 1 + 100_000 * num_requests + 1000 * repeat
        rows = [Row(0.0, num_tokens, 1, (-first - i,)) for i in range(num_requests)]
        longer = [replace(row, num_output=33) for row in rows]
        cold_s, short_s, long_s = [await _timed(backend, item) for item in (rows, rows, longer)]
        prefill.append(cold_s)
        step.append(max(1e-4, (long_s - short_s) / 32))
    return Rates(
        num_requests * num_tokens / percentile(prefill, 0.5), num_requests / percentile(step, 0.5)
    )


async def _timed(backend: LocalBackend, rows: Sequence[Row]) -> float:
    requests = [request_for(row, backend) for row in rows]
    started = time.perf_counter()
    await asyncio.gather(*map(backend.generate, requests))
    return time.perf_counter() - started


async def replay(backend: LocalBackend, rows: Sequence[Row], scale: float) -> list[Served]:
    """Sends each row at `scale` times its time; returns the fates of those that came back. All
    prompts are made before the clock starts."""
    in_flight = 0
    requests = [request_for(row, backend) for row in rows]
    started = time.perf_counter()

    async def serve(row: Row, request: GenerationRequest) -> Served:
        nonlocal in_flight
        due = started + row.time_s * scale
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        sent = time.perf_counter()
        in_flight += 1
        seen = in_flight
        try:
            outcome = _outcome(await backend.generate(request))
        except AssayError as error:
            outcome = error.code
        finally:
            in_flight -= 1
        return Served(row, sent - due, time.perf_counter() - sent, seen, outcome)

    tasks = [asyncio.create_task(serve(*pair)) for pair in zip(rows, requests, strict=True)]
    done, late = await asyncio.wait(tasks, timeout=rows[-1].time_s * scale + DRAIN_S)
    for task in late:
        task.cancel()
    return [task.result() for task in tasks if task in done]


def _outcome(generation: Generation) -> str:
    return "ok" if generation.finish_reason in ("stop", "length") else generation.finish_reason


def report(served: Sequence[Served], alone: Rates, num_sent: int) -> dict[str, Any]:
    """The figures of a replay. Requests without an outcome are lost."""
    good = [item for item in served if item.outcome == "ok"]
    waits = [max(0.0, item.latency_s - alone.seconds(item.row)) for item in good]
    in_flight = [item.num_in_flight for item in served]
    span = max((item.row.time_s for item in served), default=0.0)
    return {
        "num_sent": num_sent,
        "outcomes": dict(Counter(item.outcome for item in served)),
        "num_lost": num_sent - len(served),
        **latencies([item.latency_s for item in good]),
        "wait": latencies(waits),
        "in_flight": {"p50": percentile(in_flight, 0.5), "max": max(in_flight, default=0)},
        "sent_late_p99_s": round(percentile([item.late_s for item in served], 0.99), 4),
        "input_tokens": sum(item.row.num_input for item in served),
        "output_tokens": sum(item.row.num_output for item in served),
        "trace_span_s": round(span, 1),
    }


async def run_trace(options: argparse.Namespace, backend: LocalBackend) -> dict[str, Any]:
    rows = read_rows(options.trace)
    max_model_len = backend.info.max_model_len
    fitted = fit_rows(rows, options.tokens, max_model_len)
    num_tokens = min(512, max(row.num_input for row in fitted), max_model_len // 2)
    await measure_rates(backend, num_tokens, 2, repeats=1)  # warms up
    alone = together = await measure_rates(backend, num_tokens, 1)
    scale = options.scale
    if scale is None:
        together = await measure_rates(backend, num_tokens, NUM_TOGETHER)
        scale = offered_load(fitted[:1000], together.seconds) / options.load
    chosen = [row for row in fitted if row.time_s * scale <= options.seconds][: options.limit]
    print(
        f"{options.trace.name}: {len(chosen)} of {len(rows)} requests, gaps x {scale:.3g}, tokens"
        f" x {options.tokens:g}; measured: {together.prefill:.0f} prompt or"
        f" {together.decode:.0f} answer tokens/s",
        flush=True,
    )
    served = await replay(backend, chosen, scale)
    figures = report(served, alone, len(chosen))
    for name, value in figures.items():
        print(f"{name:16s} {value}")
    return {
        "trace": options.trace.name,
        "scale": round(scale, 4),
        "tokens": options.tokens,
        "load": options.load if options.scale is None else None,
        "alone_tok_s": {"prefill": round(alone.prefill), "decode": round(alone.decode, 1)},
        "together_tok_s": {"prefill": round(together.prefill), "decode": round(together.decode, 1)}
        if options.scale is None
        else None,
        **figures,
        "num_blocks_held": await check_books(backend),
        "rss_mb": round(rss_mb()),
        "machine": machine(),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    scale = lambda text: None if text == "auto" else float(text)  # noqa: E731
    parser.add_argument("--trace", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=120.0, help="how long requests are sent")
    parser.add_argument("--scale", type=scale, help="factor on the gaps, or auto")
    parser.add_argument("--tokens", type=float, default=0.25, help="factor on the token counts")
    parser.add_argument("--load", type=float, default=0.7, help="what auto aims at")
    parser.add_argument("--limit", type=int, default=5000, help="the most requests")
    parser.add_argument("--model", default="smollm2")
    options = parser.parse_args(arguments)
    if not options.trace.is_file():
        print(f"trace: there is no {options.trace}", file=sys.stderr)
        return 2
    try:
        with local_backend(options.model) as backend:
            figures = asyncio.run(run_trace(options, backend))
    except AssayError as error:
        print(f"trace: {error}", file=sys.stderr)
        return 2
    print_last_line(figures)
    return 1 if figures["num_lost"] or figures["num_blocks_held"] else 0


if __name__ == "__main__":
    sys.exit(run(main))
