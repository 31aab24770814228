"""Sentences weighed by cues: what a sentence says for being of some kind, and what against it.

Lines of a table of contents, headings and sentences that grant, forbid or set nothing are left
out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.units.fallbacks.base import Region, scan_spans
from assay.units.fallbacks.sentences import is_heading, is_operative, sentence_spans

_CONTENTS = re.compile(
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


def make_cues(trigger: str, heading: str, *cues: tuple[float, str]) -> Cues:
    """Compiles cues; case does not count, and a dot matches a line break."""
    flags = re.IGNORECASE | re.DOTALL
    return Cues(
        re.compile(trigger, flags),
        re.compile(heading, flags),
        tuple((weight, re.compile(pattern, flags)) for weight, pattern in cues),
    )


def weigh_sentences(
    text: str, cues: Cues, regions: Sequence[Region] | None
) -> Iterator[tuple[float, Region]]:
    """The sentences for which the cues speak, with their weights (above 0), in order."""
    for spans, index in _placed(text, cues.trigger, regions):
        start, end = spans[index]
        sentence = text[start:end]
        weight = sum(value for value, cue in cues.cues if cue.search(sentence))
        if weight <= 0:
            continue
        near = text[max(0, start - _HEADING_REACH) : start + 40]
        if cues.heading.search(near) or cues.heading.search(_heading_over(text, spans, index)):
            weight += _HEADING_WEIGHT
        yield weight, (start, end)


def sentences_with(
    text: str, trigger: re.Pattern[str], regions: Sequence[Region] | None
) -> Iterator[Region]:
    """The sentences that hold the trigger and can be operative, each once, in order."""
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
            if is_operative(sentence) and not _CONTENTS.search(sentence):
                yield spans, index
