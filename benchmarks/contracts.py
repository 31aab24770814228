"""Many structured questions on shared contracts, all at once: ours and the peers in one run.

    python -m benchmarks.contracts --data DIR [--peers [NAME,…]] [--docs 32] [--repeats 2]
                                   [--sets heads,wholes] [--engines assay,assay_whole]

Four questions on each of `--docs` contracts of `DIR/cuad_SPLIT.jsonl`, all tasks distinct, all
sent at once: *cold* (documents never seen), *warm* (the same documents, four other questions), and
cold again with 8 contracts. Document sets: `heads`, the first 6,000 characters of each contract,
and `wholes`, contracts of up to 7,500 tokens; both have white space folded. Everyone reads the
same tokens, except `assay`, the product's own path, which chooses what to read; see
`benchmarks.contract_engines`. Engines run one after another, warmed up with made-up contracts.

The last line is one JSON object: for each round of the heads (`cold_128`, `warm_128`, `cold_32`)
and engine, `rps`, `p50_s`, `p95_s`, `p99_s` (medians over repeats), `correct` and more;
`forced_share` of the first of ours, and that of each in `forced_shares`; the same of the wholes
under `wholes`. llama.cpp, which answers one request after another, only takes part in the small
round.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from assay.backends.local import LocalBackend
from assay.engine.config import EngineConfig
from assay.errors import AssayError
from assay.models.packed import load_packed
from assay.models.store import resolve_model
from benchmarks.contract_engines import (
    AssayEngine,
    AssayWholeEngine,
    ContractEngine,
    EngineFailedError,
    PeerEngine,
)
from benchmarks.contract_judge import judge_all
from benchmarks.contract_tasks import COLD, WARM, Answered, heads, make_tasks, wholes
from benchmarks.cuad import Contract, read_contracts
from benchmarks.local_engine import check_books, kv_bytes_per_token, local_backend
from benchmarks.peers import registry
from benchmarks.peers.base import PeerError
from benchmarks.report import latencies, machine, print_last_line, rss_mb, run, spread
from benchmarks.texts import make_contract

OURS: Mapping[str, Callable[[LocalBackend], ContractEngine]] = {
    "assay": AssayEngine,
    "assay_whole": AssayWholeEngine,
}
#: Answers one request after another: many would take a quarter of an hour and say nothing new.
SEQUENTIAL = ("llama_cpp",)
NUM_FEW_DOCS = 8

Rounds = dict[str, list[list[Answered]]]
"""Round -> repeat -> answers."""


def run_rounds(engine: ContractEngine, contracts: Sequence[Contract], repeats: int) -> Rounds:
    """Warms the engine up, then runs every round; each repeat under a salt of its own."""
    few = contracts[:NUM_FEW_DOCS]
    is_sequential = engine.name in SEQUENTIAL
    num_all = len(contracts) * len(COLD)
    made_up = [Contract(f"made up {i}", make_contract(i, 3000), {}) for i in range(2)]
    engine.ask(make_tasks(made_up, (*COLD, *WARM)), "warm-up")
    rounds: Rounds = {}
    for repeat in range(1 if is_sequential else repeats):
        plan = []
        if not is_sequential or len(few) == len(contracts):
            plan.append((f"cold_{num_all}", contracts, COLD, f"{repeat}"))
            plan.append((f"warm_{num_all}", contracts, WARM, f"{repeat}"))
        if len(few) < len(contracts):
            plan.append((f"cold_{len(few) * len(COLD)}", few, COLD, f"few {repeat}"))
        for name, documents, questions, salt in plan:
            answers = engine.ask(make_tasks(documents, questions), salt)
            rounds.setdefault(name, []).append(answers)
            said = summary([answers])
            print(
                f"{engine.name:18s} {name:9s} repeat {repeat + 1}: {said['rps']:7.2f} requests/s,"
                f" P50 {said['p50_s']:6.2f} s, P99 {said['p99_s']:6.2f} s,"
                f" {said['correct']:.0%} correct, {said['unfinished']} unfinished",
                flush=True,
            )
    return rounds


def summary(repeats: Sequence[Sequence[Answered]], kv_bytes: int = 0) -> dict[str, Any]:
    """A round's figures: medians over repeats of the times; counts and answers of the first."""
    times = [latencies([item.latency_s for item in answers]) for answers in repeats]
    rates = [len(answers) / max(item.latency_s for item in answers) for answers in repeats]
    first = repeats[0]
    decoded = sum(item.num_decoded_tokens for item in first)
    forced = sum(item.num_forced_tokens for item in first)
    prompt = sum(item.num_prompt_tokens for item in first)
    cached = [item.num_cached_tokens for item in first]
    known = None if None in cached else sum(item or 0 for item in cached)
    return {
        "rps": round(statistics.median(rates), 3),
        **{name: round(statistics.median(item[name] for item in times), 3) for name in times[0]},
        "rps_spread": spread(rates),
        "num_requests": len(first),
        "num_generations": sum(item.num_generations for item in first),
        "prompt_tokens": prompt,
        "cached_tokens": known,
        "decoded_tokens": decoded,
        "forced_tokens": forced,
        "kv_mb_written": known
        if known is None
        else round((prompt - known + decoded + forced) * kv_bytes / 2**20, 1),
        **judge_all(first),
    }


def forced_share(rounds: Rounds) -> float:
    answers = [item for repeats in rounds.values() for batch in repeats for item in batch]
    forced = sum(item.num_forced_tokens for item in answers)
    decoded = sum(item.num_decoded_tokens for item in answers)
    return round(forced / max(1, forced + decoded), 4)


@contextmanager
def started(name: str, options: argparse.Namespace) -> Iterator[ContractEngine]:
    """One engine, running for as long as the block does."""
    packed = load_packed(resolve_model(options.model))
    if name in OURS:
        config = EngineConfig()
        if name == "assay_whole":
            # As much room as the peers have: the documents of a round are to stay cached.
            config = EngineConfig(kv_cache_bytes=options.kv_gib * 2**30)
        with local_backend(options.model, config) as backend:
            yield OURS[name](backend)
            if num_held := asyncio.run(check_books(backend)):
                raise EngineFailedError(f"{num_held} blocks were not given back")
    else:
        model = registry.peer_model(packed)
        with registry.started(name, model, kv_gib=options.kv_gib) as peer:
            yield PeerEngine(peer, packed.tokenizer())


def document_sets(options: argparse.Namespace) -> dict[str, list[Contract]]:
    contracts = list(read_contracts(options.data / f"cuad_{options.split}.jsonl"))
    tokenizer = load_packed(resolve_model(options.model)).tokenizer()
    makers = {
        "heads": lambda: heads(contracts, options.docs),
        "wholes": lambda: wholes(contracts, options.docs, tokenizer.count),
    }
    return {name: makers[name]() for name in options.sets}


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = lambda text: text.split(",")  # noqa: E731
    parser.add_argument("--data", type=Path, required=True, help="folder with cuad_SPLIT.jsonl")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--docs", type=int, default=32, help="contracts in a round")
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--sets", type=names, default=["heads", "wholes"])
    parser.add_argument("--engines", type=names, default=list(OURS))
    parser.add_argument("--peers", nargs="?", const="all", help="all that are installed, or names")
    parser.add_argument("--kv-gib", type=int, default=3, help="KV cache of everyone but `assay`")
    parser.add_argument("--model", default="smollm2")
    options = parser.parse_args(arguments)
    if unknown := set(options.engines) - set(OURS):
        parser.error(f"unknown engines: {', '.join(sorted(unknown))}")
    if unknown := set(options.sets) - {"heads", "wholes"}:
        parser.error(f"unknown sets: {', '.join(sorted(unknown))}")
    if options.docs < 2 or options.repeats < 1 or options.kv_gib < 1:
        parser.error("--docs must be at least 2, --repeats and --kv-gib at least 1")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    options = parse(arguments)
    path = options.data / f"cuad_{options.split}.jsonl"
    if not path.is_file():
        print(f"contracts: there is no {path}", file=sys.stderr)
        return 2
    try:
        engines = (*options.engines, *registry.choose_peers(options.peers))
    except PeerError as error:
        print(f"contracts: {error}", file=sys.stderr)
        return 2
    try:
        config = load_packed(resolve_model(options.model)).config
    except AssayError as error:
        print(f"contracts: {error}", file=sys.stderr)
        return 2
    sets = document_sets(options)
    last: dict[str, Any] = {"settings": {}, "failed": {}, "machine": machine()}
    for set_name, contracts in sets.items():
        print(f"{set_name}: {len(contracts)} contracts")
        place = last if set_name == "heads" else last.setdefault(set_name, {})
        for name in engines:
            try:
                with started(name, options) as engine:
                    rounds = run_rounds(engine, contracts, options.repeats)
                    last["settings"][name] = dict(engine.settings)
            except (PeerError, EngineFailedError) as error:
                said = f"{error}: {error.__cause__}" if error.__cause__ else str(error)
                print(f"{name}: {said}", file=sys.stderr)
                last["failed"][f"{set_name}.{name}"] = said
                continue
            for round_name, repeats in rounds.items():
                figures = summary(repeats, kv_bytes_per_token(config))
                place.setdefault(round_name, {})[name] = figures
            if name in OURS:
                place.setdefault("forced_shares", {})[name] = forced_share(rounds)
        shares = place.get("forced_shares", {})
        place["forced_share"] = next(iter(shares.values()), None)
    last["rss_mb"] = round(rss_mb())
    print_last_line(last)
    return 1 if last["failed"] else 0


if __name__ == "__main__":
    sys.exit(run(main))
