"""One cold start, in this process: imports, weights, tokenizer, first answer.

    python -m benchmarks.cold_start MODEL_PATH PRECISION STARTED

`STARTED` is `time.monotonic()` just before the process was made. Nothing but the standard library
is imported before the clock of the first step runs. Prints one JSON object.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import time

TEXT = (
    "This supply agreement is made on 3 March 2024 between Alder Mills Ltd (the buyer) and Birch "
    "Works GmbH (the seller). The buyer pays 40,000 euros within thirty days of each invoice."
)
SCHEMA = {
    "type": "object",
    "properties": {"buyer": {"type": "string", "x-verbatim": "word"}},
    "required": ["buyer"],
    "additionalProperties": False,
}


def main() -> None:
    path, precision, started = sys.argv[1], sys.argv[2], float(sys.argv[3])
    clock = {"python": time.monotonic()}
    from assay.backends.local import LocalBackend
    from assay.engine.config import EngineConfig
    from assay.types import GenerationRequest, JsonConstraint, Message, SamplingParams, Source

    backend = LocalBackend(path, config=EngineConfig(precision=precision))
    import assay.decoding.matcher
    import assay.engine.load  # noqa: F401 - what `start` would import

    clock["import"] = time.monotonic()
    backend.start()
    clock["load"] = time.monotonic()
    request = GenerationRequest(
        (Message("user", f"{TEXT}\n\nWho is the buyer?"),),
        constraint=JsonConstraint(SCHEMA, (Source(TEXT),)),
        sampling=SamplingParams(max_tokens=32),
    )
    generation = asyncio.run(backend.generate(request))
    clock["answer"] = time.monotonic()
    backend.close()

    steps, before = {}, started
    for name, at in clock.items():
        steps[name] = round(at - before, 3)
        before = at
    report = {
        "cold_start_s": round(clock["answer"] - started, 3),
        "steps_s": {**steps, **_load_steps(path, precision)},
        "peak_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "answer": generation.text,
    }
    print(json.dumps(report))


def _load_steps(path: str, precision: str) -> dict[str, float]:
    """What of "load" goes to the tokenizer and what to the weights, each done once more."""
    from pathlib import Path

    from assay.models.llama import LlamaModel
    from assay.models.packed import load_packed

    packed = load_packed(Path(path))
    start = time.monotonic()
    packed.tokenizer()
    middle = time.monotonic()
    LlamaModel(packed.config, packed.weights, precision=precision)  # type: ignore[arg-type]
    return {
        "(tokenizer)": round(middle - start, 3),
        "(weights)": round(time.monotonic() - middle, 3),
    }


if __name__ == "__main__":
    main()
