"""What every benchmark says at its end: the machine, percentiles, spreads, one line of JSON."""

from __future__ import annotations

import json
import os
import platform
import signal
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

#: Instruction sets that decide which kernels an engine can use.
_FLAGS = ("avx2", "avx512f", "avx512_vnni", "avx512_bf16", "amx_tile", "amx_int8")


def machine() -> dict[str, Any]:
    """The processor, its memory, how busy it is already, and the versions that matter."""
    processor = _fields(Path("/proc/cpuinfo"))
    memory = _fields(Path("/proc/meminfo")).get("MemTotal", "0 kB").split()[0]
    flags = processor.get("flags", "").split()
    return {
        "processor": processor.get("model name", platform.processor()),
        "num_cores": len(os.sched_getaffinity(0)),
        "flags": [flag for flag in _FLAGS if flag in flags],
        "memory_gb": round(int(memory) / 2**20, 1),
        "load_average": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
        "torch": metadata.version("torch"),
    }


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` (0 to 1) of `values` lie, interpolated; NaN for no values."""
    if not values:
        return float("nan")
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def latencies(seconds: Sequence[float]) -> dict[str, float]:
    """P50, P95, P99 and the longest, in seconds; empty if nothing was measured."""
    if not seconds:
        return {}
    shares = {"p50_s": 0.5, "p95_s": 0.95, "p99_s": 0.99, "max_s": 1.0}
    return {name: round(percentile(seconds, share), 3) for name, share in shares.items()}


def spread(values: Sequence[float], digits: int = 3) -> dict[str, float]:
    """The median of repeats, and how far they lie apart."""
    return {
        "median": round(statistics.median(values), digits),
        "min": round(min(values), digits),
        "max": round(max(values), digits),
        "n": len(values),
    }


def rss_mb(pid: int | str = "self") -> float:
    """The resident memory of a process, in MB of 2**20 bytes; 0.0 if it has gone."""
    line = _fields(Path(f"/proc/{pid}/status")).get("VmRSS", "0 kB")
    return int(line.split()[0]) / 1024


def print_last_line(figures: Mapping[str, Any]) -> None:
    """One JSON object on one line, flushed: what a machine reads of a benchmark."""
    print(json.dumps(figures), flush=True)


def run(main: Callable[[], int]) -> int:
    """The exit code of a benchmark. Ctrl-C and SIGTERM unwind it, ending what it started: 130."""
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        return main()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _fields(path: Path) -> dict[str, str]:
    """The first of each `name: value` in a file under /proc; empty if there is no such file."""
    fields: dict[str, str] = {}
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return fields
    for line in text.splitlines():
        name, colon, value = line.partition(":")
        if colon:
            fields.setdefault(name.strip(), value.strip())
    return fields
