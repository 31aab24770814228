"""What the KV cache's ways of leaving things out cost and save, against the full cache.

    python -m benchmarks.kv --data DIR [--split dev] [--docs N] [--modes dense,retention,…]
                            [--repeats N] [--timed-docs N] [--threads N] [--model NAME|PATH]

The questions of the catalogue that `DIR/cuad_SPLIT.jsonl` has labels for, on whole contracts, under
the product's own constraints; the modes differ in what of the contract is attended:

- `dense`: all of it, cut where the model's positions end.
- `local_global`: the same prompt, of which most heads keep the latest tokens and landmarks.
- `retention`: the same prompt, of which each head keeps the quarter that matters to the request.
- `descriptor`: the passages chosen for the question, attached where they stand in the document's
  own chain.
- `independent`: the passages chosen for the question, each computed alone and attached.
- `best`: as `descriptor`, and of what is attached each head keeps what `retention` would.

All modes read a document before the next is begun, so that a machine that drifts does so for all.
What is done with each document stands in `benchmarks.kv_rounds`. `f1` is of value and evidence,
micro-averaged over fields, by the model alone; `product_f1` with the rules behind it. `reuse` is
the share of prompt tokens found in the cache on known documents; `reuse_cold` that on new ones,
`reuse_cold_most` the most that could be (`benchmarks.kv_bounds`). `ttft_ms` is the median over
requests that run alone on known documents, `step_ms` the mean of steps in which 8 requests on one
document decode. `perplexity` is that of the labelled answers; `agreement` the share of answers
that read as the full cache's. `kv_bytes` is what a request holds in its last step, shared blocks in
full; many answers are decided in the first, when all of the prompt is still there:
`decode_kv_bytes` is that of the 8 after 40 steps. `attended_share` counts pairs of a query and a
key, against all that dense attention would have.

Before the last line comes a table; the last line is one JSON object.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.decoding.vocabulary import Vocabulary
from assay.errors import AssayError
from assay.models.packed import PackedModel, load_packed
from assay.models.store import DEFAULT_MODEL, resolve_model
from benchmarks.cuad import Contract, read_contracts
from benchmarks.kv_attach import time_attaching
from benchmarks.kv_engine import MeasuredEngine
from benchmarks.kv_figures import compare
from benchmarks.kv_modes import MODES
from benchmarks.kv_rounds import ModeLog, run_document
from benchmarks.kv_scorer import time_scoring
from benchmarks.kv_tasks import all_questions, read_contract
from benchmarks.report import machine, print_last_line, rss_mb, run, spread

NUM_ATTACHED = 20
#: The modes of both kinds of slices.
SLICED = ("descriptor", "independent")
#: Key of a mode's figures, and the column's head.
COLUMNS: Mapping[str, str] = {
    "kv_bytes": "KV bytes",
    "decode_kv_bytes": "decoding",
    "peak_kv_bytes": "peak",
    "reuse": "reuse",
    "reuse_cold": "cold",
    "reuse_cold_of_most": "of most",
    "prefill_tokens": "prefill",
    "ttft_ms": "TTFT ms",
    "step_ms": "step ms",
    "f1": "F1",
    "f1_difference": "less full",
    "product_f1": "product",
    "perplexity": "perpl.",
    "agreement": "agree",
    "attended_share": "attended",
}


def measure(
    packed: PackedModel, contracts: Sequence[Contract], options: argparse.Namespace
) -> dict[str, Any]:
    """All modes on all contracts, an engine each, taking turns document by document."""
    vocabulary = Vocabulary(
        packed.tokenizer().to_json(), packed.config.vocab_size, packed.config.eos_token_ids
    )
    engines = {
        name: MeasuredEngine(
            packed, MODES[name].config(num_threads=options.threads or "auto"), vocabulary
        )
        for name in options.modes
    }
    logs = {name: ModeLog(MODES[name]) for name in options.modes}
    for number, contract in enumerate(contracts):
        reading = read_contract(
            contract,
            next(iter(engines.values())).tokenizer,
            packed.config.max_position_embeddings,
            all_questions(),
        )
        said = []
        for name, engine in engines.items():
            started = time.perf_counter()
            run_document(
                logs[name],
                engine,
                reading,
                repeats=options.repeats,
                has_steps=number < options.timed_docs,
            )
            said.append(f"{name} {time.perf_counter() - started:.1f} s")
        print(
            f"{number + 1:3d}/{len(contracts)} {len(contract.text):7d} chars,"
            f" {len(reading.asked)} questions: {', '.join(said)}",
            flush=True,
        )
    last: dict[str, Any] = {"modes": compare(logs)}
    last |= attach_figures(engines)
    if "retention" in engines:
        last |= time_scoring(engines["retention"])
    for name, engine in engines.items():
        engine.engine.check_integrity()
        last.setdefault("engines", {})[name] = engine.choices.describe()
        pairs = engine.engine.pairs
        last["modes"][name] |= {
            "attended_share": round(pairs.num_attended / max(1, pairs.num_dense), 4),
            "blocks_not_given_back": engine.num_held_blocks,
        }
    return last


def attach_figures(engines: Mapping[str, MeasuredEngine]) -> dict[str, Any]:
    """Of each kind of slices; the slower one's median stands alone as well."""
    figures = {
        name: spread([1000 * item for item in time_attaching(engines[name], NUM_ATTACHED)])
        for name in SLICED
        if name in engines
    }
    slowest = max((item["median"] for item in figures.values()), default=None)
    return {"attach_2000_ms": slowest, "attach_2000": figures}


def print_table(modes: Mapping[str, Mapping[str, Any]]) -> None:
    print(f"\n{'':16s}" + "".join(f"{head:>12s}" for head in COLUMNS.values()))
    for name, figures in modes.items():
        cells = (figures.get(key) for key in COLUMNS)
        print(f"{name:16s}" + "".join(f"{_cell(item):>12s}" for item in cells))


def _cell(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,d}" if isinstance(value, int) else f"{value:,.3f}"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with cuad_SPLIT.jsonl")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--docs", type=int, help="only the first N contracts")
    parser.add_argument("--modes", type=lambda text: text.split(","), default=list(MODES))
    parser.add_argument("--repeats", type=int, default=1, help="of what is timed")
    parser.add_argument("--timed-docs", type=int, default=6, help="contracts whose steps are timed")
    parser.add_argument("--threads", type=int, help="all that there are if left out")
    parser.add_argument("--model", default=DEFAULT_MODEL)
    options = parser.parse_args(arguments)
    if unknown := set(options.modes) - set(MODES):
        parser.error(f"unknown modes: {', '.join(sorted(unknown))}")
    if options.repeats < 1:
        parser.error("--repeats must be at least 1")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    path = options.data / f"cuad_{options.split}.jsonl"
    if not path.is_file():
        print(f"kv: there is no {path}", file=sys.stderr)
        return 2
    try:
        packed = load_packed(resolve_model(options.model))
    except AssayError as error:
        print(f"kv: {error}", file=sys.stderr)
        return 2
    contracts = list(read_contracts(path))[: options.docs]
    last = measure(packed, contracts, options)
    print_table(last["modes"])
    last |= {"num_contracts": len(contracts), "rss_mb": round(rss_mb()), "machine": machine()}
    print_last_line(last)
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
