"""Excerpts of a text by offsets alone, without a plan."""

from __future__ import annotations

from collections.abc import Sequence

from assay.units.excerpt import Excerpt, Passage, make_passage


def make_excerpt(document_text: str, regions: Sequence[tuple[int, int, Sequence[int]]]) -> Excerpt:
    """The excerpt of `regions` (start, end, boundaries), which must ascend and not overlap."""
    passages: list[Passage] = []
    gaps: list[bool] = []
    previous_end = 0
    for start, end, boundaries in regions:
        passage = make_passage(document_text, start, end, boundaries)
        if passage.text:
            passages.append(passage)
            gaps.append(bool(document_text[previous_end:start].strip()))
            previous_end = end
    return Excerpt(tuple(passages), tuple(gaps))
