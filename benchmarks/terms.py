"""Glossaries and merged terms: what they find, what they cost, what they save.

    python -m benchmarks.terms --data DIR [--split dev] [--windows 32] [--clauses 16]

`--data` is a folder with cuad_SPLIT.jsonl. Measures the recognition of planted terms and requests
in jargon with and without a glossary (`f1_*`, `trigger_*`, percent), reloads while requests run
(`reload_s`, the slowest), the starter glossary's speed on the contracts (`mb_s`), the share of
prompt tokens that merged terms save, and what they do to a model's reading (`kl`: nats, after terms
of which the engine uses the row). With `--windows 0` no model is needed, and the figures of merging
are left out.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from importlib.resources import as_file, files
from pathlib import Path
from random import Random
from typing import Any

from assay.routing import load_router
from assay.terms import Glossary, starter_glossary
from benchmarks.cuad import Contract, read_contracts
from benchmarks.report import machine, print_last_line, run, spread
from benchmarks.terms_recognition import f1, plant, tenant_glossary
from benchmarks.terms_reload import measure_reloads
from benchmarks.terms_requests import REQUESTS, trigger_accuracy

_NUM_RELOADS = 5
_NUM_REPEATS = 5


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parse(arguments)
    contracts = list(read_contracts(options.data / f"cuad_{options.split}.jsonl"))
    texts = [contract.text for contract in contracts]
    starter = starter_glossary()
    print(json.dumps(machine()))
    figures: dict[str, Any] = {}
    tenant = tenant_glossary()
    num_natural = sum(len(tenant.find(text)) for text in texts)
    planted = [plant(text, tenant, Random(options.seed)) for text in texts]
    figures["f1_off"] = f1(planted, tenant, with_glossary=False)
    figures["f1_on"] = f1(planted, tenant, with_glossary=True)
    print(f"{sum(len(item.spans) for item in planted)} planted, {num_natural} were there already")
    router = load_router()
    figures["trigger_off"] = trigger_accuracy(router, None)
    figures["trigger_on"] = trigger_accuracy(router, starter)
    print(f"{len(REQUESTS)} requests")
    with as_file(files("assay.terms") / "starter.csv") as table:
        reloads = measure_reloads(table, texts[0][:4000], _NUM_RELOADS)
    print(f"reloads {spread(reloads.seconds)}, {reloads.num_requests} requests meanwhile")
    figures["reload_s"] = max(reloads.seconds)
    figures["reload_processor_s"] = max(reloads.processor_seconds)
    figures["reload_failures"] = reloads.num_failed
    figures |= _speed(texts, starter)
    if options.windows:
        figures |= _merging(contracts, starter, options)
    print_last_line({key: round(value, 4) for key, value in figures.items()})
    return int(reloads.num_failed > 0)


def _speed(texts: Sequence[str], starter: Glossary) -> dict[str, float]:
    """Megabytes of UTF-8 a second, document by document: by the clock, and by the processor's time
    where others use it too; the best of some runs."""
    num_bytes = sum(len(text.encode()) for text in texts) / 1e6
    rates, own = [], []
    for _ in range(_NUM_REPEATS):
        clock, processor = time.perf_counter(), time.process_time()
        for text in texts:
            starter.find(text)
        own.append(num_bytes / (time.process_time() - processor))
        rates.append(num_bytes / (time.perf_counter() - clock))
    print(f"MB/s by the clock {spread(rates)}, by processor time {spread(own)}")
    return {"mb_s": max(rates), "mb_s_processor": max(own)}


def _merging(
    contracts: Sequence[Contract], starter: Glossary, options: argparse.Namespace
) -> Mapping[str, float]:
    from assay.kv_cache.policies.weights import load_weights
    from assay.models.packed import load_packed
    from assay.models.store import resolve_model
    from benchmarks.terms_merger import MergerTrial, share_saved, windows

    packed = load_packed(resolve_model(options.model))
    arrays = load_weights("merger", packed.config)
    if arrays is None:
        print(f"no map was fitted to {options.model}", file=sys.stderr)
        return {}
    tokenizer = packed.tokenizer()
    texts = [contract.text for contract in contracts]
    trial = MergerTrial(packed, arrays, options.seed)
    found = list(windows(texts, tokenizer, starter))
    figures = {"tokens_saved": share_saved(texts, tokenizer, starter)}
    figures |= trial.divergences(found, options.windows)
    if options.clauses:
        figures |= trial.quotation_nll(contracts, starter, options.clauses)
    figures["kl"] = figures.get("kl_used", float("nan"))
    return figures


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m benchmarks.terms")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--split", default="dev")
    parser.add_argument("--model", default="smollm2")
    parser.add_argument("--windows", type=int, default=32)
    parser.add_argument("--clauses", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(run(main))
