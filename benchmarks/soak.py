"""Hours of ordinary trouble: does memory stay flat, do the books balance, do latencies drift?

    python -m benchmarks.soak --minutes M [--concurrency 8] [--model NAME]

Clients of different kinds run side by side: grounded JSON over shared and new documents, patterns,
free text long and short, requests cancelled on the way, and bad ones, each of which must be
refused with its own error. Now and then all pause; with nothing in flight every block must have
come back and every invariant hold. Fixed seed; made-up documents.

Prints a line a minute. The last line is one JSON object: requests by kind and end, errors, memory
and latencies after the first five minutes (`benchmarks.soak_log.report`), checks passed, blocks not
given back. The exit code is 1 if an invariant broke, a block was not given back, or a request ended
otherwise than it had to.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections.abc import Sequence

from assay.backends.local import LocalBackend
from assay.errors import AssayError
from benchmarks.local_engine import check_books, local_backend
from benchmarks.report import machine, print_last_line, rss_mb, run
from benchmarks.soak_load import KINDS, Job, make_job
from benchmarks.soak_log import Log, report

SEED = 7
_SAMPLE_S = 5.0


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
        log.errors[outcome] += 1
    log.outcomes[job.kind][outcome] += 1
    if outcome not in job.allowed:
        log.surprises[f"{job.kind}: {outcome}"] += 1
    elif outcome in ("stop", "length"):
        log.latency[job.kind].add(begun, log.now_s - begun)


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
        await check(backend, log)
    return log


async def _sample(log: Log) -> None:
    while True:
        log.memory.add(log.now_s, rss_mb())
        await asyncio.sleep(_SAMPLE_S)


async def check(backend: LocalBackend, log: Log) -> None:
    """Checks the books while nobody asks for anything, and says a line."""
    num_held = 0
    try:
        num_held = await check_books(backend)
    except AssertionError as error:
        log.broken.append(f"{log.now_s / 60:.2f} min: {error}")
        print(f"soak: an invariant is broken: {error}", file=sys.stderr)
    log.num_checks += 1
    log.num_blocks_not_given_back = max(log.num_blocks_not_given_back, num_held)
    log.memory.add(log.now_s, rss_mb())
    print(
        f"{log.now_s / 60:6.2f} min  {log.num_requests:6d} requests  {rss_mb():8.1f} MB"
        f"  {num_held} blocks held  {log.surprises.total()} surprises",
        flush=True,
    )


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
    print_last_line({**report(log, seconds), "machine": machine()})
    return 1 if log.surprises or log.num_blocks_not_given_back or log.broken else 0


if __name__ == "__main__":
    sys.exit(run(main))
