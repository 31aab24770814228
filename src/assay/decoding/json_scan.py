"""Where the strings of a JSON text stand: what `json.loads` does not tell.

Iterative, so that depth cannot exhaust the stack.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.decoding.subschemas import escape_pointer

_TOKEN = re.compile(r'[ \t\n\r]*([{}\[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}\[\],:"]+)', re.DOTALL)


@dataclass(frozen=True, slots=True)
class StringLeaf:
    """A string value (not a property name): `text[start:end]` spells it, quotes included."""

    pointer: str
    value: str
    start: int
    end: int


def string_leaves(text: str) -> Iterator[StringLeaf]:
    """The string values of a JSON text, in order. `text` must be valid JSON."""
    path: list[str | int | None] = []  # per open container: index, or name (None: name awaited)
    for match in _TOKEN.finditer(text):
        token = match[1]
        if token == "{":
            path.append(None)
        elif token == "[":
            path.append(0)
        elif token in "}]":
            path.pop()
        elif token == ",":
            last = path[-1]
            path[-1] = last + 1 if isinstance(last, int) else None
        elif token[0] == '"':
            value = json.loads(token)
            if path and path[-1] is None:
                path[-1] = value
            else:
                yield StringLeaf(_pointer(path), value, match.start(1), match.end(1))


def _pointer(path: list[str | int | None]) -> str:
    return "".join(f"/{escape_pointer(str(step))}" for step in path)
