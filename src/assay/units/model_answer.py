"""From a model's constrained JSON to a field's answer with places in the document."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from assay.types import Generation
from assay.units.excerpt import Passage
from assay.units.fallbacks.base import Standing
from assay.units.unit import UnitField


def parse_generation(
    unit_field: UnitField,
    generation: Generation,
    passages: Sequence[Passage],
    document_text: str,
) -> tuple[Any, tuple[Standing, ...]]:
    """The field's value, and where each copied leaf stands.

    A copied leaf becomes the document's own characters: white space that the excerpt folded is
    unfolded. The pointers of the result are relative to the field's value; those of
    `generation.spans` are relative to the object `{field: value}` that the model wrote. Repeated
    items of a list (the same text copied twice) are kept once.
    """
    value = json.loads(generation.text)[unit_field.name]
    prefix = f"/{unit_field.name}"
    standings = [
        Standing(
            span.pointer.removeprefix(prefix),
            *passages[span.source].span_in_document(span.start, span.end),
        )
        for span in generation.spans
    ]
    for standing in standings:
        value = _put(value, standing.pointer, document_text[standing.start : standing.end])
    if isinstance(value, list):
        value, standings = _without_repeats(value, standings)
    return value, tuple(standings)


def _put(value: Any, pointer: str, leaf: str) -> Any:
    """`value` with the leaf at `pointer` replaced, in place below the root."""
    if not pointer:
        return leaf
    *path, last = pointer.split("/")[1:]
    holder = value
    for key in path:
        holder = holder[int(key)] if isinstance(holder, list) else holder[key]
    holder[int(last) if isinstance(holder, list) else last] = leaf
    return value


def _without_repeats(
    items: list[Any], standings: list[Standing]
) -> tuple[list[Any], list[Standing]]:
    kept: list[Any] = []
    kept_standings: list[Standing] = []
    seen: set[str] = set()
    for index, item in enumerate(items):
        key = json.dumps(item, sort_keys=True)
        if key in seen:
            continue
        seen.add(key)
        prefix = f"/{index}"
        for standing in standings:
            if standing.pointer == prefix or standing.pointer.startswith(prefix + "/"):
                rest = standing.pointer[len(prefix) :]
                kept_standings.append(Standing(f"/{len(kept)}{rest}", standing.start, standing.end))
        kept.append(item)
    return kept, kept_standings
