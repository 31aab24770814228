"""The sentences of a part of a document, for rules that answer with whole sentences: which of them
set something, and which are headings.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from assay.documents.sentences import sentences
from assay.patterns import lazy_pattern
from assay.units.fallbacks.base import Region

#: A pattern (case ignored) for what a sentence has that grants, forbids or sets something, and a
#: heading has not: a verb, or in Chinese the punctuation of a sentence.
OPERATIVE_PATTERN = (
    r"\b(?:shall|will|may|must|can(?:not)?|is|are|be|agrees?|hereby|has|have|does|do|gives|waives?"
    r"|undertakes?|renews|continues|extends|expires|terminates|applies|governs?|excludes|keeps"
    r"|due\s+(?:on|within|upon|in|and)|binds|assumes|enters|remains|becomes|acknowledges?|warrants"
    r"|survives?|grants?|appoints?|accepts?|requires?|reserves?)\b"
    r"|[\u4e00-\u9fff][^\S\n]?[。；，,;.]|[应须]|有权|不得|可以"
)
_OPERATIVE = lazy_pattern(OPERATIVE_PATTERN, re.IGNORECASE)
_LONGEST_HEADING = 90


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


def is_operative(sentence: str) -> bool:
    """Whether a sentence can set something: it has a verb, so that it is no heading."""
    return _OPERATIVE.search(sentence) is not None


def is_heading(sentence: str) -> bool:
    """Whether a sentence is the heading of those that follow."""
    return len(sentence) <= _LONGEST_HEADING and not is_operative(sentence)
