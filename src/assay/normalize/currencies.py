"""What denotes a currency, and which currencies it may denote (ISO 4217).

Signs and names shared by several countries carry all of the usual ones, the most traded first;
the choice is the document's, not ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Any

from assay.normalize import currency_tables
from assay.normalize.currency_names import country_names, minor_units
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


def _read_names() -> dict[str, tuple[str, ...]]:
    names = read_table(currency_tables.NAMES)
    for code, name in country_names():
        if code not in names.get(name, ()):
            names[name] = (*names.get(name, ()), code)
    return names


CODES = frozenset(currency_tables.CODES.split())
# Signs and abbreviations that are written next to the figure, matched with their case.
SIGNS = read_table(currency_tables.SIGNS)
# Names in words, matched without case, beside the figure; the longest that fits wins.
NAMES = _read_names()
# Parts of a currency: "cents", 戈比. By name, the share of each currency that has it.
MINOR = minor_units()
HUNDREDTH = Decimal("0.01")
# Codes that are also words in capitals: beside a small whole number they are words.
WORDS = frozenset({"ALL", "CUP", "GEL", "MOP", "PEN", "SOS", "TOP", "TRY"})
# Currencies without decimals in use: a mark before three digits groups.
WHOLE = frozenset({"CLP", "IDR", "ISK", "JPY", "KRW", "PYG", "UGX", "VND", "XAF", "XOF", "XPF"})


def alternation(keys: Iterable[str]) -> str:
    """A pattern of any of the keys, the longest that fits; a space stands for any white space.

    It is written as a tree of prefixes, so that thousands of names cost no more than a few.
    """
    tree: dict[str, Any] = {}
    for key in keys:
        node = tree
        for char in " ".join(key.split()):
            node = node.setdefault(r"\s+" if char == " " else re.escape(char), {})
        node[""] = {}
    return _written(tree)


def _written(node: dict[str, Any]) -> str:
    branches = [token + _written(child) for token, child in sorted(node.items()) if token]
    if not branches:
        return ""
    if len(branches) == 1 and "" not in node:
        return branches[0]
    return f"(?:{'|'.join(branches)}){'?' if '' in node else ''}"


_EDGE_BEFORE, _EDGE_AFTER = r"(?<![^\W\d_])", r"(?![^\W\d_])"
_CODE = alternation(CODES)


def _is_han(name: str) -> bool:
    return any("\u3400" <= char <= "\u9fff" for char in name)


# "he won 30 games": words that are names of a currency behind a figure only.
_ONLY_AFTER = frozenset({"won", "wons", "crown", "crowns", "buck", "bucks", "quid"})
# Two letters or more and the sign of a dollar are matched in any case: "us$", "Hk $"; but "a $".
_DOLLAR_SIGNS = [
    sign
    for sign in SIGNS
    if sign[:2].isalpha() and sign[-1] in "$£" and sign.replace(" ", "") != "US$"
]
_LATIN_SIGNS = [
    sign
    for sign in SIGNS
    if (sign[-1].isalpha() or sign[0].isalpha()) and sign not in _DOLLAR_SIGNS
]
_OTHER_SIGNS = [sign for sign in SIGNS if sign not in {*_LATIN_SIGNS, *_DOLLAR_SIGNS}]
_HAN = alternation(name for name in NAMES if _is_han(name))
_LATIN = [name for name in NAMES if not _is_han(name)]
# In small letters "us" is a country only where no verb can stand before it: "owe us $5".
_US = (
    r"(?:(?<![^\W\d_]\s)(?<![^\W\d_])"
    + "".join(rf"|(?<=\b{word}\s)" for word in ("a", "the", "of", "at", "than", "about", "worth"))
    + r")us\s?\$"
)
_SIGN = (
    rf"(?:{_EDGE_BEFORE}(?:{alternation(_LATIN_SIGNS)}|(?i:{alternation(_DOLLAR_SIGNS)}))"
    rf"|{_US}|{alternation(_OTHER_SIGNS)})"
)

BEFORE = lazy_pattern(
    rf"(?P<mark>(?:{_EDGE_BEFORE}(?:{_CODE}|(?i:{alternation(set(_LATIN) - _ONLY_AFTER)}))"
    rf"|{_SIGN}|{_HAN}))[\s:：]{{0,2}}\Z"
)
AFTER = lazy_pattern(
    rf"[\s\-]{{0,2}}(?:(?P<minor>{alternation(name for name in MINOR if _is_han(name))}"
    rf"|(?i:{alternation(name for name in MINOR if not _is_han(name))}){_EDGE_AFTER})"
    rf"|(?P<mark>(?:{_CODE}|(?i:{alternation(_LATIN)}|{alternation(_DOLLAR_SIGNS)})"
    rf"|{alternation(_LATIN_SIGNS)}){_EDGE_AFTER}"
    rf"|(?:{alternation(_OTHER_SIGNS)})(?!\d)|{_HAN})"
    r"(?:\s(?P<scale>million|billion)\b)?)"
)


_SOLE = [name for name, codes in NAMES.items() if len(codes) == 1]
_NAMED = lazy_pattern(
    rf"{_EDGE_BEFORE}(?P<code>{alternation(CODES - WORDS)}){_EDGE_AFTER}"
    rf"|{_EDGE_BEFORE}(?P<latin>(?i:{alternation(n for n in _SOLE if not _is_han(n))}))"
    rf"{_EDGE_AFTER}"
    rf"|(?P<han>{alternation(name for name in _SOLE if _is_han(name))})"
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
    for table in (SIGNS, NAMES):
        if plain in table:
            return table[plain]
    folded = plain.lower()
    minor = tuple(MINOR.get(folded, ()))
    return NAMES.get(folded) or minor or SIGNS.get(plain.upper()) or SIGNS.get(folded) or ()
