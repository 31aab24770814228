"""The sentences of a part of a document, for rules that answer with whole sentences."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from assay.documents.sentences import sentences
from assay.units.fallbacks.base import Region


def sentence_spans(text: str, start: int, end: int) -> list[Region]:
    """The sentences of `text[start:end]`, in order, without the white space around them."""
    if start == 0 and end == len(text):
        return sentences(text)
    return [(start + first, start + last) for first, last in sentences(text[start:end])]


def sentence_at(spans: Sequence[Region], offset: int) -> Region | None:
    """The sentence that holds the character at `offset`."""
    index = bisect_right(spans, offset, key=lambda span: span[0]) - 1
    if index >= 0 and offset < spans[index][1]:
        return spans[index]
    return None
