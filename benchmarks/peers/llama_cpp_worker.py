"""llama.cpp through llama-cpp-python; runs in its own virtual environment.

    python -m benchmarks.peers.llama_cpp_worker GGUF --eos ID [--threads N]

Requests with a schema are answered one after another, the usual way of this binding: the longest
common prefix with the prompt before stays in the cache, so requests of one document follow each
other. Batches with `ignore_eos` are decoded together, one token of each sequence a step, through
the library's own batch interface.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.peers.worker import serve

_CONTEXT = 8192


def load(options: argparse.Namespace) -> tuple[dict[str, Any], Any]:
    import llama_cpp  # type: ignore[import-not-found,unused-ignore]

    threads = options.threads or len(os.sched_getaffinity(0))
    common = {"model_path": options.gguf, "n_threads": threads, "n_threads_batch": threads}
    model = llama_cpp.Llama(**common, n_ctx=_CONTEXT, n_batch=512, n_ubatch=512, verbose=False)
    settings = {
        "engine": f"llama-cpp-python {llama_cpp.__version__}",
        "api": "create_completion, one request at a time, the longest common prefix kept",
        "model": "the GGUF file, Q4_1",
        "n_threads": threads,
        "n_batch": 512,
        "structured_output": "LlamaGrammar.from_json_schema",
    }

    def generate(batch: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        if all(request["ignore_eos"] for request in batch):
            yield from _decode_together(model, batch)
        else:
            yield from _one_by_one(model, batch, set(options.eos))

    return settings, generate


def _one_by_one(
    model: Any, batch: Sequence[dict[str, Any]], eos: set[int]
) -> Iterator[dict[str, Any]]:
    import llama_cpp

    started = time.perf_counter()
    grammars: dict[str, Any] = {}
    for index in sorted(range(len(batch)), key=lambda i: (batch[i]["group"], i)):
        request = batch[index]
        grammar = None
        if request["schema"] is not None:
            text = json.dumps(request["schema"])
            if text not in grammars:
                grammars[text] = llama_cpp.LlamaGrammar.from_json_schema(text, verbose=False)
            grammar = grammars[text]
        ids: list[int] = []
        reason = "length"
        for token in model.generate(request["prompt_ids"], temp=0.0, grammar=grammar):
            if token in eos:
                reason = "stop"
                break
            ids.append(token)
            if len(ids) == request["max_tokens"]:
                break
        yield {
            "index": index,
            "text": model.detokenize(ids).decode("utf-8", errors="replace"),
            "num_tokens": len(ids),
            "finish_reason": reason,
            "latency_s": time.perf_counter() - started,
        }


def _decode_together(model: Any, batch: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Greedy, all sequences in one context; the prompts are computed one after another first."""
    import llama_cpp
    import numpy as np

    started = time.perf_counter()
    longest = max(len(request["prompt_ids"]) + request["max_tokens"] for request in batch)
    parameters = llama_cpp.llama_context_default_params()
    parameters.n_ctx = longest * len(batch) + 64
    parameters.n_batch = parameters.n_ubatch = 512
    parameters.n_seq_max = len(batch)
    parameters.n_threads = parameters.n_threads_batch = model.n_threads
    parameters.kv_unified = True
    context = llama_cpp.llama_init_from_model(model.model, parameters)
    if not context:
        raise RuntimeError("llama.cpp made no context")
    tokens = llama_cpp.llama_batch_init(512, 0, 1)
    vocab_size = model.n_vocab()
    try:

        def run(items: Sequence[tuple[int, int, int, bool]]) -> None:
            tokens.n_tokens = len(items)
            for place, (token, position, sequence, wants) in enumerate(items):
                tokens.token[place] = token
                tokens.pos[place] = position
                tokens.n_seq_id[place] = 1
                tokens.seq_id[place][0] = sequence
                tokens.logits[place] = wants
            if llama_cpp.llama_decode(context, tokens) != 0:
                raise RuntimeError("llama_decode failed")

        def best(place: int) -> int:
            row = llama_cpp.llama_get_logits_ith(context, place)
            return int(np.argmax(np.ctypeslib.as_array(row, shape=(vocab_size,))))

        last: list[int] = []
        for sequence, request in enumerate(batch):
            ids = request["prompt_ids"]
            for start in range(0, len(ids), 512):
                chunk = ids[start : start + 512]
                run(
                    [
                        (t, start + i, sequence, start + i == len(ids) - 1)
                        for i, t in enumerate(chunk)
                    ]
                )
            last.append(best(len(chunk) - 1))
        prefilled = time.perf_counter()
        answers = [[token] for token in last]
        while running := [i for i, r in enumerate(batch) if len(answers[i]) < r["max_tokens"]]:
            run(
                [
                    (answers[i][-1], len(batch[i]["prompt_ids"]) + len(answers[i]) - 1, i, True)
                    for i in running
                ]
            )
            for place, i in enumerate(running):
                answers[i].append(best(place))
    finally:
        llama_cpp.llama_batch_free(tokens)
        llama_cpp.llama_free(context)
    ended = time.perf_counter()
    for index, ids in enumerate(answers):
        yield {
            "index": index,
            "text": model.detokenize(ids).decode("utf-8", errors="replace"),
            "num_tokens": len(ids),
            "finish_reason": "length",
            "latency_s": ended - started,
            "prefill_s": prefilled - started,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gguf")
    parser.add_argument("--eos", type=int, nargs="+", required=True)
    parser.add_argument("--threads", type=int)
    options = parser.parse_args()
    serve(lambda: load(options))


if __name__ == "__main__":
    main()
