"""Which stretches of an excerpt a field's leaves may be copied from.

Where every leaf of a field is of one kind (dates, amounts of money …), only spans that read as
that kind are offered: the model chooses between values, and cannot copy anything else. Where a
question has cues, only the sentences in which one stands are.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from assay.units.excerpt import Excerpt, Passage
from assay.units.schemas import sole_kind
from assay.units.unit import UnitField


def passages_to_copy_from(unit_field: UnitField, excerpt: Excerpt) -> tuple[Passage, ...]:
    """The passages that the model may copy from, in document order; empty if there is nothing."""
    kind = sole_kind(unit_field.annotation)
    if kind is not None:
        return tuple(
            passage.cut(start, end)
            for passage in excerpt.passages
            for start, end in kind.find(passage.text)
        )
    if not unit_field.question.cues:
        return excerpt.passages
    cue = re.compile("|".join(f"(?:{item})" for item in unit_field.question.cues), re.IGNORECASE)
    return tuple(run for passage in excerpt.passages for run in _runs_with(cue, passage))


def _runs_with(cue: re.Pattern[str], passage: Passage) -> Iterator[Passage]:
    """The longest runs of adjoining sentences in each of which the cue stands."""
    edges = (0, *passage.boundaries, len(passage.text))
    start: int | None = None
    inner: list[int] = []
    for begin, end in itertools.pairwise(edges):
        if cue.search(passage.text, begin, end):
            if start is None:
                start, inner = begin, []
            else:
                inner.append(begin)
        elif start is not None:
            yield passage.cut(start, begin, inner)
            start = None
    if start is not None:
        yield passage.cut(start, len(passage.text), inner)
