"""How the KV cache's modes grow with the context, and what retention loses with the share it keeps.

    python -m benchmarks.kv_curves [--data DIR --docs N] [--modes dense retention …]
                                   [--contexts 512 2048 …] [--shares 0.125 0.25 …] [--repeats N]
                                   [--threads N] [--png DIR] [--model NAME|PATH]

Contexts: on made-up contracts of so many tokens, never seen: the time to the first token and the
most bytes that the request held on the way; then 8 requests that decode side by side: their step,
and what each holds. Shares: on contracts of `DIR/cuad_dev.jsonl`, retention with so much of the
pairs, as `benchmarks.kv` measures it, and the full cache.

`--png` draws both into `DIR/kv_contexts.png` and `DIR/kv_shares.png` (matplotlib). The last line is
one JSON object.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from assay.decoding.vocabulary import Vocabulary
from assay.errors import AssayError
from assay.models.packed import PackedModel, load_packed
from assay.models.store import DEFAULT_MODEL, resolve_model
from assay.types import SamplingParams
from benchmarks.cuad import Contract, read_contracts
from benchmarks.kv_engine import MeasuredEngine
from benchmarks.kv_figures import compare, median_ms
from benchmarks.kv_modes import MODES, REFERENCE, Mode
from benchmarks.kv_plots import draw_contexts, draw_shares
from benchmarks.kv_rounds import ModeLog, run_document, time_steps
from benchmarks.kv_tasks import Reading, all_questions, read_contract
from benchmarks.report import machine, print_last_line, run
from benchmarks.texts import make_contract

CONTEXTS = (512, 1024, 2048, 4096, 7168)
SHARES = (0.0625, 0.125, 0.25, 0.5)
_ONE_TOKEN = SamplingParams(max_tokens=1)


class Engines:
    """Engines of modes, all of one model."""

    def __init__(self, packed: PackedModel, num_threads: int | str) -> None:
        self._packed = packed
        self._num_threads = num_threads
        self.tokenizer = packed.tokenizer()
        self._vocabulary = Vocabulary(
            self.tokenizer.to_json(), packed.config.vocab_size, packed.config.eos_token_ids
        )

    def make(self, mode: Mode) -> MeasuredEngine:
        config = mode.config(num_threads=self._num_threads)
        return MeasuredEngine(self._packed, config, self._vocabulary)

    def read(self, contract: Contract) -> Reading:
        max_model_len = self._packed.config.max_position_embeddings
        return read_contract(contract, self.tokenizer, max_model_len, all_questions())


def measure_contexts(
    engines: Engines, names: Sequence[str], contexts: Sequence[int], repeats: int
) -> dict[str, dict[str, dict[str, float | None]]]:
    """Mode -> tokens -> figures: medians of times, greatest bytes. Where the cache had no room for
    all requests at once, there is no step of all of them."""
    found: dict[str, dict[str, dict[str, float | None]]] = {name: {} for name in names}
    made = {name: engines.make(MODES[name]) for name in names}
    for num_tokens in contexts:
        readings = [
            engines.read(_made_up(engines, num_tokens, repeat)) for repeat in range(repeats)
        ]
        for name, engine in made.items():
            log = ModeLog(MODES[name])
            first = []
            for reading in readings:
                prompt = log.mode.prompt(engine, reading, reading.asked[0])
                first.append(engine.ask(prompt, _ONE_TOKEN))
                time_steps(log, engine, reading)
            found[name][str(num_tokens)] = {
                "ttft_ms": median_ms([item.ttft_s or 0 for item in first]),
                "peak_kv_bytes": max(item.peak_kv_bytes for item in first),
                "step_ms": median_ms(log.step_s),
                "kv_bytes": round(statistics.mean(log.decode_kv_bytes)),
            }
            print(f"{name:14s} {num_tokens:6d} tokens: {found[name][str(num_tokens)]}", flush=True)
    return found


def measure_shares(
    engines: Engines, contracts: Sequence[Contract], shares: Sequence[float]
) -> dict[str, dict[str, Any]]:
    """Share -> figures as in `benchmarks.kv`; the full cache as share 1."""
    retention = MODES["retention"]
    modes = {
        str(share): Mode(retention.name, True, {**retention.settings, "retention_share": share})
        for share in shares
    }
    modes = {REFERENCE: MODES[REFERENCE], **modes}
    made = {name: engines.make(mode) for name, mode in modes.items()}
    logs = {name: ModeLog(mode) for name, mode in modes.items()}
    for contract in contracts:
        reading = engines.read(contract)
        for name, engine in made.items():
            run_document(logs[name], engine, reading, repeats=1, has_steps=False)
        print(f"{len(contract.text):7d} chars: {len(reading.asked)} questions", flush=True)
    figures = compare(logs)
    return {"1" if name == REFERENCE else name: item for name, item in figures.items()}


def _made_up(engines: Engines, num_tokens: int, repeat: int) -> Contract:
    """A contract of about so many tokens."""
    seed = f"{num_tokens} {repeat}"
    sample = make_contract(seed, 8000)
    num_chars = num_tokens * len(sample) // engines.tokenizer.count(sample)
    return Contract(seed, make_contract(seed, num_chars), {})


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, help="folder with cuad_dev.jsonl, for the shares")
    parser.add_argument("--docs", type=int, default=8, help="contracts for the shares")
    parser.add_argument("--modes", nargs="+", choices=list(MODES), default=list(MODES))
    parser.add_argument("--contexts", type=int, nargs="+", default=CONTEXTS)
    parser.add_argument("--shares", type=float, nargs="+", default=SHARES)
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--threads", type=int, help="all that there are if left out")
    parser.add_argument("--png", type=Path, help="folder to draw into")
    parser.add_argument("--model", default=DEFAULT_MODEL)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    try:
        packed = load_packed(resolve_model(options.model))
    except AssayError as error:
        print(f"kv_curves: {error}", file=sys.stderr)
        return 2
    engines = Engines(packed, options.threads or "auto")
    last: dict[str, Any] = {
        "contexts": measure_contexts(engines, options.modes, options.contexts, options.repeats),
        "machine": machine(),
    }
    if options.data:
        contracts = list(read_contracts(options.data / "cuad_dev.jsonl"))[: options.docs]
        last["shares"] = measure_shares(engines, contracts, options.shares)
    if options.png:
        draw(last, options.png)
    print_last_line(last)
    return 0


def draw(figures: Mapping[str, Any], folder: Path) -> None:
    draw_contexts(figures["contexts"], folder / "kv_contexts.png")
    if "shares" in figures:
        draw_shares(figures["shares"], folder / "kv_shares.png")


if __name__ == "__main__":
    sys.exit(run(main))
