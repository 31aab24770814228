"""Fractions in English words: "three quarters", "two and two thirds", "five billion and a half".

After a number of thousands or more, "and" a fraction means that part of its scale, as it is said:
"six million and two sevenths" is six and two sevenths million.
"""

from __future__ import annotations

import re
from decimal import Decimal

from assay.normalize.lexicon import lexicon_of
from assay.normalize.words import WordNumber, find_word_numbers
from assay.patterns import lazy_pattern

_ENGLISH = lexicon_of("")
_PARTS = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4}
_PARTS |= {word + "s": value for word, value in _ENGLISH.ordinals.items() if value >= 3}
_PARTS |= {word + "s": value for word, value in _ENGLISH.ordinal_scales.items()}
_SINGLE = {word: value for word, value in _ENGLISH.ordinals.items() if value >= 3} | _PARTS
_WORDS = "|".join(sorted(_PARTS, key=len, reverse=True))
_SINGLE_WORDS = "|".join(sorted(_SINGLE, key=len, reverse=True))
# "five twenty-fifths"; "one hundred forty sevenths" has its tens in the number before.
_OF_TENS = rf"(?:(?P<of_tens>{'|'.join(w for w, v in _ENGLISH.values.items() if v >= 20)})[\s-]+)?"
_MANY = lazy_pattern(rf"\s*-?\s*{_OF_TENS}(?P<part>{_WORDS})\b", re.IGNORECASE)
_ONE = lazy_pattern(rf"\s*-?\s*(?P<part>{_SINGLE_WORDS})\b", re.IGNORECASE)
_AND_A = lazy_pattern(
    rf"\s+and\s+(?:an?\s+|one[\s-]+)?(?P<part>half|quarter|third|{_WORDS})\b", re.IGNORECASE
)
_LAST_AND = lazy_pattern(r"(?P<left>.+?)\s+and\s+(?P<over>[A-Za-z]+)\Z", re.IGNORECASE | re.DOTALL)
_TENS = lazy_pattern(
    rf"(?P<over>.+?)\s+(?P<tens>{'|'.join(w for w, v in _ENGLISH.values.items() if v >= 20)})\Z",
    re.I,
)
SCALE_VALUES = {word: Decimal(value) for word, value in _ENGLISH.scales.items()}
_SCALE = lazy_pattern(r"\s+(million|billion|trillion)\b", re.IGNORECASE)
_THOUSANDS = tuple(Decimal(10) ** exponent for exponent in (12, 9, 6, 3))


def read_part(text: str, number: WordNumber) -> tuple[Decimal, int] | None:
    """The value and the end of a number in words together with the fraction behind it; None if
    there is none."""
    if match := _AND_A.match(text, number.end):
        share = Decimal(1) / _part(match["part"])
        # "three billion and a half million"; but one and a half million is all millions
        if number.value >= 1000 and (scale := _SCALE.match(text, match.end())):
            return number.value + share * SCALE_VALUES[scale[1].lower()], scale.end()
        return number.value + share * _scale_of(number.value), match.end()
    pattern = _ONE if number.value == 1 else _MANY
    match = pattern.match(text, number.end)
    words = text[number.start : number.end]
    mixed = _LAST_AND.match(words)
    if match is None and mixed and mixed["over"].lower() in {"one", "a"}:
        match = _ONE.match(text, number.end)
    if match is None:
        return None
    under = _part(match["part"])
    if tens_word := match.groupdict().get("of_tens"):
        if under >= 10:
            return None
        under += _ENGLISH.values[tens_word.lower()]
    if mixed:
        left = next(find_word_numbers(mixed["left"]), None)
        over = next(find_word_numbers(mixed["over"]), None)
        if left and over and left.value + over.value == number.value and over.value < under:
            share = over.value / under
            if left.value >= 1000 and (scale := _SCALE.match(text, match.end())):
                return left.value + share * SCALE_VALUES[scale[1].lower()], scale.end()
            return left.value + share * _scale_of(left.value), match.end()
    if tens := _TENS.match(words):
        # "one hundred forty sevenths": hundred parts of forty-seven.
        over = next(find_word_numbers(tens["over"]), None)
        if over and under < 10 and not tens["over"].endswith("and"):
            return over.value / (_ENGLISH.values[tens["tens"].lower()] + under), match.end()
    return number.value / under, match.end()


def _part(word: str) -> int:
    return _SINGLE.get(word.lower(), 3)


def _scale_of(value: Decimal) -> Decimal:
    return next((scale for scale in _THOUSANDS if value and value % scale == 0), Decimal(1))
