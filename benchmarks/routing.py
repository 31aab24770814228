"""How well requests in words are routed: `python -m benchmarks.routing --data DIR --split SPLIT`.

Reads requests_SPLIT.jsonl (text, lang, descriptor, units), and clinc150_SPLIT.jsonl and
banking77_SPLIT.jsonl, all of which are to be refused. Without a file of requests it takes those of
`--requests`, by default the project's own, on which nothing was trained. Regular expressions are
measured beside the router (`benchmarks.routing_patterns`). Draws docs/routing.png. Times are of one
core.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

# Read when NumPy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from assay.analysis.choosing import unit_triggers
from assay.cli.route_picture import make_figure
from assay.routing import LabelledRequest, RouteStatistics, load_router, read_requests
from assay.routing.router import Router
from benchmarks.report import machine, percentile
from benchmarks.routing_patterns import route_by_patterns

OWN_REQUESTS = Path("tests/data/requests_own.jsonl")
UNKNOWN_SETS = ("clinc150", "banking77")
Decided = tuple[Sequence[str], Sequence[str]]


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parse(arguments)
    path = options.data / f"requests_{options.split}.jsonl" if options.data else options.requests
    if not path.is_file():
        print(f"there is no {path}: {options.requests} instead", file=sys.stderr)
        path = options.requests
    requests = read_requests(path)
    router = load_router()
    triggers = unit_triggers()
    router.route("warm up", triggers)

    def decide(text: str) -> Decided:
        route = router.route(text, triggers)
        return route.unit_names, route.descriptor.active

    found = _measure(requests, decide)
    baseline = _measure(requests, route_by_patterns)
    unknown = {name: texts for name in UNKNOWN_SETS if (texts := _texts(options, name))}
    refused = {name: _refused(texts, decide) for name, texts in unknown.items()}
    seconds = _seconds(requests, decide, options.rounds)
    _show(found, baseline)
    if options.plot:
        _draw(options.plot, router, requests, triggers)
    num_unknown = sum(len(texts) for texts in unknown.values())
    report = {
        "requests": str(path),
        "num_requests": len(requests),
        "descriptor_exact": found["all"]["descriptor_exact"],
        "units_exact": found["all"]["units_exact"],
        "refused_real": found["all"]["refused"],
        "regex_descriptor_exact": baseline["all"]["descriptor_exact"],
        "regex_units_exact": baseline["all"]["units_exact"],
        "regex_refused_real": baseline["all"]["refused"],
        "by_language": {
            language: {
                **found[language],
                **{f"regex_{name}": value for name, value in baseline[language].items()},
            }
            for language in found
            if language != "all"
        },
        "num_unknown": num_unknown,
        "refused_unknown": _weighted(refused, unknown),
        "refused_unknown_by_set": refused,
        "regex_refused_unknown": _weighted(
            {name: _refused(texts, route_by_patterns) for name, texts in unknown.items()}, unknown
        ),
        "p50_ms": round(percentile(seconds, 0.5) * 1000, 3),
        "p95_ms": round(percentile(seconds, 0.95) * 1000, 3),
        "p95_processor_ms": round(_processor_ms(requests, decide), 3),
        "active_params": router.num_parameters,
        "machine": machine(),
    }
    print(json.dumps(report, ensure_ascii=False))
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.routing", description=__doc__)
    parser.add_argument("--data", type=Path, help="a folder of labelled data")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--requests", type=Path, default=OWN_REQUESTS, help="where it has none")
    parser.add_argument("--rounds", type=int, default=3, help="times each request is timed")
    parser.add_argument("--plot", type=Path, help="draw what the requests mean to this file")
    return parser.parse_args(arguments)


def _measure(
    requests: Sequence[LabelledRequest], decide: Callable[[str], Decided]
) -> dict[str, dict[str, float]]:
    """By language, and of all: shares with the exact units and descriptor, and refused, of the
    requests that mean a unit."""
    rows = [(item, decide(item.text)) for item in requests if item.units]
    languages = sorted({item.language for item, _ in rows if item.language})
    return {
        language: {
            "num": len(own),
            "descriptor_exact": _share(set(said[1]) == set(item.descriptor) for item, said in own),
            "units_exact": _share(set(said[0]) == set(item.units) for item, said in own),
            "refused": _share(not said[0] for _, said in own),
        }
        for language in ("all", *languages)
        if (own := [row for row in rows if language in ("all", row[0].language)])
    }


def _share(flags: Iterator[bool]) -> float:
    values = list(flags)
    return round(sum(values) / max(1, len(values)), 4)


def _texts(options: argparse.Namespace, name: str) -> list[str]:
    path = options.data / f"{name}_{options.split}.jsonl" if options.data else Path()
    if not path.is_file():
        return []
    return [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]


def _refused(texts: Sequence[str], decide: Callable[[str], Decided]) -> float:
    return _share(not decide(text)[0] for text in texts)


def _weighted(shares: Mapping[str, float], texts: Mapping[str, Sequence[str]]) -> float | None:
    total = sum(len(items) for items in texts.values())
    if not total:
        return None
    return round(sum(shares[name] * len(items) for name, items in texts.items()) / total, 4)


def _seconds(
    requests: Sequence[LabelledRequest], decide: Callable[[str], Decided], rounds: int
) -> list[float]:
    """How long each request took, by the clock on the wall."""
    taken = []
    for item in list(requests) * rounds:
        started = time.perf_counter()
        decide(item.text)
        taken.append(time.perf_counter() - started)
    return taken


def _processor_ms(requests: Sequence[LabelledRequest], decide: Callable[[str], Decided]) -> float:
    """P95 of the time that the processor spent on a request: what an idle machine would take."""
    taken = []
    for item in requests:
        started = time.thread_time()
        decide(item.text)
        taken.append(time.thread_time() - started)
    return percentile(taken, 0.95) * 1000


def _show(
    found: Mapping[str, Mapping[str, float]], baseline: Mapping[str, Mapping[str, float]]
) -> None:
    print(f"{'':10}{'requests':>9}{'descriptor':>12}{'units':>8}{'refused':>9}")
    for title, figures in (("router", found), ("patterns", baseline)):
        print(title)
        for language, item in figures.items():
            print(
                f"  {language:8}{item['num']:9d}{item['descriptor_exact']:12.1%}"
                f"{item['units_exact']:8.1%}{item['refused']:9.1%}"
            )


def _draw(
    path: Path,
    router: Router,
    requests: Sequence[LabelledRequest],
    triggers: Mapping[str, Sequence[str]],
) -> None:
    """What the requests mean, by language."""
    statistics = RouteStatistics()
    for item in requests:
        statistics.count(router.route(item.text, triggers, tenant=item.language))
    make_figure(statistics.as_json()).savefig(path, dpi=110)


if __name__ == "__main__":
    raise SystemExit(main())
