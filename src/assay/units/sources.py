"""Which stretches of an excerpt a field's leaves may be copied from, and what is worth reading.

Where every leaf of a field is of one kind (dates, amounts of money …), only spans that read as
that kind are offered: the model chooses between values, and cannot copy anything else. Where a
question has cues, only the sentences in which one stands are. A passage that offers nothing holds
no answer, so the model does not read it either.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.units.excerpt import Excerpt, Passage
from assay.units.schemas import sole_kind
from assay.units.unit import UnitField


@dataclass(frozen=True, slots=True)
class Offer:
    """What the model reads (`excerpt`) and what of it it may copy from (`sources`), both in
    document order; both empty if there is nothing to copy."""

    excerpt: Excerpt
    sources: tuple[Passage, ...]


def make_offer(unit_field: UnitField, excerpt: Excerpt) -> Offer:
    """The offer that a field's question makes of an excerpt."""
    kind = sole_kind(unit_field.annotation)
    cues = unit_field.question.cues
    if kind is not None:
        offered = [
            [passage.cut(start, end) for start, end in kind.find(passage.text)]
            for passage in excerpt.passages
        ]
    elif cues:
        cue = re.compile("|".join(f"(?:{item})" for item in cues), re.IGNORECASE)
        offered = [list(_runs_with(cue, passage)) for passage in excerpt.passages]
    else:
        return Offer(excerpt, excerpt.passages)
    return Offer(excerpt.only([bool(item) for item in offered]), tuple(itertools.chain(*offered)))


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
