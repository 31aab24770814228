"""What benchmarks say of their measurements."""

import math

import pytest

from benchmarks.report import latencies, percentile, run, spread


def test_a_percentile_lies_between_its_neighbours() -> None:
    assert percentile([4.0, 1.0, 3.0, 2.0], 0.5) == 2.5
    assert percentile([1.0, 2.0], 1.0) == 2.0
    assert math.isnan(percentile([], 0.5))


def test_the_tail_of_a_hundred_is_seen() -> None:
    seconds = [1.0] * 99 + [9.0]
    figures = latencies(seconds)
    assert figures["p50_s"] == 1.0
    assert 1.0 < figures["p99_s"] < figures["max_s"] == 9.0
    assert latencies([]) == {}


def test_a_spread_holds_the_extremes() -> None:
    assert spread([3.0, 1.0, 2.0]) == {"median": 2.0, "min": 1.0, "max": 3.0, "n": 3}


def test_an_interrupted_benchmark_leaves_with_130(capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    assert run(interrupted) == 130
    assert "interrupted" in capsys.readouterr().err
