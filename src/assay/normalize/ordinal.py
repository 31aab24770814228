"""Ordinal numbers: "21st", "thirty-first", 第三."""

from __future__ import annotations

import re
from decimal import Decimal

from assay.normalize.hanzi import NUMERAL, parse_hanzi
from assay.normalize.reading import Mention, Reading, narrow, read_mentions
from assay.normalize.words import find_word_numbers
from assay.patterns import lazy_pattern

_FIGURE = lazy_pattern(
    r"(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d{1,12})\s?(?:st|nd|rd|th)\b", re.IGNORECASE
)
_HAN = lazy_pattern(rf"第\s?(?P<number>{NUMERAL}|\d{{1,12}})")


def find_ordinals(text: str, language: str = "") -> tuple[Mention[Decimal], ...]:
    """The ordinals that the text states, in order."""
    plain = narrow(text)
    found = [
        Mention(number.start, number.end, (number.value,))
        for number in find_word_numbers(plain, language)
        if number.ordinal
    ]
    for match in _FIGURE.finditer(plain):
        value = Decimal(match[1].replace(",", ""))
        found.append(Mention(match.start(), match.end(), (value,)))
    for match in _HAN.finditer(plain):
        numeral = match["number"]
        reading = Decimal(numeral) if numeral.isdigit() and numeral.isascii() else None
        reading = parse_hanzi(numeral) if reading is None else reading
        if reading is not None:
            found.append(Mention(match.start(), match.end(), (reading,)))
    found.sort(key=lambda mention: mention.start)
    return tuple(found)


def read_ordinal(text: str) -> Reading[Decimal]:
    """All ordinals that the text states."""
    return read_mentions(find_ordinals(text))
