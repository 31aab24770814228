"""One cold start, in this process: imports, weights, tokenizer, first answers.

    python -m benchmarks.cold_start MODEL_PATH PRECISION STARTED [--no-warm-up] [--pause SECONDS]

`STARTED` is `time.monotonic()` just before the process was made. Nothing but the standard library
is imported before the clock of the first step runs. The first request comes at once, or after a
pause, in which the engine may warm up. After its answer come requests of other kinds, each twice.
Prints one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.types import GenerationRequest

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
CLAUSE_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "clause": {"anyOf": [{"type": "string", "x-verbatim": "sentence"}, {"type": "null"}]}
    },
    "required": ["clause"],
    "additionalProperties": False,
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("path")
    parser.add_argument("precision")
    parser.add_argument("started", type=float)
    parser.add_argument("--no-warm-up", action="store_true")
    parser.add_argument("--pause", type=float, default=0.0)
    options = parser.parse_args()
    clock = {"python": time.monotonic()}
    from assay.backends.local import LocalBackend
    from assay.engine.config import EngineConfig

    config = EngineConfig(precision=options.precision, warm_up=not options.no_warm_up)
    backend = LocalBackend(options.path, config=config)
    import assay.decoding.matcher
    import assay.engine.load  # noqa: F401 - what `start` would import

    clock["import"] = time.monotonic()
    backend.start()
    clock["load"] = time.monotonic()
    time.sleep(options.pause)
    asked = time.monotonic()
    kinds = _kinds()
    generation = asyncio.run(backend.generate(kinds["value"]("first")))
    clock["answer"] = time.monotonic()
    peak_rss_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    of_a_kind = {"value": [(clock["answer"] - asked) * 1000]}
    for kind, make in kinds.items():
        times = of_a_kind.setdefault(kind, [])
        for salt in ("second", "third")[len(times) :]:
            began = time.monotonic()
            asyncio.run(backend.generate(make(salt)))
            times.append((time.monotonic() - began) * 1000)
    backend.close()

    steps, before = {}, options.started
    for name, at in clock.items():
        steps[name] = round(at - before, 3)
        before = at
    steps["answer"] = round(steps["answer"] - options.pause, 3)
    report = {
        "cold_start_s": round(clock["answer"] - options.started - options.pause, 3),
        "steps_s": {**steps, **_load_steps(options.path)},
        "peak_rss_mb": peak_rss_mb,
        "of_a_kind_ms": {kind: [round(t, 1) for t in times] for kind, times in of_a_kind.items()},
        "answer": generation.text,
    }
    print(json.dumps(report))


def _kinds() -> dict[str, Callable[[str], GenerationRequest]]:
    """For each kind of request a function from a cache salt to such a request."""
    from assay.types import (
        Constraint,
        GenerationRequest,
        JsonConstraint,
        Message,
        RegexConstraint,
        SamplingParams,
        Source,
    )

    def kind(
        question: str, constraint: Constraint | None, text: str = TEXT, max_tokens: int = 32
    ) -> Callable[[str], GenerationRequest]:
        def make(salt: str) -> GenerationRequest:
            message = Message("user", f"{text}\n\n{question}")
            sampling = SamplingParams(max_tokens=max_tokens)
            return GenerationRequest((message,), constraint, sampling, cache_salt=salt)

        return make

    whole = Source(TEXT, (TEXT.index("The buyer"),))
    return {
        "value": kind("Who is the buyer?", JsonConstraint(SCHEMA, (Source(TEXT),))),
        "clause": kind("When is it paid?", JsonConstraint(CLAUSE_SCHEMA, (whole,))),
        "pattern": kind("In which year?", RegexConstraint("(19|20)[0-9]{2}")),
        "long": kind("Who is the buyer?", None, TEXT * 12, 1),
    }


def _load_steps(path: str) -> dict[str, float]:
    """What of "load" goes to the tokenizer and what to the weights, each done once more."""
    from pathlib import Path

    from assay.engine.config import EngineConfig
    from assay.engine.load import build_engine
    from assay.models.packed import load_packed

    packed = load_packed(Path(path))
    start = time.monotonic()
    tokenizer = packed.tokenizer()
    middle = time.monotonic()
    build_engine(packed, EngineConfig(), tokenizer)
    return {
        "(tokenizer)": round(middle - start, 3),
        "(weights)": round(time.monotonic() - middle, 3),
    }


if __name__ == "__main__":
    main()
