"""The worker's side: one JSON message a line on the real standard output, all else on the error.

Runs in a peer's own virtual environment: the standard library only.

    {"prompt_ids": …, "max_tokens": …, …}   one line a request
    {"go": true}                            starts all of them
    {"index", "text", "num_tokens", …}      one line an answer, as each finishes
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

Answers = Iterable[Mapping[str, Any]]


def serve(
    load: Callable[[], tuple[Mapping[str, Any], Callable[[Sequence[dict[str, Any]]], Answers]]],
) -> None:
    """Loads an engine, says that it is ready with its settings, and answers until input ends.

    `load` returns the settings and a function from a batch of requests to its answers.
    """
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(message: Mapping[str, Any]) -> None:
        out.write(json.dumps(message) + "\n")
        out.flush()

    try:
        settings, generate = load()
    except Exception as error:  # noqa: BLE001  whatever it is, the benchmark is to hear of it
        say({"error": f"{type(error).__name__}: {error}"})
        return
    say({"ready": True, "settings": settings})
    for batch in _batches():
        try:
            for answer in generate(batch):
                say(answer)
        except Exception as error:  # noqa: BLE001  as above
            say({"error": f"{type(error).__name__}: {error}"})


def _batches() -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("go"):
            yield batch
            batch = []
        else:
            batch.append(message)
