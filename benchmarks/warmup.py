"""What the first request of a process waits for, and which of it is worth doing beforehand.

    python -m benchmarks.warmup [--model NAME|PATH] [--precision P] [--kernels K]
                                [--repeats N] [--data DIR] [--limit N] [--write]

Every measurement is made in a process of its own. One kind of process runs each candidate step of
`assay.engine.warmup` for the first time, in the order in which a request needs them, and then
again: what a first call costs, and what it costs later. Another analyses the example agreement
(and with `--data` the first contracts of `DIR/cuad_dev.jsonl`) with all units, and counts how often
a request calls what a step makes ready; done once more, it tells the modules that were imported
meanwhile. The last kind asks the example one unit, and again under another salt: in turns with
nothing done beforehand, and with the chosen steps.

A step is chosen if it saves a first call at least 5 ms, which is what one token of an answer takes
(less is lost in it), and at least half of what it costs, since a request that arrives meanwhile
waits for it. Other work on the machine only adds time: the least of the repeats counts. `--write`
puts the list where the engine reads it. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

from assay.engine.config import EngineConfig
from assay.engine.warmup import RECORD, STEPS
from assay.models.store import DEFAULT_MODEL, resolve_model
from benchmarks.local_engine import RecordingBackend, local_backend
from benchmarks.report import machine, print_last_line, run

MIN_SAVED_MS = 5.0
MIN_SHARE = 0.5
NUM_WARM_CALLS = 5
# One question, so that the first answer is not lost among a long document's.
FIRST_UNIT = "extract_percentage"
EXAMPLE = Path(__file__).parents[1] / "examples" / "supply_agreement.pdf"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.warmup",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--model", default=DEFAULT_MODEL, help="name or path of a packed model")
    parser.add_argument("--precision", default="auto", help="auto, int8, bf16 or float32")
    parser.add_argument("--kernels", default="auto", help="auto, native or torch")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--data", type=Path, help="folder with cuad_dev.jsonl")
    parser.add_argument("--limit", type=int, default=2, help="how many contracts of it")
    parser.add_argument("--write", action="store_true", help="record what was chosen")
    options = parser.parse_args(arguments)
    model = [str(resolve_model(options.model)), options.precision, options.kernels]
    with tempfile.TemporaryDirectory() as folder:
        documents = [str(EXAMPLE), *_write_contracts(options.data, options.limit, Path(folder))]
        calls = [_child("steps", *model) for _ in range(options.repeats)]
        steps = _judge(calls, _child("requests", *model, *documents))
        modules = _imports_within("requests", *model, str(EXAMPLE))
    chosen = ",".join(item["name"] for item in steps if item["chosen"])
    plain, warmed = [], []
    for _ in range(options.repeats):
        plain.append(_child("first", *model, ""))
        warmed.append(_child("first", *model, chosen))
    _print_table(steps, modules)
    analyses = _compare(plain, warmed)
    entry = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine()["processor"],
        "engine": calls[0]["engine"],
        "num_repeats": options.repeats,
        "min_saved_ms": MIN_SAVED_MS,
        "min_share": MIN_SHARE,
        "steps": steps,
    }
    if options.write:
        _record(calls[0]["kind"], entry)
    print_last_line({**entry, "first_unit": analyses, "imported_ms": modules})
    return 0


def _record(kind: str, entry: dict[str, Any]) -> None:
    """Puts what was measured in one kind of engine beside the others."""
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    record["engines"] = dict(sorted({**record["engines"], kind: entry}.items()))
    RECORD.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def _config(precision: str, kernels: str) -> EngineConfig:
    return EngineConfig(precision=precision, kernels=kernels, warm_up=False)


def _judge(calls: Sequence[dict[str, Any]], analysis: dict[str, Any]) -> list[dict[str, Any]]:
    """An entry a step: least costs, how often a request uses it, and whether it is worth it."""
    steps = []
    for step in STEPS.values():
        first = min(call["first_ms"][step.name] for call in calls)
        warm = min(call["warm_ms"][step.name] for call in calls)
        saved = first - warm
        uses = analysis["counts"][step.makes_ready] / max(analysis["num_requests"], 1)
        is_worth_it = saved >= MIN_SAVED_MS and saved >= MIN_SHARE * first and uses > 0
        steps.append(
            {
                "name": step.name,
                "does": (step.run.__doc__ or "").strip(),
                "first_ms": round(first, 2),
                "warm_ms": round(warm, 2),
                "saved_ms": round(saved, 2),
                "uses_per_request": round(uses, 1),
                "chosen": is_worth_it,
            }
        )
    return steps


def _compare(plain: Sequence[dict[str, Any]], warmed: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Prints and returns the least milliseconds of the first unit's analyses, both ways."""
    found = {}
    names = ("first_ms", "second_ms", "first_plan_ms", "second_plan_ms")
    for way, runs in (("nothing beforehand", plain), ("chosen steps beforehand", warmed)):
        found[way] = {name: round(min(item[name] for item in runs), 1) for name in names}
        print(
            f"{way:>24}: first {FIRST_UNIT} {found[way]['first_ms']:.0f} ms, the same again"
            f" {found[way]['second_ms']:.0f} ms; planning, which is not the engine's,"
            f" {found[way]['first_plan_ms']:.0f} and {found[way]['second_plan_ms']:.0f} ms"
        )
    return found


def _print_table(steps: Sequence[dict[str, Any]], modules: dict[str, float]) -> None:
    print(f"{'step':14s} {'first ms':>9s} {'warm ms':>9s} {'saved ms':>9s} {'a request':>9s}")
    for item in steps:
        print(
            f"{item['name']:14s} {item['first_ms']:9.1f} {item['warm_ms']:9.1f}"
            f" {item['saved_ms']:9.1f} {item['uses_per_request']:9.1f}"
            f"  {'chosen' if item['chosen'] else 'left out'}"
        )
    listed = ", ".join(f"{name} {value:.0f} ms" for name, value in modules.items())
    print(f"imported within the analyses: {listed or 'nothing'}")


def _write_contracts(data: Path | None, limit: int, folder: Path) -> list[str]:
    if data is None:
        return []
    from benchmarks.cuad import read_contracts

    paths = []
    for number, contract in enumerate(list(read_contracts(data / "cuad_dev.jsonl"))[:limit]):
        path = folder / f"{number}.txt"
        path.write_text(contract.text, encoding="utf-8")
        paths.append(str(path))
    return paths


def _child(*arguments: str) -> dict[str, Any]:
    return dict(json.loads(_process(*arguments).stdout.splitlines()[-1]))


def _process(*arguments: str, options: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
    process = subprocess.run(
        [sys.executable, *options, "-m", "benchmarks.warmup", "--in-child", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode != 0:
        raise SystemExit(f"a measurement failed:\n{process.stderr[-4000:]}")
    return process


def _imports_within(*arguments: str) -> dict[str, float]:
    """Milliseconds of import within the analyses, by package, the dearest first."""
    process = _process(*arguments, options=("-X", "importtime"))
    late = set(json.loads(process.stdout.splitlines()[-1])["modules"])
    costs: Counter[str] = Counter()
    for line in process.stderr.splitlines():
        fields = line.removeprefix("import time:").split("|")
        if len(fields) == 3 and fields[2].strip() in late:
            costs[fields[2].strip().partition(".")[0]] += int(fields[0])
    return {name: micros / 1000 for name, micros in costs.most_common(8) if micros >= 500}


def _measure_steps(model: str, precision: str, kernels: str) -> dict[str, Any]:
    """Within a new process: every step for the first time, then again."""
    first, warm = {}, {}
    with local_backend(model, _config(precision, kernels)) as backend:
        engine = backend._engine()
        for name, step in STEPS.items():
            first[name] = _milliseconds(lambda step=step: step.run(engine))
        for name, step in STEPS.items():
            repeats = range(NUM_WARM_CALLS)
            warm[name] = min(_milliseconds(lambda step=step: step.run(engine)) for _ in repeats)
        assert engine.choices is not None
        return {
            "first_ms": first,
            "warm_ms": warm,
            "kind": engine.choices.kind,
            "engine": engine.choices.describe(),
        }


def _measure_first(model: str, precision: str, kernels: str, chosen: str) -> dict[str, Any]:
    """Within a new process: one unit on the example, the `chosen` steps done, then again."""
    import assay
    from assay.documents import read_document

    document = read_document(EXAMPLE)
    timings = []
    with local_backend(model, _config(precision, kernels)) as backend:
        for name in filter(None, chosen.split(",")):
            STEPS[name].run(backend._engine())
        recording = RecordingBackend(backend)
        with assay.Analyzer(backend=recording) as analyzer:
            for recording.salt in ("first", "second"):
                timings.append(analyzer.analyze(document, units=[FIRST_UNIT]).timing_ms)
    first, second = timings
    return {
        "first_ms": first["units"],
        "second_ms": second["units"],
        "first_plan_ms": first["plan"],
        "second_plan_ms": second["plan"],
    }


def _measure_requests(model: str, precision: str, kernels: str, *paths: str) -> dict[str, Any]:
    """Within a new process: every document by all units; what was called and what imported."""
    import assay
    from assay.documents import read_document
    from assay.units import all_units

    documents = [read_document(path) for path in paths]
    all_units()
    targets = {step.makes_ready for step in STEPS.values()}
    counts: Counter[str] = Counter()
    with local_backend(model, _config(precision, kernels)) as backend:
        for target in targets:
            _count_calls(target, counts)
        before = set(sys.modules)
        recording = RecordingBackend(backend)
        with assay.Analyzer(backend=recording) as analyzer:
            for document in documents:
                analyzer.analyze(document)
        return {
            "counts": {target: counts[target] for target in targets},
            "num_requests": recording.num_answers,
            "modules": sorted(set(sys.modules) - before),
        }


def _count_calls(target: str, counts: Counter[str]) -> None:
    """From here on, calls of the function `module:qualified.name` are counted."""
    module, _, path = target.partition(":")
    *owners, name = path.split(".")
    owner: Any = import_module(module)
    for part in owners:
        owner = getattr(owner, part)
    inner = getattr(owner, name)

    @wraps(inner)
    def counted(*args: Any, **kwargs: Any) -> Any:
        counts[target] += 1
        return inner(*args, **kwargs)

    setattr(owner, name, counted)


def _milliseconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def _in_child(kind: str, *arguments: str) -> int:
    measure = {
        "steps": _measure_steps,
        "requests": _measure_requests,
        "first": _measure_first,
    }[kind]
    print_last_line(measure(*arguments))
    return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--in-child"]:
        sys.exit(_in_child(*sys.argv[2:]))
    sys.exit(run(main))
