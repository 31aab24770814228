"""OpenVINO GenAI's continuous batching; runs in its own virtual environment.

    python -m benchmarks.peers.openvino_worker GGUF --eos ID [--kv-gib N] [--leaders] [--evict]

Requests that start together do not share a prefix there. With `--leaders` the worker helps: of the
requests of one group the first runs alone, and the others start when it has finished, so that they
find its prefix cached. Latency counts from the moment when the whole batch was handed over.

With `--evict` a sequence keeps few of its prompt's keys and values while it is answered. Prefix
caching is off then: GenAI 2026.4 starts with both, but fails a check of its own ("blocks across
layers must be freed simultaneously") soon after.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.peers.worker import serve

#: Tokens of a sequence that stay: the first, the latest, and all together. GenAI's own defaults.
EVICTION = {"start_size": 32, "recent_size": 128, "max_cache_size": 672}


def load(options: argparse.Namespace) -> tuple[dict[str, Any], Any]:
    import openvino_genai as genai  # type: ignore[import-not-found,unused-ignore]

    scheduler = genai.SchedulerConfig()
    scheduler.cache_size = options.kv_gib
    scheduler.max_num_batched_tokens = options.max_num_batched_tokens
    scheduler.max_num_seqs = options.max_num_seqs
    scheduler.dynamic_split_fuse = True
    scheduler.enable_prefix_caching = not options.evict
    scheduler.use_cache_eviction = options.evict
    if options.evict:
        mode = genai.AggregationMode.NORM_SUM
        scheduler.cache_eviction_config = genai.CacheEvictionConfig(
            **EVICTION, aggregation_mode=mode
        )
    pipeline = genai.ContinuousBatchingPipeline(options.gguf, scheduler, "CPU", {})
    settings = {
        "engine": f"openvino-genai {genai.__version__}",
        "api": "ContinuousBatchingPipeline, add_request and step",
        "model": "the GGUF file, read by OpenVINO itself",
        "prefix_caching": "off: fails together with eviction" if options.evict else True,
        "cache_eviction": {**EVICTION, "aggregation_mode": "NORM_SUM"} if options.evict else None,
        "cache_size_gib": scheduler.cache_size,
        "max_num_batched_tokens": scheduler.max_num_batched_tokens,
        "max_num_seqs": scheduler.max_num_seqs,
        "structured_output": "StructuredOutputConfig(json_schema)",
        "leaders_first": options.leaders,
    }

    def generate(batch: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        yield from _generate(pipeline, batch, options)

    return settings, generate


def _generate(
    pipeline: Any, batch: Sequence[dict[str, Any]], options: argparse.Namespace
) -> Iterator[dict[str, Any]]:
    started = time.perf_counter()
    waiting: dict[str, list[int]] = {}
    running: dict[int, tuple[Any, list[int]]] = {}
    tokenizer = pipeline.get_tokenizer()
    for index, request in enumerate(batch):
        group = request["group"] if options.leaders else ""
        if group and group in waiting:
            waiting[group].append(index)
        else:
            waiting.setdefault(group, [])
            running[index] = (_add(pipeline, index, request, options.eos), [])
    while running:
        pipeline.step()
        for index, (handle, ids) in list(running.items()):
            reason = ""
            while handle.can_read():
                for output in handle.read().values():
                    ids.extend(output.generated_ids)
                    reason = str(output.finish_reason).rsplit(".", 1)[-1].lower()
            if not str(handle.get_status()).endswith("FINISHED"):
                continue
            del running[index]
            yield {
                "index": index,
                "text": tokenizer.decode([item for item in ids if item not in options.eos]),
                "num_tokens": len(ids),
                "finish_reason": reason,
                "latency_s": time.perf_counter() - started,
            }
            if options.leaders:
                for follower in waiting.pop(batch[index]["group"], []):
                    handle = _add(pipeline, follower, batch[follower], options.eos)
                    running[follower] = (handle, [])


def _add(pipeline: Any, index: int, request: dict[str, Any], eos: Sequence[int]) -> Any:
    import numpy as np
    import openvino as ov  # type: ignore[import-not-found,unused-ignore]
    import openvino_genai as genai

    config = genai.GenerationConfig()
    config.max_new_tokens = request["max_tokens"]
    config.do_sample = False
    config.apply_chat_template = False
    config.ignore_eos = request["ignore_eos"]
    config.set_eos_token_id(eos[0])
    if request["ignore_eos"]:
        config.min_new_tokens = request["max_tokens"]
    else:
        config.stop_token_ids = set(eos)
    if request["schema"] is not None:
        structure = genai.StructuredOutputConfig()
        structure.json_schema = json.dumps(request["schema"])
        config.structured_output_config = structure
    tensor = ov.Tensor(np.array([request["prompt_ids"]], dtype=np.int64))
    return pipeline.add_request(index, tensor, config)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gguf")
    parser.add_argument("--eos", type=int, nargs="+", required=True)
    parser.add_argument("--kv-gib", type=int, default=3)
    parser.add_argument("--max-num-batched-tokens", type=int, default=2048)
    parser.add_argument("--max-num-seqs", type=int, default=256)
    parser.add_argument("--leaders", action="store_true")
    parser.add_argument("--evict", action="store_true")
    options = parser.parse_args()
    serve(lambda: load(options))


if __name__ == "__main__":
    main()
