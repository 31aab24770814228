"""Cold starts, each in a process of its own (`benchmarks.cold_start`)."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Longer than warming up takes on a busy machine.
PAUSE_S = 2.0
WAYS = {"warmed_up": (), "not_warmed_up": ("--no-warm-up",)}


def cold_start(path: Path, precision: str, *switches: str) -> dict[str, Any]:
    """What one start reports; `switches` are those of `benchmarks.cold_start`."""
    started = time.monotonic()
    command = ["-m", "benchmarks.cold_start", str(path), precision, str(started), *switches]
    process = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, check=False
    )
    if process.returncode != 0:
        raise SystemExit(f"the cold start failed:\n{process.stderr}")
    report: dict[str, Any] = json.loads(process.stdout.splitlines()[-1])
    return report


def of_a_kind(
    path: Path, precision: str, repeats: int, say: Callable[[str], None]
) -> dict[str, dict[str, list[float]]]:
    """Milliseconds of the first request of each kind and of the next, after a pause in which the
    engine could warm up; with warm-up and without, in turns, the least of the repeats."""
    runs: dict[str, list[dict[str, list[float]]]] = {way: [] for way in WAYS}
    for _ in range(repeats):
        for way, switches in WAYS.items():
            start = cold_start(path, precision, "--pause", str(PAUSE_S), *switches)
            runs[way].append(start["of_a_kind_ms"])
    found = {way: _least(made) for way, made in runs.items()}
    for kind, (first, second) in found["warmed_up"].items():
        plain, plain_second = found["not_warmed_up"][kind]
        say(
            f"first {kind:>8} {plain:,.0f} ms (next {plain_second:,.0f});"
            f" warmed up {first:,.0f} ms (next {second:,.0f})"
        )
    return found


def _least(runs: list[dict[str, list[float]]]) -> dict[str, list[float]]:
    return {
        kind: [min(times) for times in zip(*(run[kind] for run in runs), strict=True)]
        for kind in runs[0]
    }
