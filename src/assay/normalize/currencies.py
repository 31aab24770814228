"""What denotes a currency, and which currencies it may denote (ISO 4217).

Signs and names shared by several countries carry all of the usual ones, the most traded first;
the choice is the document's, not ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache

from assay.normalize import currency_tables
from assay.patterns import lazy_pattern


def read_table(lines: str) -> dict[str, tuple[str, ...]]:
    """Reads lines of `CODE CODE : mark, mark`."""
    table: dict[str, tuple[str, ...]] = {}
    for line in lines.strip().splitlines():
        codes, marks = line.split(" : ")
        for mark in marks.strip().split(", "):
            known = table.get(mark, ())
            table[mark] = known + tuple(code for code in codes.split() if code not in known)
    return table


CODES = frozenset(currency_tables.CODES.split())
# Signs and abbreviations that are written next to the figure, matched with their case.
SIGNS = read_table(currency_tables.SIGNS)
# Names in words, matched without case, beside the figure; the longest that fits wins.
NAMES = read_table(currency_tables.NAMES)
CENTS = read_table(currency_tables.CENTS)
HUNDREDTH = Decimal("0.01")
# Codes that are also words in capitals: beside a small whole number they are words.
WORDS = frozenset({"ALL", "CUP", "GEL", "MOP", "PEN", "SOS", "TOP", "TRY"})
# Currencies without decimals in use: a mark before three digits groups.
WHOLE = frozenset({"CLP", "IDR", "ISK", "JPY", "KRW", "PYG", "UGX", "VND", "XAF", "XOF", "XPF"})


def alternation(keys: Iterable[str]) -> str:
    escaped = [re.escape(key).replace(r"\ ", r"\s+") for key in sorted(keys, key=len, reverse=True)]
    return "|".join(escaped)


_EDGE_BEFORE, _EDGE_AFTER = r"(?<![^\W\d_])", r"(?![^\W\d_])"
_CODE = "|".join(sorted(CODES))
_LATIN_SIGNS = [sign for sign in SIGNS if sign[-1].isalpha() or sign[0].isalpha()]
_OTHER_SIGNS = [sign for sign in SIGNS if sign not in _LATIN_SIGNS]
_HAN = [name for name in NAMES if not name.isascii()]
_LATIN_NAMES = [name for name in NAMES if name.isascii()]
# In small letters "us" is a country only where no verb can stand before it: "owe us $5".
_US = (
    r"(?:(?<![^\W\d_]\s)(?<![^\W\d_])"
    + "".join(rf"|(?<=\b{word}\s)" for word in ("a", "the", "of", "at", "than", "about", "worth"))
    + r")us\s?\$"
)
_SIGN = (
    rf"(?:{_EDGE_BEFORE}(?:{alternation(_LATIN_SIGNS)}|usd\$|cad\$|aud\$)"
    rf"|{_US}|{alternation(_OTHER_SIGNS)})"
)

BEFORE = lazy_pattern(
    rf"(?P<mark>(?:{_EDGE_BEFORE}(?:{_CODE}|(?i:{alternation(_LATIN_NAMES)}))"
    rf"|{_SIGN}|{alternation(_HAN)}))[\s:：]{{0,2}}\Z"
)
AFTER = lazy_pattern(
    rf"[\s\-]{{0,2}}(?:(?P<cents>(?i:{alternation(list(CENTS))}){_EDGE_AFTER})"
    rf"|(?P<mark>(?:{_CODE}|(?i:{alternation(_LATIN_NAMES)})"
    rf"|{alternation(_LATIN_SIGNS)}){_EDGE_AFTER}"
    rf"|(?:{alternation(_OTHER_SIGNS)})(?!\d)|{alternation(_HAN)})"
    r"(?:\s(?P<scale>million|billion)\b)?)"
)


_SOLE = [name for name, codes in NAMES.items() if len(codes) == 1]
_NAMED = lazy_pattern(
    rf"{_EDGE_BEFORE}(?P<code>{'|'.join(sorted(CODES - WORDS))}){_EDGE_AFTER}"
    rf"|{_EDGE_BEFORE}(?P<latin>(?i:{alternation([name for name in _SOLE if name.isascii()])}))"
    rf"{_EDGE_AFTER}"
    rf"|(?P<han>{alternation([name for name in _SOLE if not name.isascii()])})"
)


@lru_cache(maxsize=8)
def named_currencies(text: str) -> frozenset[str]:
    """The currencies that a text names by code, or by a name that no other has."""
    found: set[str] = set()
    for match in _NAMED.finditer(text):
        found.update(currencies_of(match[0]))
    return frozenset(found)


def currencies_of(mark: str) -> tuple[str, ...]:
    """The currencies that a match of `BEFORE` or `AFTER` may denote, the most usual first."""
    plain = " ".join(mark.split())
    if plain in CODES:
        return (plain,)
    for table in (SIGNS, NAMES, CENTS):
        if plain in table:
            return table[plain]
    folded = plain.lower()
    return NAMES.get(folded) or CENTS.get(folded) or SIGNS.get(plain.upper()) or ()
