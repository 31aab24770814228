"""The labelled requests that the router was trained on, which are also what it shows as like a
request: at most 200 of them, written for it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from assay.errors import RecordError
from assay.routing.descriptor import DIMENSIONS


@dataclass(frozen=True, slots=True)
class LabelledRequest:
    """A request in words, its language ("en", "zh"), the dimensions it is about and its units; no
    units if it fits none. `tenant` says whose it is."""

    text: str
    language: str
    descriptor: tuple[str, ...]
    units: tuple[str, ...]
    tenant: str = ""


@cache
def labelled_requests() -> tuple[LabelledRequest, ...]:
    """Those that come with the package."""
    source = files("assay.routing").joinpath("data/requests.jsonl")
    return parse_requests(source.read_text(encoding="utf-8"), "data/requests.jsonl")


def read_requests(path: Path) -> tuple[LabelledRequest, ...]:
    """Reads a file of requests, one JSON object a line: `text`, and as far as known `lang`,
    `descriptor` (names, or name to number, where half is yes), `units` and `tenant`.

    Raises:
        RecordError: a line is something else, or the file cannot be read.
    """
    try:
        return parse_requests(path.read_text(encoding="utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path} cannot be read: {error}") from None


def parse_requests(content: str, name: str) -> tuple[LabelledRequest, ...]:
    """As `read_requests`; `name` is what errors call it."""
    found = []
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            request = LabelledRequest(
                row["text"],
                str(row.get("lang", "")),
                _names_of(row.get("descriptor", ())),
                tuple(row.get("units", ())),
                str(row.get("tenant", "")),
            )
        except (ValueError, TypeError, KeyError, AttributeError):
            raise RecordError(
                f"line {number} of {name} is no request",
                remedy='write {"text": "…", "units": [], "descriptor": []}, one a line',
            ) from None
        if not isinstance(request.text, str):
            raise RecordError(f"line {number} of {name} has no text")
        if unknown := set(request.descriptor) - set(DIMENSIONS):
            raise RecordError(
                f"line {number} of {name} names {', '.join(sorted(unknown))}",
                remedy=f"a descriptor's names are {', '.join(DIMENSIONS)}",
            )
        found.append(request)
    return tuple(found)


def _names_of(descriptor: Any) -> tuple[str, ...]:
    if isinstance(descriptor, Mapping):
        return tuple(str(name) for name, value in descriptor.items() if float(value) >= 0.5)
    return tuple(map(str, descriptor))
