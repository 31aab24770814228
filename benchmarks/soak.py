"""Hours of ordinary trouble: does memory stay flat, do the books balance, do latencies drift?

    python -m benchmarks.soak --minutes M [--concurrency 8] [--model NAME]

Clients of different kinds run side by side: grounded JSON over shared and new documents, patterns,
free text long and short, requests cancelled on the way, and bad ones, each of which must be
refused with its own error. Now and then all pause; with nothing in flight every block must have
come back and every invariant hold. Fixed seed; made-up documents.

Prints a line a minute. The last line is one JSON object; the exit code is 1 if an invariant broke,
a block leaked, or a request ended otherwise than it had to.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.backends.local import LocalBackend
from assay.errors import AssayError
from benchmarks.local_engine import check_books, local_backend
from benchmarks.report import latencies, machine, print_last_line, rss_mb, run
from benchmarks.soak_load import KINDS, Job, make_job

SEED = 7
#: After this many seconds memory counts as settled: caches are full, buffers have their sizes.
SETTLED_S = 300
_SAMPLE_S = 5.0


@dataclass
class Log:
    """What happened so far. Times are seconds since the start."""

    started: float = field(default_factory=time.perf_counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    surprises: list[str] = field(default_factory=list)
    latency: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    memory: list[tuple[float, float]] = field(default_factory=list)
    num_checks: int = 0
    num_leaked_blocks: int = 0

    @property
    def now_s(self) -> float:
        return time.perf_counter() - self.started


async def run_job(backend: LocalBackend, job: Job, log: Log) -> None:
    """Runs one request to its end and holds the end against what it had to be."""
    begun = log.now_s
    task = asyncio.create_task(backend.generate(job.request))
    if job.cancel_after_s is not None:
        await asyncio.wait([task], timeout=job.cancel_after_s)
        task.cancel()
    outcome: str
    try:
        outcome = (await task).finish_reason
    except asyncio.CancelledError:
        if asyncio.current_task().cancelling():  # type: ignore[union-attr]
            raise
        outcome = "cancelled"
    except AssayError as error:
        outcome = error.code
    log.outcomes[f"{job.kind}: {outcome}"] += 1
    if outcome not in job.allowed:
        log.surprises.append(f"{job.kind}: {outcome}")
    elif outcome in ("stop", "length"):
        log.latency[job.kind].append((begun, log.now_s - begun))


async def client(backend: LocalBackend, number: int, until_s: float, log: Log) -> None:
    """One client: a job after another until the time is up."""
    source = random.Random(f"{SEED} {number}")
    while log.now_s < until_s:
        job = make_job(source, backend.info.max_model_len)
        await run_job(backend, job, log)


async def soak(backend: LocalBackend, seconds: float, num_clients: int, idle_s: float) -> Log:
    """Runs the load; every `idle_s` seconds lets it run dry and checks the books."""
    log = Log()
    while log.now_s < seconds:
        until_s = min(seconds, log.now_s + idle_s)
        first = 1000 * log.num_checks
        clients = [
            asyncio.create_task(client(backend, first + number, until_s, log))
            for number in range(num_clients)
        ]
        sampler = asyncio.create_task(_sample(log))
        try:
            await asyncio.gather(*clients)
        finally:
            sampler.cancel()
            for task in clients:
                task.cancel()
        await _settle(backend, log)
    return log


async def _sample(log: Log) -> None:
    while True:
        log.memory.append((log.now_s, rss_mb()))
        await asyncio.sleep(_SAMPLE_S)


async def _settle(backend: LocalBackend, log: Log) -> None:
    """Waits until cancelled requests have left the engine too, then checks."""
    deadline = time.perf_counter() + 10
    held = -1
    while held and time.perf_counter() < deadline:
        await asyncio.sleep(0.02)
        held = check_books(backend)
    log.num_checks += 1
    log.num_leaked_blocks = max(log.num_leaked_blocks, held)
    log.memory.append((log.now_s, rss_mb()))
    print(
        f"{log.now_s / 60:6.2f} min  {log.outcomes.total():6d} requests  {rss_mb():8.1f} MB"
        f"  {held} blocks held  {len(log.surprises)} surprises",
        flush=True,
    )


def report(log: Log, seconds: float) -> dict[str, Any]:
    """Growth and drift. Memory settles within `SETTLED_S`, or a sixth of a short run."""
    settled_s = min(SETTLED_S, seconds / 6)
    after = [value for at, value in log.memory if at >= settled_s] or [log.memory[-1][1]]
    base = statistics.median(after[: max(1, len(after) // 20)])
    last = statistics.median(after[-max(1, len(after) // 20) :])
    drift = {}
    for kind, pairs in log.latency.items():
        early = [value for at, value in pairs if at < seconds / 3]
        late = [value for at, value in pairs if at >= 2 * seconds / 3]
        if early and late:
            drift[kind] = round(statistics.median(late) / statistics.median(early), 3)
    return {
        "minutes": round(log.now_s / 60, 2),
        "num_requests": log.outcomes.total(),
        "outcomes": dict(sorted(log.outcomes.items())),
        "surprises": log.surprises[:20],
        "num_surprises": len(log.surprises),
        "rss_mb": {
            "first": round(log.memory[0][1], 1),
            "settled": round(base, 1),
            "last": round(last, 1),
            "max": round(max(value for _, value in log.memory), 1),
        },
        "rss_growth": round(last / base - 1, 4),
        "num_checks": log.num_checks,
        "num_leaked_blocks": log.num_leaked_blocks,
        "latency": {
            kind: latencies([value for _, value in pairs]) for kind, pairs in log.latency.items()
        },
        "latency_drift": drift,
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, required=True)
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--idle-every", type=float, default=60.0, help="seconds between checks")
    parser.add_argument("--model", default="smollm2")
    options = parser.parse_args(arguments)
    if not 0 < options.minutes <= 24 * 60:
        parser.error("--minutes must be above 0 and at most a day")
    seconds = options.minutes * 60
    print(f"kinds: {', '.join(KINDS)}", flush=True)
    try:
        with local_backend(options.model) as backend:
            log = asyncio.run(soak(backend, seconds, options.concurrency, options.idle_every))
    except AssayError as error:
        print(f"soak: {error}", file=sys.stderr)
        return 2
    figures = report(log, seconds)
    print_last_line({**figures, "machine": machine()})
    return 1 if figures["num_surprises"] or figures["num_leaked_blocks"] else 0


if __name__ == "__main__":
    sys.exit(run(main))
