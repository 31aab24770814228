"""Rows of a trace: when a request came, how long it was, which blocks of its prompt it shared."""

from __future__ import annotations

import csv
import gzip
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from assay.backends.base import Backend
from assay.types import GenerationRequest, Message, RegexConstraint, SamplingParams

_TEXT = (
    "the supplier shall deliver goods to buyer under this agreement within days of notice and "
    "pay each invoice by law of contract where party may terminate for cause or assign a claim"
)
#: Room that the chat template takes of a prompt.
_TEMPLATE_TOKENS = 48
#: Tokens that a hash of a trace stands for.
_BLOCK_TOKENS = 512


@dataclass(frozen=True)
class Row:
    """One request: seconds after the first, tokens in and out. Rows that share the first `blocks`
    share the text of them, `block_tokens` each; the last block takes what is left of the input."""

    time_s: float
    num_input: int
    num_output: int
    blocks: tuple[int, ...]
    block_tokens: int = _BLOCK_TOKENS


def read_rows(path: Path) -> list[Row]:
    """All rows, by time, the first at 0. Rows of a CSV share nothing."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        if path.name.endswith(".csv"):
            rows = [
                Row(
                    float(row["t_seconds"]),
                    int(row["input_tokens"]),
                    int(row["output_tokens"]),
                    (index,),
                )
                for index, row in enumerate(csv.DictReader(lines))
            ]
        else:
            rows = [
                Row(time_ms / 1000, num_input, num_output, tuple(hashes))
                for time_ms, num_input, num_output, hashes in map(json.loads, lines)
            ]
    rows.sort(key=lambda row: row.time_s)
    return [replace(row, time_s=row.time_s - rows[0].time_s) for row in rows]


def fit_rows(rows: Sequence[Row], factor: float, max_model_len: int) -> list[Row]:
    """Token counts times `factor`, cut to what the model takes."""
    block_tokens = max(1, round(_BLOCK_TOKENS * factor))
    fitted = []
    for row in rows:
        num_output = min(max(1, round(row.num_output * factor)), max_model_len // 4)
        room = max_model_len - num_output - 2 * _TEMPLATE_TOKENS
        num_input = min(max(_TEMPLATE_TOKENS, round(row.num_input * factor)), room)
        counts = {"num_input": num_input, "num_output": num_output, "block_tokens": block_tokens}
        fitted.append(replace(row, **counts))
    return fitted


def offered_load(rows: Sequence[Row], alone_s: Callable[[Row], float]) -> float:
    """Seconds of work that arrive in a second, each request at the cost of running alone."""
    span = rows[-1].time_s - rows[0].time_s
    return sum(map(alone_s, rows)) / max(span, 1e-6)


def request_for(row: Row, backend: Backend) -> GenerationRequest:
    """A prompt of about `num_input` tokens made of the row's blocks, and exactly `num_output` of
    answer: a pattern keeps the model from ending it."""
    left = max(1, row.num_input - _TEMPLATE_TOKENS)
    pieces = []
    for block in row.blocks[:-1]:
        num_tokens = min(row.block_tokens, left)
        left -= num_tokens
        if num_tokens:
            pieces.append(_text(block, num_tokens, backend))
    if left:
        pieces.append(_text(row.blocks[-1], left, backend))
    # No token of this many characters: the limit on tokens is reached first.
    pattern = f"[a-z ]{{{32 * row.num_output},}}"
    return GenerationRequest(
        (Message("user", "".join(pieces)),),
        RegexConstraint(pattern),
        SamplingParams(max_tokens=row.num_output),
    )


def _text(block: int, num_tokens: int, backend: Backend) -> str:
    """Words drawn for a block, as many as make about `num_tokens` tokens."""
    source = random.Random(f"block {block}")
    vocabulary = _TEXT.split()
    words = [source.choice(vocabulary) for _ in range(num_tokens)]
    text = " ".join(words) + " "
    num_counted = backend.count_tokens(text)
    return " ".join(words[: max(1, round(num_tokens * num_tokens / num_counted))]) + " "
