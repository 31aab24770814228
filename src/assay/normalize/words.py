"""Numbers written in English words, cardinal and ordinal.

A run of number words is cut where it stops being one number: "two hundred hundred" is 200 and 100,
"three twenty seven" is 3 and 27.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

_UNITS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SCALES = {
    "thousand": 3,
    "lakh": 5,
    "million": 6,
    "crore": 7,
    "billion": 9,
    "trillion": 12,
    "quadrillion": 15,
    "quintillion": 18,
    "sextillion": 21,
}

VALUES: dict[str, int] = (
    {word: value for value, word in enumerate(_UNITS.split())}
    | {word: 10 * (index + 2) for index, word in enumerate(_TENS.split())}
    | {"fourty": 40, "ninty": 90}
)
SCALES: dict[str, int] = {"hundred": 100} | {
    word: 10**exponent for word, exponent in _SCALES.items()
}
SCALES |= {word + "s": value for word, value in SCALES.items()}

_IRREGULAR = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fifth": 5,
    "eighth": 8,
    "ninth": 9,
    "twelfth": 12,
}
ORDINALS: dict[str, int] = (
    {word + "th": value for word, value in VALUES.items() if value not in _IRREGULAR.values()}
    | {word[:-1] + "ieth": value for word, value in VALUES.items() if value >= 20}
    | _IRREGULAR
)
ORDINALS = {word: value for word, value in ORDINALS.items() if not word.endswith("yth")}
ORDINAL_SCALES: dict[str, int] = {
    word + "th": value for word, value in SCALES.items() if not word.endswith("s")
}

_ALL = sorted({*VALUES, *SCALES, *ORDINALS, *ORDINAL_SCALES}, key=len, reverse=True)
_WORD = "(?:" + "|".join(_ALL) + ")"
_RUN = re.compile(
    rf"(?<![A-Za-z])(?:an?\s+(?=(?:hundred|thousand|[mbtr]+illion)\b))?{_WORD}"
    rf"(?:(?:\s*-\s*|,?\s+(?:and\s+(?:an?\s+)?)?|(?<=ty)){_WORD})*(?![A-Za-z])",
    re.IGNORECASE,
)
_TOKEN = re.compile(rf"{_WORD}|\ba\b|\ban\b|\band\b|,", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class WordNumber:
    """`text[start:end]` spells `value`; `ordinal` if its last word does ("thirty-first")."""

    start: int
    end: int
    value: Decimal
    ordinal: bool


def find_word_numbers(text: str) -> Iterator[WordNumber]:
    """The numbers spelt in words, in order."""
    for run in _RUN.finditer(text):
        yield from _split(text, run.start(), run.end())


@dataclass(slots=True)
class _Builder:
    """One number being read. `total` holds the groups closed by a scale word, `group` the open
    one, `floor` the size below which the next word must stay."""

    start: int
    end: int
    total: int = 0
    group: int = 0
    floor: int = 10**30
    room: int = 100
    started: bool = False

    def take_value(self, value: int) -> bool:
        size = 10 if value < 10 else 100
        if self.started and (size > self.room or (value == 0)):
            return False
        self.group += value
        self.room = 10 if value >= 20 else 0
        self.started = True
        return True

    def take_scale(self, scale: int) -> bool:
        if scale == 100:
            if self.group >= 100 or (self.started and self.group == 0):
                return False
            self.group = (self.group or 1) * 100
            self.room, self.started = 100, True
            return True
        if self.started and self.group == 0:
            if scale <= self.floor:
                return False
            # "three thousand million": the scale multiplies what has been read.
            self.total, self.floor = self.total * scale, scale
            return True
        if scale >= self.floor:
            return False
        self.total += (self.group or 1) * scale
        self.group, self.floor, self.room, self.started = 0, scale, 100, True
        return True


def _split(text: str, start: int, end: int) -> Iterator[WordNumber]:
    builder: _Builder | None = None
    article: int | None = None
    for token in _TOKEN.finditer(text, start, end):
        word = token.group().lower()
        if word in {"and", ","}:
            continue
        if word in {"a", "an"}:
            article = token.start()
            continue
        ordinal = word in ORDINALS or word in ORDINAL_SCALES
        for attempt in (0, 1):
            if builder is None:
                begin = token.start() if article is None else article
                builder = _Builder(begin, token.end())
            article = None
            if word in VALUES or word in ORDINALS:
                taken = builder.take_value(VALUES.get(word, ORDINALS.get(word, 0)))
            else:
                taken = builder.take_scale(SCALES.get(word, ORDINAL_SCALES.get(word, 1)))
            if taken:
                builder.end = token.end()
                break
            assert attempt == 0, "a fresh number takes any word"
            yield _close(builder, ordinal=False)
            builder = None
        if ordinal and builder is not None:
            yield _close(builder, ordinal=True)
            builder = None
    if builder is not None:
        yield _close(builder, ordinal=False)


def _close(builder: _Builder, *, ordinal: bool) -> WordNumber:
    return WordNumber(builder.start, builder.end, Decimal(builder.total + builder.group), ordinal)
