"""How often the units are right on labelled contracts, and what it costs.

    python -m benchmarks.quality --data DIR [--split dev] [--limit N] [--json-rows FILE]
                                 [--precision auto|int8|bf16|float32]

Reads `DIR/cuad_SPLIT.jsonl`, writes each contract to a file and analyses it as `assay analyze
--json` would, with every unit. Prints a table of fields with precision, recall and F1 (95%
bootstrap intervals over contracts), the seconds of each contract, whether every quote stands
exactly where its offsets say, and the process's peak memory. The last line is one JSON object;
it names the precision and what else the engine came to.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import assay
from assay.engine.config import EngineConfig
from assay.engine.precision import processor_flags, resolve_precision
from benchmarks.cuad import LABELS, Contract, Verdict, judge, read_contracts
from benchmarks.local_engine import local_backend

NUM_RESAMPLES = 1000


def f1(verdicts: Sequence[Verdict]) -> tuple[float, float, float]:
    """Precision, recall and F1 of counts added up."""
    tp = sum(item.tp for item in verdicts)
    fp = sum(item.fp for item in verdicts)
    fn = sum(item.fn for item in verdicts)
    precision = tp / (tp + fp) if tp + fp else 1.0
    recall = tp / (tp + fn) if tp + fn else 1.0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def interval(verdicts: Sequence[Verdict], seed: int = 7) -> tuple[float, float]:
    """The 95% bootstrap interval of F1 over contracts."""
    source = random.Random(seed)
    scores = sorted(f1(source.choices(verdicts, k=len(verdicts)))[2] for _ in range(NUM_RESAMPLES))
    return scores[int(0.025 * NUM_RESAMPLES)], scores[int(0.975 * NUM_RESAMPLES) - 1]


def check_offsets(text: str, answer: dict[str, Any]) -> tuple[int, int]:
    """How many quotes there are, and how many do not stand at their offsets."""
    items = [item for result in answer["results"].values() for item in result["evidence"]]
    wrong = sum(text[item["start"] : item["end"]] != item["quote"] for item in items)
    return len(items), wrong


def analyze_all(
    contracts: Sequence[Contract], analyzer: assay.Analyzer, rows: Path | None
) -> tuple[dict[str, list[Verdict]], list[dict[str, Any]]]:
    verdicts: dict[str, list[Verdict]] = {f"{unit}.{name}": [] for unit, name in LABELS}
    log: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        for number, contract in enumerate(contracts):
            path = Path(folder) / f"{number:03d}.txt"
            path.write_text(contract.text, encoding="utf-8", newline="")
            started = time.perf_counter()
            analysis = analyzer.analyze(path)
            seconds = time.perf_counter() - started
            answer = json.loads(json.dumps(analysis.as_json()))
            for unit, name in LABELS:
                verdicts[f"{unit}.{name}"].append(
                    judge(contract, unit, name, answer["results"][unit])
                )
            quotes, wrong = check_offsets(analysis.document.text, answer)
            entry = {
                "contract": contract.name,
                "num_chars": len(contract.text),
                "text_unchanged": analysis.document.text == contract.text,
                "seconds": round(seconds, 2),
                "quotes": quotes,
                "wrong_offsets": wrong,
                "errors": sum(item["error"] is not None for item in answer["results"].values()),
                "agree": sum(items[-1].agrees for items in verdicts.values()),
            }
            log.append(entry)
            print(
                f"{number + 1:3d}/{len(contracts)} {entry['num_chars']:7d} chars"
                f" {seconds:6.1f} s  {entry['agree']}/{len(LABELS)} fields agree,"
                f" {quotes} quotes, {wrong} misplaced",
                flush=True,
            )
            if rows:
                with rows.open("a", encoding="utf-8") as out:
                    out.write(json.dumps({"id": contract.name, "answer": answer}) + "\n")
    return verdicts, log


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with cuad_SPLIT.jsonl")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--limit", type=int, help="only the first N contracts")
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--precision", default="auto", choices=("auto", "int8", "bf16", "float32"))
    parser.add_argument("--json-rows", type=Path, help="write every answer to this file")
    options = parser.parse_args(arguments)
    path = options.data / f"cuad_{options.split}.jsonl"
    if not path.is_file():
        print(f"quality: there is no {path}", file=sys.stderr)
        return 2
    contracts = list(read_contracts(path))[: options.limit]
    if options.json_rows:
        options.json_rows.unlink(missing_ok=True)
    computed_in = resolve_precision(options.precision, processor_flags())
    config = EngineConfig(precision=computed_in)
    with (
        local_backend(options.model, config) as backend,
        assay.Analyzer(backend=backend) as analyzer,
    ):
        engine = backend.info.engine
        print(f"engine: {engine}", flush=True)
        verdicts, log = analyze_all(contracts, analyzer, options.json_rows)
    figures: dict[str, Any] = {}
    print(f"\n{'field':34s} {'P':>6s} {'R':>6s} {'F1':>6s}  95% interval   agree")
    for name, items in verdicts.items():
        precision, recall, score = f1(items)
        low, high = interval(items)
        agree = sum(item.agrees for item in items)
        print(
            f"{name:34s} {precision:6.2f} {recall:6.2f} {score:6.2f}"
            f"  {low:.2f}-{high:.2f}     {agree}/{len(items)}"
        )
        figures[name] = {
            "f1": round(score, 4),
            "low": round(low, 4),
            "high": round(high, 4),
            "n": len(items),
            "agree": agree,
        }
    seconds = [entry["seconds"] for entry in log]
    summary = {
        "precision": computed_in,
        "engine": engine,
        "cuad": figures,
        "ungrounded": sum(entry["wrong_offsets"] for entry in log),
        "errors": sum(entry["errors"] for entry in log),
        "seconds": {
            "median": statistics.median(seconds),
            "max": max(seconds),
            "total": round(sum(seconds), 1),
        },
        "peak_rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }
    print(json.dumps(summary))
    return 0


if __name__ == "__main__":
    sys.exit(main())
