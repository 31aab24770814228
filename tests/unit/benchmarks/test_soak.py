"""The soak: its load holds all kinds, and its report shows growth, drift and surprises."""

import asyncio
import random

from assay.types import Generation, GenerationRequest, Usage
from benchmarks.soak import check, run_job
from benchmarks.soak_load import KINDS, make_job
from benchmarks.soak_log import Log, report


def test_the_load_holds_every_kind_and_is_the_same_for_the_same_seed() -> None:
    first, second = random.Random(1), random.Random(1)
    jobs = [make_job(first, 2000) for _ in range(300)]
    assert {job.kind for job in jobs} == set(KINDS)
    assert [make_job(second, 2000) for _ in range(300)] == jobs


def log_with(memory: list[float], latency: list[float]) -> Log:
    """A value a second of each."""
    log = Log()
    for second, value in enumerate(memory):
        log.memory.add(second, value)
    for second, value in enumerate(latency):
        log.latency["free"].add(second, value)
    return log


def test_memory_counts_from_where_a_run_is_warm() -> None:
    flat = report(log_with([100.0, 500.0] + [1000.0] * 58, [1.0] * 60), 60)
    assert flat["rss_mb"]["start"] == 100
    assert flat["rss_mb"]["apart_percent"] == 0
    grown = report(log_with([1000.0] * 30 + [1200.0] * 29 + [1100.0], [1.0] * 60), 60)
    assert grown["rss_mb"] == {
        "start": 1000,
        "warm": 1000,
        "end": 1100,
        "least": 1000,
        "greatest": 1200,
        "apart_percent": 20,
    }


def test_a_long_run_is_warm_after_five_minutes() -> None:
    log = log_with([500.0] * 300 + [1000.0] * 1500, [9.0] * 300 + [1.0] * 1500)
    figures = report(log, 1800)
    assert figures["warm_after_min"] == 5
    assert figures["rss_mb"]["least"] == 1000
    assert figures["latency_s"]["free"]["first_quarter"]["max_s"] == 1


def test_drift_is_the_last_quarter_of_the_warm_part_against_its_first() -> None:
    latency = [50.0] * 10 + [1.0] * 13 + [9.0] * 25 + [2.0] * 12
    figures = report(log_with([1.0] * 60, latency), 60)
    assert figures["latency_drift"] == {"all": 2.0, "free": 2.0}
    quarters = figures["latency_s"]["free"]
    assert quarters["first_quarter"]["p99_s"] == 1
    assert quarters["last_quarter"]["p50_s"] == 2


class Ledger:
    """As much of a back end as a check of its books needs: blocks held, or what is broken."""

    def __init__(self, *books: int | str) -> None:
        self.books = list(books)

    def check_integrity(self) -> int:
        entry = self.books.pop(0)
        assert isinstance(entry, int), entry
        return entry


def test_blocks_of_cancelled_requests_are_waited_for() -> None:
    log = Log()
    asyncio.run(check(Ledger(3, 1, 0), log))
    assert (log.num_checks, log.num_blocks_not_given_back, log.broken) == (1, 0, [])


def test_a_broken_invariant_is_counted_and_the_soak_goes_on() -> None:
    log = Log()
    for _ in range(2):
        asyncio.run(check(Ledger("block 7 leaked"), log))
    figures = report(log, 60)
    assert (figures["num_checks"], figures["num_checks_passed"]) == (2, 0)
    assert "block 7 leaked" in figures["broken"][0]


def test_a_bad_request_that_is_let_through_is_a_surprise() -> None:
    class Lax:
        async def generate(self, request: GenerationRequest) -> Generation:
            return Generation("", (), "stop", Usage(1, 1))

    log, source = Log(), random.Random(1)
    jobs = [make_job(source, 2000) for _ in range(300)]
    bad = next(job for job in jobs if job.kind == "bad keyword")
    good = next(job for job in jobs if job.kind == "free")
    for job in (bad, good):
        asyncio.run(run_job(Lax(), job, log))
    assert log.surprises == {"bad keyword: stop": 1}
    assert log.outcomes["free"] == {"stop": 1}
