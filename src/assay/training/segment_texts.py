"""Segments of documents with what they hold, as the rules of units tell: nobody labelled them.

A segment has a dimension if the rules of a unit of that dimension find something in it. The head
learns them beside requests, so that both meet in the same five numbers; as requests they fit
nothing.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from assay.documents import segment_document
from assay.documents.document import Document
from assay.units import get_unit
from assay.units.fallbacks.base import DraftFallback

#: The units and fields whose rules tell a dimension, and the least that a find must score.
_TELLING: Mapping[str, tuple[tuple[str, str, float], ...]] = {
    "numeric": (
        ("extract_currency", "amounts", 0.5),
        ("extract_percentage", "percentages", 0.5),
        ("extract_number", "numbers", 0.3),
    ),
    "clause": (
        ("extract_obligation", "obligations", 0.5),
        ("extract_clause", "governing_law", 0.5),
        ("extract_clause", "termination", 0.5),
        ("extract_clause", "assignment", 0.5),
        ("extract_clause", "confidentiality", 0.5),
        ("extract_clause", "liability_cap", 0.5),
    ),
    "sentiment": (("detect_complaint", "is_complaint", 0.45),),
    "temporal": (
        ("validate_date_format", "dates", 0.5),
        ("extract_payment_terms", "due_within", 0.5),
    ),
    "entity": (
        ("extract_party", "parties", 0.5),
        ("extract_identifier", "identifiers", 0.5),
        ("extract_address", "address", 0.5),
    ),
}
Item = TypeVar("Item")
#: Segments taken of one document at most, and characters of a letter.
_PER_DOCUMENT, _LETTER = 12, 500
_CONTRACTS = ("cuad", "contractnli", "lawbench_zh")


@dataclass(frozen=True, slots=True)
class DescribedText:
    """A segment and its dimensions; `document` is its document's id."""

    text: str
    descriptor: tuple[str, ...]
    document: str


def described_segments(folder: Path, num: int, chance: random.Random) -> Iterator[DescribedText]:
    """`num` segments of the documents in a folder, by chance, a third of them from letters. What
    the folder holds as complaints has feeling, whatever the rules say."""
    documents = _sampled(list(_segments(folder, chance)), num * 2 // 3, chance)
    letters = [(row, name) for name in ("cfpb", "email_intent") for row in _rows(folder, name)]
    for document, text in documents:
        yield DescribedText(text, tuple(_dimensions(text)), document)
    for row, name in _sampled(letters, num - len(documents), chance):
        text = row["text"][:_LETTER]
        found = set(_dimensions(text)) | ({"sentiment"} if name == "cfpb" else set())
        yield DescribedText(text, tuple(sorted(found)), str(row["id"]))


def _segments(folder: Path, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Document and text of a few segments of each document."""
    for name in _CONTRACTS:
        for row in _rows(folder, name):
            document = Document(str(row["id"]), row["text"], "text/plain")
            for item in _sampled(list(segment_document(document)), _PER_DOCUMENT, chance):
                yield document.name, document.text[item.start : item.end]


def _sampled(items: list[Item], num: int, chance: random.Random) -> list[Item]:
    return chance.sample(items, min(num, len(items)))


def _rows(folder: Path, name: str) -> list[dict[str, Any]]:
    path = folder / f"{name}_dev.jsonl"
    if not path.is_file():
        return []
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _dimensions(text: str) -> Iterator[str]:
    for name, telling in _TELLING.items():
        if any(_finds(text, *item) for item in telling):
            yield name


def _finds(text: str, unit: str, field: str, least: float) -> bool:
    fallbacks = get_unit(unit).fields[field].question.fallbacks
    for fallback in fallbacks:
        if isinstance(fallback, DraftFallback):
            continue
        for candidate in fallback.find(text):
            # A label that says no ("this is no complaint") is nothing found.
            if candidate.score >= least and False not in candidate.labels.values():
                return True
    return False
