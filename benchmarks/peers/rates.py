"""How fast a peer reads and writes, measured from outside like a client would.

Prompts are random tokens, new ones each time, so that no cache helps. Decode: the same prompts are
sent for one token and for many; the difference is the steps alone, since by then the prompts are
cached. Where a peer tells when the prompts were computed, that is used instead.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.peers.base import Peer, PeerModel, PeerRequest
from benchmarks.peers.registry import started
from benchmarks.report import spread
from benchmarks.texts import make_prompt_ids

DECODE_STEPS = 64
#: Prompt tokens of a decode batch beyond which there are two repeats, and llama.cpp is spared.
_HEAVY_TOKENS = 20_000

Rates = dict[str, list[float]]


def measure_peer(
    name: str,
    model: PeerModel,
    *,
    prefill_tokens: Sequence[int],
    decode_shapes: Sequence[tuple[int, int]],
    repeats: int,
    say: Callable[[str], None],
) -> dict[str, Any]:
    """Starts a peer and returns the keys of `benchmarks.engine` for it, and its settings.

    `decode_shapes` are (batch, context). `cold_start_s` runs to the first answer.

    Raises:
        PeerError: it does not start or fails.
    """
    begun = time.perf_counter()
    prefill: Rates = {}
    decode: Rates = {}
    skipped: list[str] = []
    with started(name, model) as peer:
        peer.generate([_request(model, seed=-1, num_tokens=64, max_tokens=8)])
        cold_start_s = time.perf_counter() - begun
        for size in prefill_tokens:
            for repeat in range(repeats + 1):
                rate = _prefill(peer, model, size, seed=1000 * size + repeat)
                if repeat:
                    prefill.setdefault(str(size), []).append(rate)
            say(f"prefill {size:>7} {name}: {spread(prefill[str(size)], 0)} tok/s")
        for batch, context in decode_shapes:
            label = f"{batch}x{context}"
            if name == "llama_cpp" and batch * context > _HEAVY_TOKENS:
                skipped.append(label)
                continue
            num_runs = repeats if batch * context <= _HEAVY_TOKENS else min(repeats, 2)
            decode[label] = [
                _decode(peer, model, batch, context, seed=repeat) for repeat in range(num_runs)
            ]
            say(f" decode {label:>7} {name}: {spread(decode[label], 0)} tok/s")
        memory = peak_session_mb(peer.pid)
        settings = dict(peer.settings)
    return {
        "prefill_tok_s": {label: spread(values, 1)["median"] for label, values in prefill.items()},
        "decode_tok_s": {label: spread(values, 1)["median"] for label, values in decode.items()},
        "cold_start_s": round(cold_start_s, 2),
        "peak_rss_mb": round(memory),
        "spread": {
            "prefill_tok_s": {label: spread(values, 1) for label, values in prefill.items()},
            "decode_tok_s": {label: spread(values, 1) for label, values in decode.items()},
        },
        "skipped": skipped,
        "settings": settings,
    }


def _request(model: PeerModel, *, seed: int, num_tokens: int, max_tokens: int) -> PeerRequest:
    ids = make_prompt_ids(seed, num_tokens, model.vocab_size)
    return PeerRequest(ids, max_tokens, ignore_eos=True)


def _prefill(peer: Peer, model: PeerModel, num_tokens: int, seed: int) -> float:
    request = _request(model, seed=seed, num_tokens=num_tokens, max_tokens=1)
    (answer,) = peer.generate([request])
    return num_tokens / (answer.prefill_s or answer.latency_s)


def _decode(peer: Peer, model: PeerModel, batch: int, context: int, seed: int) -> float:
    """Tokens a second over all sequences."""

    def run(max_tokens: int) -> tuple[float, float | None]:
        requests = [
            _request(
                model,
                seed=7_000_000 + 1000 * (100 * seed + batch) + i + context,
                num_tokens=context,
                max_tokens=max_tokens,
            )
            for i in range(batch)
        ]
        answers = peer.generate(requests)
        return max(answer.latency_s for answer in answers), answers[0].prefill_s

    total, prefill_s = run(1 + DECODE_STEPS)
    if prefill_s is None:
        # By now the prompts are cached.
        prefill_s = min(run(1)[0], run(1)[0])
        total = run(1 + DECODE_STEPS)[0]
    elapsed = total - prefill_s
    return batch * DECODE_STEPS / max(elapsed, 1e-6)


def peak_session_mb(session: int) -> float:
    """The sum of the peaks of all processes of a session, in MB of 2**20 bytes."""
    total = 0
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            stat = (folder / "stat").read_text(encoding="utf-8", errors="replace")
            status = (folder / "status").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue  # it ended meanwhile
        # The name in brackets may hold spaces: state, parent, group, session follow the last one.
        if int(stat.rpartition(")")[2].split()[3]) == session:
            peaks = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
            total += sum(map(int, peaks))
    return total / 1024
