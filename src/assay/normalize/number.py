"""Numbers in digits, English words and Chinese numerals, as `Decimal`.

A figure repeated in brackets after its words ("thirty (30)") is one mention; if the two disagree
both are candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TypeVar

from assay.normalize.figures import SCALES, find_figures, shift, with_minus
from assay.normalize.reading import Mention, Reading, distinct, narrow, read_mentions
from assay.normalize.words import find_word_numbers

T = TypeVar("T")

_PARTS = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4, "thirds": 3, "fourths": 4,
          "fifths": 5, "eighths": 8, "tenths": 10}  # fmt: skip
_PART_OF = re.compile(
    r"\s*-?\s*(?:(?:and\s+)?(?P<a>an?\s+|one[\s-]+|(?<=and\s)))?"
    r"(?P<part>half|halves|quarters?|thirds|fourths|fifths|eighths|tenths)\b",
    re.IGNORECASE,
)
_HALF = re.compile(r"(?<![A-Za-z])(?:one[\s-]+)?half(?![A-Za-z])", re.IGNORECASE)
_HALF_ONLY = (Decimal("0.5"),)
_AND_A = re.compile(r"\s+and\s+(?:an?\s+)?", re.IGNORECASE)
_POINT = re.compile(
    r"\s+point((?:\s+(?:zero|oh|one|two|three|four|five|six|seven|eight|nine))+)\b", re.I
)
_SCALE_WORD = re.compile(
    r"\s+(?:of\s+)?(?:an?\s+)?(hundred|thousand|million|billion|trillion|dozens?)\b", re.IGNORECASE
)
_DOZENS = re.compile(r"\s+dozens?\b", re.IGNORECASE)
_DOZEN = re.compile(r"(?<![A-Za-z])a\s+dozen(?![A-Za-z])", re.IGNORECASE)
_THOUSANDS = tuple(Decimal(10) ** exponent for exponent in (12, 9, 6, 3))
_BRACKET = re.compile(r"\s*[(\[]\s*\Z")


def find_numbers(text: str) -> tuple[Mention[Decimal], ...]:
    """The numbers that the text states, in order, without overlaps. Ordinals are no numbers."""
    plain = narrow(text)
    figures = find_figures(plain)
    words = _find_words(plain)
    merged = sorted([*figures, *words], key=lambda mention: (mention.start, -mention.end))
    kept: list[Mention[Decimal]] = []
    for mention in merged:
        if (
            kept
            and mention.values == _HALF_ONLY
            and _AND_A.fullmatch(plain, kept[-1].end, mention.start)
        ):
            values = tuple(value + _HALF_ONLY[0] for value in kept[-1].values)
            kept[-1] = Mention(kept[-1].start, mention.end, values)
        elif not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return join_restated(plain, kept)


def read_number(text: str) -> Reading[Decimal]:
    """All numbers that the text states: one if it says the same number throughout."""
    return read_mentions(find_numbers(text))


def join_restated(text: str, mentions: Sequence[Mention[T]]) -> tuple[Mention[T], ...]:
    """Joins a mention with the next one where that restates it in brackets: "thirty (30)". The
    values are those in both, or all of them where none is in both."""
    joined: list[Mention[T]] = []
    for mention in mentions:
        if joined:
            before = joined[-1]
            gap = text[before.end : mention.start]
            if len(gap) < 8 and _BRACKET.fullmatch(gap):
                close = re.compile(r"\s*[)\]]").match(text, mention.end)
                if close:
                    both = tuple(value for value in before.values if value in mention.values)
                    values = both or distinct(before.values + mention.values)
                    joined[-1] = Mention(before.start, close.end(), values)
                    continue
        joined.append(mention)
    return tuple(joined)


def _find_words(text: str) -> Iterator[Mention[Decimal]]:
    last = 0
    for number in find_word_numbers(text):
        if number.ordinal or number.start < last:
            continue
        value, end = number.value, number.end
        if point := _POINT.match(text, end):
            value, end = value + _decimals(point[1]), point.end()
        elif part := _PART_OF.match(text, end):
            share = Decimal(1) / _PARTS[part["part"].lower()]
            # "one million and a half": half of a million.
            share *= next((scale for scale in _THOUSANDS if value and value % scale == 0), 1)
            value, end = (value * share if part["a"] is None else value + share), part.end()
        mention = Mention(number.start, end, (value,))
        if end > number.end or _DOZENS.match(text, end):
            mention = _scaled(text, mention.start, end, value)
        last = mention.end
        yield with_minus(text, mention)
    for match in _HALF.finditer(text):
        yield _scaled(text, match.start(), match.end(), Decimal("0.5"))
    for match in _DOZEN.finditer(text):
        yield Mention(match.start(), match.end(), (Decimal(12),))


def _scaled(text: str, start: int, end: int, value: Decimal) -> Mention[Decimal]:
    """The number, times the scale word after it."""
    if scale := _SCALE_WORD.match(text, end):
        word = scale[1].lower()
        value = value * 12 if word.startswith("dozen") else shift(value, SCALES[word])
        end = scale.end()
    return Mention(start, end, (value,))


def _decimals(words: str) -> Decimal:
    names = {"oh": "0", "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4",
             "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9"}  # fmt: skip
    return Decimal("0." + "".join(names[word.lower()] for word in words.split()))
