"""What an analysis gives back."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.backends.base import BackendInfo
from assay.documents import Document
from assay.routing import Route
from assay.types import ErrorInfo, UnitResult, Usage


@dataclass(frozen=True, slots=True)
class Progress:
    """A unit has finished: its result, and how many of all units are done."""

    unit: str
    result: UnitResult
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Analysis:
    """The results of one document, by unit name in the order asked. `warnings` are of what went
    wrong beside them, such as a record that could not be written; `routing` is what a request in
    words was taken to mean, if there was one."""

    document: Document
    results: Mapping[str, UnitResult]
    usage: Usage
    timing_ms: Mapping[str, float]
    backend: BackendInfo
    warnings: tuple[ErrorInfo, ...] = ()
    routing: Route | None = None

    def as_json(self) -> dict[str, Any]:
        """The object that `assay analyze --json` prints; `warnings` only where there are any."""
        content = {
            "document": {
                "name": self.document.name,
                "num_chars": self.document.num_chars,
                "num_pages": self.document.num_pages,
            },
            "results": {name: result.as_json() for name, result in self.results.items()},
            "usage": dataclasses.asdict(self.usage),
            "timing_ms": {name: round(value, 1) for name, value in self.timing_ms.items()},
            **({} if self.routing is None else {"routing": self.routing.as_json()}),
        }
        if self.warnings:
            content["warnings"] = [item.as_json() for item in self.warnings]
        return content
