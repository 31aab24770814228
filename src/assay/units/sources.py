"""Which stretches of an excerpt a field's leaves may be copied from.

Where every leaf of a field is of one kind (dates, amounts of money …), only spans that read as
that kind are offered: the model chooses between values, and cannot copy anything else.
"""

from __future__ import annotations

from assay.units.excerpt import Excerpt, Passage
from assay.units.fields import sole_kind
from assay.units.unit import UnitField


def passages_to_copy_from(unit_field: UnitField, excerpt: Excerpt) -> tuple[Passage, ...]:
    """The passages that the model may copy from, in document order; empty if there is nothing."""
    kind = sole_kind(unit_field.annotation)
    if kind is None:
        return excerpt.passages
    return tuple(
        passage.cut(start, end)
        for passage in excerpt.passages
        for start, end in kind.find(passage.text)
    )
