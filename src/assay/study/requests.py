"""Requests with what they ask for, as lines of JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.errors import InputError

#: With fewer there is nothing to put into groups.
MIN_REQUESTS = 12


@dataclass(frozen=True, slots=True)
class LabelledRequest:
    """A request in words, the names of its descriptor's dimensions and of the units it means."""

    text: str
    descriptor: tuple[str, ...]
    units: tuple[str, ...]

    @property
    def language(self) -> str:
        """ "zh" where a Chinese character stands in it, else "en"."""
        return "zh" if any("\u4e00" <= char <= "\u9fff" for char in self.text) else "en"


def read_requests(path: Path) -> tuple[LabelledRequest, ...]:
    """The requests of a file: objects with `text`, `descriptor` (names, or numbers by name: above
    a half is yes) and `units` (names). Other keys are left alone.

    Raises:
        InputError: the file cannot be read, a line is no request, or they are too few.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    requests = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
            text, units = content["text"], tuple(map(str, content["units"]))
            if not isinstance(text, str) or not text.strip():
                raise ValueError("the text is empty")
            requests.append(LabelledRequest(text, _names(content["descriptor"]), units))
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{path}: line {number} is no request: {error}",
                remedy='{"text": "who signs?", "descriptor": ["entity"], "units": ["…"]}',
            ) from None
    if len(requests) < MIN_REQUESTS:
        raise InputError(f"{path} has {len(requests)} requests; it needs {MIN_REQUESTS}")
    return tuple(requests)


def _names(descriptor: Any) -> tuple[str, ...]:
    if isinstance(descriptor, Mapping):
        return tuple(sorted(name for name, value in descriptor.items() if float(value) > 0.5))
    if isinstance(descriptor, str):
        raise TypeError("the descriptor is a list of names")
    return tuple(sorted(map(str, descriptor)))
