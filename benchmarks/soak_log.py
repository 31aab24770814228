"""What a soak saw, and what it says at its end."""

from __future__ import annotations

import time
from array import array
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

from benchmarks.report import latencies, percentile

#: After this many seconds a run counts as warm: caches are full, buffers have their sizes.
WARM_S = 300


class Series:
    """Values and when they were seen, at 16 bytes each: hours of them must not look like a leak."""

    def __init__(self) -> None:
        self.times_s = array("d")
        self.values = array("d")

    def add(self, at_s: float, value: float) -> None:
        self.times_s.append(at_s)
        self.values.append(value)

    def between(self, first_s: float, last_s: float = float("inf")) -> list[float]:
        """The values seen at `first_s` or later, before `last_s`."""
        pairs = zip(self.times_s, self.values, strict=True)
        return [value for at_s, value in pairs if first_s <= at_s < last_s]


@dataclass
class Log:
    """What happened so far. Times are seconds since the start."""

    started: float = field(default_factory=time.perf_counter)
    outcomes: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    errors: Counter[str] = field(default_factory=Counter)
    surprises: Counter[str] = field(default_factory=Counter)
    latency: dict[str, Series] = field(default_factory=lambda: defaultdict(Series))
    memory: Series = field(default_factory=Series)
    num_checks: int = 0
    broken: list[str] = field(default_factory=list)
    num_blocks_not_given_back: int = 0

    @property
    def now_s(self) -> float:
        return time.perf_counter() - self.started

    @property
    def num_requests(self) -> int:
        return sum(counts.total() for counts in self.outcomes.values())


def report(log: Log, seconds: float) -> dict[str, Any]:
    """Totals, memory and drift of a run of `seconds`.

    A run is warm after `WARM_S`, a short one after a sixth of it. `rss_mb` and `latency_s` are of
    the warm part: its first and last value, the least and the greatest, and how far these lie
    apart; latencies of its first and last quarter, of all requests and of each kind.
    """
    warm_s = min(WARM_S, seconds / 6)
    memory = log.memory.between(warm_s) or list(log.memory.values[-1:])
    least, greatest = min(memory), max(memory)
    quarter_s = (seconds - warm_s) / 4
    latency, drift = {}, {}
    for kind, series in {"all": _merged(log.latency), **log.latency}.items():
        first = series.between(warm_s, warm_s + quarter_s)
        last = series.between(seconds - quarter_s)
        latency[kind] = {"first_quarter": latencies(first), "last_quarter": latencies(last)}
        if first and last:
            drift[kind] = round(percentile(last, 0.5) / percentile(first, 0.5), 3)
    return {
        "minutes": round(log.now_s / 60, 2),
        "num_requests": log.num_requests,
        "outcomes": {kind: dict(counts) for kind, counts in sorted(log.outcomes.items())},
        "errors": dict(sorted(log.errors.items())),
        "surprises": dict(sorted(log.surprises.items())),
        "num_surprises": log.surprises.total(),
        "warm_after_min": round(warm_s / 60, 2),
        "rss_mb": {
            "start": round(log.memory.values[0], 1),
            "warm": round(memory[0], 1),
            "end": round(memory[-1], 1),
            "least": round(least, 1),
            "greatest": round(greatest, 1),
            "apart_percent": round(100 * (greatest / least - 1), 2),
        },
        "num_blocks_not_given_back": log.num_blocks_not_given_back,
        "num_checks": log.num_checks,
        "num_checks_passed": log.num_checks - len(log.broken),
        "broken": log.broken[:20],
        "latency_s": latency,
        "latency_drift": drift,
    }


def _merged(latency: dict[str, Series]) -> Series:
    merged = Series()
    for series in latency.values():
        merged.times_s.extend(series.times_s)
        merged.values.extend(series.values)
    return merged
