"""Who stole what, where and when, in Chinese judgments: a CRF over characters.

Conditional random fields: https://dl.acm.org/doi/10.5555/645530.655813. The weights
(`weights/theft.crf`) come from `assay train theft`; docs/training says from what, and how often a
span was right.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans
from assay.units.fallbacks.sentences import sentence_spans
from assay.units.fallbacks.stored import weights_path
from assay.units.fallbacks.theft_features import theft_features

if TYPE_CHECKING:
    import pycrfsuite

EntityKind = Literal[
    "suspects",
    "victims",
    "stolen_money",
    "item_values",
    "proceeds",
    "stolen_items",
    "tools",
    "times",
    "places",
    "organisations",
]
WEIGHTS = "theft.crf"

#: How often a span of the kind was right, out of fold (docs/training/theft.json).
_PRECISION: Mapping[EntityKind, float] = MappingProxyType(
    {
        "suspects": 0.87,
        "victims": 0.85,
        "stolen_money": 0.59,
        "item_values": 0.96,
        "proceeds": 0.61,
        "stolen_items": 0.74,
        "tools": 0.87,
        "times": 0.9,
        "places": 0.66,
        "organisations": 0.68,
    }
)


@dataclass(frozen=True, slots=True)
class TheftFallback:
    """Finds the entities of one kind, each text once, where it stands first."""

    kind: EntityKind
    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        score = _PRECISION[self.kind]
        first: dict[str, Candidate] = {}
        for start, end in scan_spans(document_text, regions):
            for kind, left, right in _entities(document_text, start, end):
                if kind == self.kind:
                    first.setdefault(document_text[left:right], Candidate(left, right, score))
        return rank(first.values())


def spans_of_tags(tags: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    """The kind and span of each run of tags `B-kind I-kind …`; an `I` with nothing before it to go
    on from begins a run too."""
    at = 0
    while at < len(tags):
        start, kind = at, tags[at][2:]
        at += 1
        if not kind:
            continue
        while at < len(tags) and tags[at] == f"I-{kind}":
            at += 1
        yield kind, start, at


def _entities(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    for first, last in sentence_spans(text, start, end):
        for kind, left, right in spans_of_tags(_tag(text[first:last])):
            yield kind, first + left, first + right


def _tag(sentence: str) -> list[str]:
    tagger = _tagger(weights_path(WEIGHTS))
    features = theft_features(sentence)
    # A tagger holds the sentence it is at.
    with _turn:
        tags: list[str] = tagger.tag(features)
    return tags


_turn = threading.Lock()


@cache
def _tagger(path: Path) -> pycrfsuite.Tagger:
    import pycrfsuite

    tagger = pycrfsuite.Tagger()
    tagger.open(str(path))
    return tagger
