"""Numbers written in words, cardinal and, in English, ordinal.

A run of number words is cut where it stops being one number: "five hundred hundred" is 500 and 100,
"four thirty six" is 4 and 36. A scale multiplies all that stands before it and is smaller, so
"two thousand million" is 2 x 10^9 and, in Spanish, "mil trillones" 10^21. A comma parts numbers
unless it stands behind a scale.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cache

from assay.normalize.lexicon import Lexicon, fold, lexicon_of

_NUKTA = "\u093c"


@dataclass(frozen=True, slots=True)
class WordNumber:
    """`text[start:end]` spells `value`; `ordinal` if its last word does ("thirty-first")."""

    start: int
    end: int
    value: Decimal
    ordinal: bool


@cache
def _patterns(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    return lexicon_of(language).patterns()


def find_word_numbers(text: str, language: str = "") -> Iterator[WordNumber]:
    """The numbers spelt in the words of a language (English if none is named), in order."""
    folded = fold(text)
    lexicon = lexicon_of(language)
    run_pattern, token_pattern = _patterns(language)
    for run in run_pattern.finditer(folded):
        yield from _split([*token_pattern.finditer(folded, run.start(), run.end())], lexicon)


@dataclass(slots=True)
class _Builder:
    """One number being read: `parts` closed by a scale, each with it, the sizes falling; the open
    `group`; `room`, the size that the next value must stay below. `comma` says that a comma has
    been read since the last word."""

    start: int
    end: int
    parts: list[tuple[int, int]] = field(default_factory=list)
    group: int | None = None
    room: int = 1000
    comma: bool = False

    @property
    def value(self) -> int:
        return sum(value for value, _ in self.parts) + (self.group or 0)

    def take_value(self, value: int) -> bool:
        size = 10 if value < 10 else 100 if value < 100 else 1000
        if (self.group is not None and (size > self.room or value == 0 or self.comma)) or (
            self.comma and not self.parts
        ):
            return False
        if self.parts and value == 0:
            return False
        self.group = (self.group or 0) + value
        self.room = 100 if value >= 100 else 10 if value >= 20 and value % 10 == 0 else 0
        return True

    def take_scale(self, scale: int) -> bool:
        if self.comma or (self.group is None and not self.parts and self.room != 1000):
            return False
        if scale == 100:
            if self.group is not None and (self.group >= 100 or self.group == 0):
                return False
            self.group, self.room = (self.group or 1) * 100, 100
            return True
        if self.group is None and self.parts and self.parts[-1][1] >= scale:
            return False
        if any(size == scale for _, size in self.parts):
            return False
        group = self.group or 0
        while self.parts and self.parts[-1][1] < scale:
            group += self.parts.pop()[0]
        self.parts.append(((group or 1) * scale, scale))
        self.group, self.room = None, 1000
        return True


def _split(tokens: Sequence[re.Match[str]], lexicon: Lexicon) -> Iterator[WordNumber]:
    """The numbers of one run of words."""
    index = 0
    while index < len(tokens):
        number, index = _read(tokens, index, lexicon)
        if number is not None:
            yield number


def _read(
    tokens: Sequence[re.Match[str]], index: int, lexicon: Lexicon
) -> tuple[WordNumber | None, int]:
    """The number that begins at a token, and the token after it. If a scale after a comma would
    multiply what stands before the comma, the number ends at the comma."""
    builder: _Builder | None = None
    before_comma: tuple[_Builder, int] | None = None
    while index < len(tokens):
        token = tokens[index]
        word = token.group().replace(_NUKTA, "")
        if token["comma"] or token["filler"]:
            if builder is None:
                if token["filler"] and word in lexicon.articles:
                    builder = _Builder(token.start(), token.end())
            elif token["comma"]:
                before_comma = (replace(builder, parts=list(builder.parts)), index + 1)
                builder.comma = True
            index += 1
            continue
        if builder is None:
            builder = _Builder(token.start(), token.end())
        if word in lexicon.values or word in lexicon.ordinals:
            taken = builder.take_value(lexicon.values.get(word, lexicon.ordinals.get(word, 0)))
        else:
            scale = lexicon.scales.get(word, lexicon.ordinal_scales.get(word, 1))
            if before_comma and before_comma[0].parts and before_comma[0].parts[-1][1] <= scale:
                return _close(before_comma[0], ordinal=False), before_comma[1]
            taken = builder.take_scale(scale)
        if not taken:
            return _close(builder, ordinal=False), index
        builder.end, builder.comma = token.end(), False
        index += 1
        if word in lexicon.ordinals or word in lexicon.ordinal_scales:
            return _close(builder, ordinal=True), index
    return (None if builder is None else _close(builder, ordinal=False)), index


def _close(builder: _Builder, *, ordinal: bool) -> WordNumber:
    return WordNumber(builder.start, builder.end, Decimal(builder.value), ordinal)
