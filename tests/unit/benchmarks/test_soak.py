"""The soak: its load holds all kinds, and its report shows growth, drift and surprises."""

import random

import pytest

from benchmarks.soak import Log, report
from benchmarks.soak_load import KINDS, make_job


def test_the_load_holds_every_kind_and_is_the_same_for_the_same_seed() -> None:
    first, second = random.Random(1), random.Random(1)
    jobs = [make_job(first, 2000) for _ in range(300)]
    assert {job.kind for job in jobs} == set(KINDS)
    assert [make_job(second, 2000) for _ in range(300)] == jobs


def log_with(memory: list[float], latency: list[float]) -> Log:
    log = Log()
    log.memory = [(float(i), value) for i, value in enumerate(memory)]
    log.latency["free"] = [(float(i), value) for i, value in enumerate(latency)]
    return log


def test_growth_counts_from_where_memory_has_settled() -> None:
    flat = report(log_with([100.0, 500.0] + [1000.0] * 58, [1.0] * 60), 60)
    assert flat["rss_growth"] == 0
    grown = report(log_with([1000.0] * 30 + [1200.0] * 30, [1.0] * 60), 60)
    assert grown["rss_growth"] == pytest.approx(0.2)


def test_drift_is_the_last_third_against_the_first() -> None:
    figures = report(log_with([1.0] * 60, [1.0] * 20 + [9.0] * 20 + [2.0] * 20), 60)
    assert figures["latency_drift"] == {"free": 2.0}


def test_a_surprise_is_counted() -> None:
    log = log_with([1.0], [])
    log.surprises.append("free: cancelled")
    assert report(log, 60)["num_surprises"] == 1
