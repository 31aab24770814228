"""The words that numbers are written in, by language.

English is ours. Spanish, Russian, Ukrainian and Hindi come from the tables of number-parser (with
the cases of nouns); a text is folded before it is looked up: lower case, no accents, no nukta, one
form of apostrophe. Folding moves no offset.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module

_UNITS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_SCALES = {
    "thousand": 3, "lakh": 5, "lac": 5, "lkh": 5, "million": 6, "crore": 7, "krore": 7, "koti": 7,
    "billion": 9, "trillion": 12, "quadrillion": 15, "quintillion": 18, "sextillion": 21,
}  # fmt: skip
_IRREGULAR = {
    "first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9, "twelfth": 12,
}  # fmt: skip
_NUKTA = "\u093c"
_LETTER_AFTER = r"(?![^\W\d_]|[\u0900-\u0963])"
_LARGEST = 10**36
LANGUAGES = ("es", "hi", "ru", "uk")


def _english_values() -> dict[str, int]:
    values = {word: value for value, word in enumerate(_UNITS.split())}
    values |= {word: 10 * (index + 2) for index, word in enumerate(_TENS.split())}
    return values | {"fourty": 40, "ninty": 90, "nought": 0, "naught": 0}


def _english_ordinals(values: Mapping[str, int]) -> dict[str, int]:
    ordinals = {
        word + "th": value
        for word, value in values.items()
        if value not in _IRREGULAR.values() and not word.endswith("y")
    }
    tens = {word[:-1] + "ieth": value for word, value in values.items() if value >= 20}
    return ordinals | tens | _IRREGULAR


@dataclass(frozen=True)
class Lexicon:
    """The number words of a language. `scales` multiply what stands before them; the others add.
    `joiners` stand inside a number and say nothing; `articles` stand for one before a scale."""

    values: Mapping[str, int]
    scales: Mapping[str, int]
    ordinals: Mapping[str, int] = field(default_factory=dict)
    ordinal_scales: Mapping[str, int] = field(default_factory=dict)
    joiners: tuple[str, ...] = ()
    articles: tuple[str, ...] = ()

    def words(self) -> frozenset[str]:
        return frozenset({*self.values, *self.scales, *self.ordinals, *self.ordinal_scales})

    def patterns(self) -> tuple[re.Pattern[str], re.Pattern[str]]:
        """Of a run of number words, and of one word, comma or joiner in it, in folded text."""
        word = f"(?:{_alternation(self.words())})"
        joiner = f"(?:{_alternation(self.joiners)})" if self.joiners else "(?!)"
        article = f"(?:{_alternation(self.articles)})" if self.articles else "(?!)"
        scale = f"(?:{_alternation({*self.scales, *self.ordinal_scales})})"
        glue = r"|(?<=ty)" if self.articles else ""
        run = re.compile(
            rf"(?<![^\W\d_])(?<![\u0900-\u0963])(?:{article}\s+(?={scale}{_LETTER_AFTER}))?{word}"
            rf"(?:(?:\s*[-—]\s*|\s*,?\s+(?:{joiner}\s+(?:{article}\s+)?)?{glue}){word}"
            rf"(?={_LETTER_AFTER}|(?<=ty)))*{_LETTER_AFTER}"
        )
        token = re.compile(rf"{word}|(?P<filler>\b(?:{article}|{joiner})\b)|(?P<comma>,)")
        return run, token


def fold(text: str) -> str:
    """Lower case without accents; as long as the text."""
    return "".join(map(_fold_char, text))


@cache
def _fold_char(char: str) -> str:
    if char in "’ʼ`":
        return "'"
    lower = char.lower()
    if "\u0900" <= char <= "\u0963":
        return unicodedata.normalize("NFD", char)[0]
    return unicodedata.normalize("NFD", lower)[0] if len(lower) == 1 else char


def _alternation(words: Iterable[str]) -> str:
    """The longest first. A nukta, which many leave out, may follow any Hindi consonant."""
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(
        "".join(
            re.escape(char) + (f"{_NUKTA}?" if "\u0915" <= char <= "\u0939" else "")
            for char in word
        )
        for word in ordered
    )


@cache
def lexicon_of(language: str) -> Lexicon:
    """The lexicon of a language; English for any that has none here."""
    if language in LANGUAGES:
        return _foreign(language)
    values = _english_values()
    scales = {"hundred": 100} | {word: 10**exponent for word, exponent in _SCALES.items()}
    plurals = {word + "s": value for word, value in scales.items()}
    return Lexicon(
        values,
        scales | plurals,
        _english_ordinals(values),
        {word + "th": value for word, value in scales.items()},
        joiners=("and",),
        articles=("a", "an"),
    )


def _foreign(language: str) -> Lexicon:
    info = import_module(f"number_parser.data.{language}").info
    groups = ("UNIT_NUMBERS", "DIRECT_NUMBERS", "TENS", "HUNDREDS")
    values = {_key(word): value for group in groups for word, value in info[group].items()}
    scales = {
        _key(word): value for word, value in info["BIG_POWERS_OF_TEN"].items() if value <= _LARGEST
    }
    return Lexicon(values, scales, joiners=tuple(info["SKIP_TOKENS"]))


def _key(word: str) -> str:
    return fold(word).replace(_NUKTA, "")


def language_of(text: str) -> str:
    """The language of the number words that a text may hold, as far as its script tells: "" for
    the Latin one."""
    if re.search(r"[\u0900-\u0963]", text):
        return "hi"
    if re.search(r"[іїєґ]", text, re.IGNORECASE):
        return "uk"
    return "ru" if re.search(r"[а-яё]", text, re.IGNORECASE) else ""
