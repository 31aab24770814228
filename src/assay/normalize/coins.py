"""Coins and slang amounts, where the country says whose they are: "five nickels", "10 grand"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from assay.normalize.number import find_numbers
from assay.normalize.reading import Mention
from assay.normalize.words import find_word_numbers
from assay.patterns import lazy_pattern

_SIZES = {"nickel": "0.05", "dime": "0.10", "quarter": "0.25", "penny": "0.01", "grand": "1000"}
_COIN = lazy_pattern(r"\s*(nickel|dime|quarter|grand)s?\b", re.IGNORECASE)
_ALONE = lazy_pattern(r"\b(?:an?\s+)?(nickel|dime|quarter)\b", re.IGNORECASE)


def find_coins(text: str) -> Iterator[Mention[Decimal]]:
    """The amounts in coins, in the currency of the country, in order."""
    last = 0
    counts = [*find_numbers(text)]
    counts += [Mention(word.start, word.end, (word.value,)) for word in find_word_numbers(text)]
    for number in sorted(counts, key=lambda mention: (mention.start, mention.end)):
        if number.start < last:
            continue
        match = _COIN.match(text, number.end)
        if match is not None:
            size = Decimal(_SIZES[match[1].lower()])
            last = match.end()
            yield Mention(number.start, last, tuple(value * size for value in number.values))
    for match in _ALONE.finditer(text):
        if match.start() >= last:
            yield Mention(match.start(), match.end(), (Decimal(_SIZES[match[1].lower()]),))
