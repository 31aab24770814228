"""Sentences weighed by cues: what a sentence says for being of some kind, and what against it.

Lines of a table of contents and headings are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.patterns import lazy_pattern
from assay.units.fallbacks.base import Region, scan_spans
from assay.units.fallbacks.sentences import is_heading, sentence_spans

_CONTENTS = lazy_pattern(
    r"\.{4,}|(?:\.\s){4,}|\bTABLE\s+OF\s+CONTENTS\b|\s\d{1,3}\s+\d{1,2}\.\d"
    r"|\s\d{1,3}\s*\n\s*\d{1,2}\."
)
_MIN_LENGTH, _MIN_LENGTH_HAN, _MAX_LENGTH = 28, 8, 4_000
_HEADING_REACH, _HEADING_WEIGHT = 90, 1.0
# How many sentences up a heading may stand.
_HEADING_SENTENCES = 8


@dataclass(frozen=True, slots=True)
class Cues:
    """How sentences of one kind are known.

    `trigger` is the cheap pattern that every sentence worth weighing holds; `heading` is what such
    sentences stand under; `cues` are patterns with what each counts, less than 0 if against.
    """

    trigger: re.Pattern[str]
    heading: re.Pattern[str]
    cues: tuple[tuple[float, re.Pattern[str]], ...]


@dataclass(frozen=True, slots=True)
class Weighed:
    """A sentence that holds a trigger: which cues it has, whether it stands under a heading of its
    kind, the nearest heading's text, and what all that weighs."""

    span: Region
    hits: tuple[bool, ...]
    headed: bool
    heading: str
    weight: float


def make_cues(trigger: str, heading: str, *cues: tuple[float, str]) -> Cues:
    """Compiles cues; case does not count, and a dot matches a line break."""
    flags = re.IGNORECASE | re.DOTALL
    return Cues(
        lazy_pattern(trigger, flags),
        lazy_pattern(heading, flags),
        tuple((weight, lazy_pattern(pattern, flags)) for weight, pattern in cues),
    )


def examine_sentences(text: str, cues: Cues, regions: Sequence[Region] | None) -> Iterator[Weighed]:
    """The sentences that hold the trigger, whatever their weight, in order."""
    for spans, index in _placed(text, cues.trigger, regions):
        start, end = spans[index]
        sentence = text[start:end]
        hits = tuple(cue.search(sentence) is not None for _, cue in cues.cues)
        heading = _heading_over(text, spans, index)
        near = text[max(0, start - _HEADING_REACH) : start + 40]
        headed = bool(cues.heading.search(near) or cues.heading.search(heading))
        weight = sum(value for (value, _), hit in zip(cues.cues, hits, strict=True) if hit)
        yield Weighed((start, end), hits, headed, heading, weight + headed * _HEADING_WEIGHT)


def weigh_sentences(
    text: str, cues: Cues, regions: Sequence[Region] | None
) -> Iterator[tuple[float, Region]]:
    """The sentences for which the cues speak, not only their heading, with their weights."""
    for item in examine_sentences(text, cues, regions):
        if item.weight > item.headed * _HEADING_WEIGHT:
            yield item.weight, item.span


def sentences_with(
    text: str, trigger: re.Pattern[str], regions: Sequence[Region] | None
) -> Iterator[Region]:
    """The sentences that hold the trigger and are no headings, each once, in order."""
    for spans, index in _placed(text, trigger, regions):
        yield spans[index]


def _heading_over(text: str, spans: Sequence[Region], index: int) -> str:
    """The nearest heading above a sentence; empty if none is near."""
    for start, end in reversed(spans[max(0, index - _HEADING_SENTENCES) : index]):
        if is_heading(text[start : min(end, start + 200)]):
            return text[start:end]
    return ""


def _placed(
    text: str, trigger: re.Pattern[str], regions: Sequence[Region] | None
) -> Iterator[tuple[Sequence[Region], int]]:
    """The same sentences, each as an index into the sentences of its region."""
    for region in scan_spans(text, regions):
        spans = sentence_spans(text, *region)
        last = -1
        for match in trigger.finditer(text, *region):
            index = bisect_right(spans, match.start(), key=lambda span: span[0]) - 1
            if index <= last:
                continue
            last = index
            start, end = spans[index]
            sentence = text[start:end]
            shortest = (
                _MIN_LENGTH if sentence.isascii() or max(sentence) < "\u4e00" else _MIN_LENGTH_HAN
            )
            if not shortest <= len(sentence) <= _MAX_LENGTH:
                continue
            if not is_heading(sentence) and not _CONTENTS.search(sentence):
                yield spans, index
