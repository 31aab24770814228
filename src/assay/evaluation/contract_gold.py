"""What lawyers wrote beside a contract: the answer to a label, and where it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.evaluation.base import Finding
from assay.evaluation.matching import Span, is_placed, occurrences


@dataclass(frozen=True, slots=True)
class Label:
    """The gold of one label. `passages` are the marked texts, each with every span at which the
    same words stand; `marked` are their words. `answer` is empty where lawyers gave no value."""

    answer: str
    marked: tuple[str, ...]
    passages: tuple[tuple[Span, ...], ...]

    @property
    def spans(self) -> Iterator[Span]:
        for passage in self.passages:
            yield from passage

    def holds(self, finding: Finding) -> bool:
        """Whether all that is quoted stands where something is marked."""
        return bool(finding.places) and all(
            is_placed(place, self.spans) for place in finding.places
        )


def read_label(text: str, entry: Mapping[str, Any]) -> Label:
    """A label from a row: `answer`, and `spans` of which only the first places are given."""
    spans = entry["spans"]
    passages = tuple(
        tuple({(span["start"], span["end"]), *occurrences(text, span["text"])}) for span in spans
    )
    return Label(entry["answer"].strip(), tuple(span["text"] for span in spans), passages)
