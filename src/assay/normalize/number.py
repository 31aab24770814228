"""Numbers in digits, English words and Chinese numerals, as `Decimal`.

A figure repeated in brackets after its words ("thirty (30)") is one mention; if the two disagree
both are candidates.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import zip_longest
from typing import TypeVar

from assay.normalize.figures import SCALES, find_figures, shift, with_minus
from assay.normalize.fractions import read_part
from assay.normalize.lexicon import LANGUAGES, language_of, lexicon_of
from assay.normalize.reading import Mention, Reading, distinct, narrow, read_mentions
from assay.normalize.words import WordNumber, find_word_numbers
from assay.patterns import lazy_pattern

T = TypeVar("T")

_HALF = lazy_pattern(r"(?<![A-Za-z])(?:(?:one|an?)[\s-]+)?half(?![A-Za-z])", re.IGNORECASE)
# A quarter is a part only where something is parted; by itself it is three months.
_QUARTER = lazy_pattern(
    r"(?<![A-Za-z])an?\s+quarter(?=\s+(?:of\s+(?:an?|the|its|their|his|her|all|one)\b|[mb]illion\b)|\Z)",
    re.IGNORECASE,
)
_ARTICLE = lazy_pattern(r"(?<![A-Za-z])an?[\s-]+\Z", re.IGNORECASE)
_BEGINS_WITH_ARTICLE = lazy_pattern(r"an?\s", re.IGNORECASE)
# "a third party" is no part; "a third of it" is.
_PARTED = lazy_pattern(r"\s*(?:\Z|[.,;:)!?]|\s(?:of|more|less|as)\b)", re.IGNORECASE)
_AND_A = lazy_pattern(r"\s+and\s+(?:an?\s+)?", re.IGNORECASE)
_POINT = lazy_pattern(r"\s+(?:point|dot)\s+(?=[a-z])", re.IGNORECASE)
_POINT_WORDS = lazy_pattern(
    r"(?:(?:zero|oh|o|nought|naught|one|two|three|four|five|six|seven|eight|nine)\b\s*)+", re.I
)
_SCALE_WORD = lazy_pattern(
    r"\s+(?:of\s+)?(?:an?\s+)?(hundred|thousand|million|billion|trillion)\b", re.IGNORECASE
)
_DOZENS = lazy_pattern(r"\s+(?:dozens?|doz\.?|dzs?)\b", re.IGNORECASE)
_DOZEN = lazy_pattern(
    r"(?<![A-Za-z])(?:(?P<half>half\s+a\s+|(?:a\s+)?half\s+)|a\s+)dozen(?:\s+of(?=\s*\Z))?(?![A-Za-z])",
    re.IGNORECASE,
)
_QUOTIENT = lazy_pattern(r"\s+(?:over|out\s+of)\s+\Z", re.IGNORECASE)
# "this one", "which one": no number.
_PRONOUN = lazy_pattern(r"\b(?:this|that|which|each|every|any|no|another|the\s+\w+)\s+\Z", re.I)
_AND = lazy_pattern(r"\s+(?:and\s+)?", re.IGNORECASE)
_LAST_SCALE = lazy_pattern(
    r"\b(hundred|thousand|lakhs?|crores?|millions?|billions?)\Z", re.IGNORECASE
)
_PAIR = lazy_pattern(r"(?<![A-Za-z])a\s+(?:couple|pair)(?:\s+of)?(?![A-Za-z])", re.IGNORECASE)
_POINT_GAP = lazy_pattern(r"\s+point\s+", re.IGNORECASE)
_AND_SMALL = lazy_pattern(r"\sand\s+([a-z]+)\Z", re.IGNORECASE)
_FIGURES = lexicon_of("").values
_BRACKET = lazy_pattern(r"\s*[(\[]\s*\Z")


def find_numbers(text: str, language: str = "") -> tuple[Mention[Decimal], ...]:
    """The numbers that the text states, in order, without overlaps. Ordinals are no numbers.

    Words are read in `language` (es, hi, ru, uk); if none is named, in English, or what the script
    says. Figures and Chinese numerals are read always.
    """
    plain = narrow(text)
    figures = find_figures(plain)
    words = _find_words(plain, language or language_of(plain))
    merged = sorted([*figures, *words], key=lambda mention: (mention.start, -mention.end))
    return join_restated(plain, _join_parts(plain, merged))


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


def _find_words(text: str, language: str) -> Iterator[Mention[Decimal]]:
    if language in LANGUAGES:
        for number in find_word_numbers(text, language):
            yield with_minus(text, Mention(number.start, number.end, (number.value,)))
        return
    last = 0
    numbers = [*find_word_numbers(text)]
    for number, following in zip_longest(numbers, numbers[1:]):
        if number.ordinal and number.start >= last and (part := _one_part(text, number)):
            yield part
        if number.ordinal or number.start < last or _is_pronoun(text, number):
            continue
        value, end = number.value, number.end
        if (point := _POINT.match(text, end)) and (decimals := _decimals(text, point.end())):
            value, end = value + decimals[0], decimals[1]
        elif following and number.value == 1 and _is_part(text, number, following):
            value, end = value / following.value, following.end
        elif fraction := read_part(text, number):
            value, end = fraction
        mention = Mention(number.start, end, (value,))
        if end > number.end:
            mention = _scaled(text, mention.start, end, value)
        last = mention.end
        yield with_minus(text, mention)
    for match in _HALF.finditer(text):
        yield _scaled(text, match.start(), match.end(), Decimal("0.5"))
    for match in _QUARTER.finditer(text):
        yield _scaled(text, match.start(), match.end(), Decimal("0.25"))
    for match in _DOZEN.finditer(text):
        yield Mention(match.start(), match.end(), (Decimal(6 if match["half"] else 12),))
    for match in _PAIR.finditer(text):
        yield Mention(match.start(), match.end(), (Decimal(2),))


def _one_part(text: str, number: WordNumber) -> Mention[Decimal] | None:
    """ "a seventh", "a millionth"; a second is a length of time."""
    if number.value < 3 or not _PARTED.match(text, number.end):
        return None
    if _BEGINS_WITH_ARTICLE.match(text, number.start):
        return Mention(number.start, number.end, (1 / number.value,))
    article = _ARTICLE.search(text, max(0, number.start - 4), number.start)
    return article and Mention(article.start(), number.end, (1 / number.value,))


def _is_part(text: str, number: WordNumber, following: WordNumber) -> bool:
    """ "one two hundred and third": a part named by an ordinal."""
    gap = text[number.end : following.start]
    return following.ordinal and following.value > 20 and not gap.strip(" -")


def _is_pronoun(text: str, number: WordNumber) -> bool:
    return number.value == 1 and bool(
        _PRONOUN.search(text, max(0, number.start - 20), number.start)
    )


def _scaled(text: str, start: int, end: int, value: Decimal) -> Mention[Decimal]:
    """The number, times the scale word after it."""
    if scale := _SCALE_WORD.match(text, end):
        word = scale[1].lower()
        value = shift(value, SCALES[word])
        end = scale.end()
    return Mention(start, end, (value,))


def _decimals(text: str, start: int) -> tuple[Decimal, int] | None:
    """What stands behind "point": single figures ("seven five"), or a number ("seventy-one")."""
    if match := _POINT_WORDS.match(text, start):
        words = match.group().lower().split()
        figures = "".join(str(_FIGURES.get(word, 0)) for word in words)
        return Decimal(f"0.{figures}"), start + len(match.group().rstrip())
    number = next(find_word_numbers(text[start : start + 40]), None)
    if number is None or number.start or number.ordinal or number.value >= 100:
        return None
    return Decimal(f"0.{number.value}"), start + number.end


def _join_parts(text: str, mentions: Sequence[Mention[Decimal]]) -> list[Mention[Decimal]]:
    """Joins what is one number in several pieces: "3 hundred and 21", "6 crore two hundred", "one
    over three", "two and a half"."""
    kept: list[Mention[Decimal]] = []
    for mention in mentions:
        mention = _dozens(text, mention)
        if kept and mention.start < kept[-1].end:
            rest = next(find_word_numbers(text[kept[-1].end : mention.end]), None)
            if rest is None or rest.ordinal:
                continue
            begin = kept[-1].end + rest.start
            mention = Mention(begin, kept[-1].end + rest.end, (rest.value,))
        joined = _joined(text, kept[-1], mention) if kept else None
        if joined is None:
            kept.append(mention)
        else:
            kept[-1] = Mention(kept[-1].start, mention.end, joined)
    return kept


def _dozens(text: str, mention: Mention[Decimal]) -> Mention[Decimal]:
    match = _DOZENS.match(text, mention.end)
    if match is None:
        return mention
    values = tuple(value * 12 for value in mention.values)
    if mixed := _AND_SMALL.search(text, mention.start, mention.end):
        # "four hundred and three dozens": three dozens.
        small = _FIGURES.get(mixed[1].lower(), 0)
        values = tuple(value + 11 * small for value in mention.values)
    return Mention(mention.start, match.end(), values)


def _joined(
    text: str, first: Mention[Decimal], second: Mention[Decimal]
) -> tuple[Decimal, ...] | None:
    gap = text[first.end : second.start]
    if len(gap) > 12:
        return None
    if len(second.values) == 1 and 0 < second.values[0] < 1 and _AND_A.fullmatch(gap):
        return tuple(value + second.values[0] for value in first.values)
    if len(first.values) != 1 or len(second.values) != 1:
        return None
    left, right = first.values[0], second.values[0]
    decimals = text[second.start : second.end]
    if _POINT_GAP.fullmatch(gap) and decimals.isdigit() and left == int(left):
        return (left + Decimal(f"0.{decimals}"),)
    if _QUOTIENT.fullmatch(gap) and right and left == int(left) and right == int(right):
        return (left / right,)
    scale = _LAST_SCALE.search(text, first.start, first.end)
    if scale is None or not text[first.start].isdigit() or not _AND.fullmatch(gap):
        return None
    size = Decimal(10) ** SCALES[scale[1].lower().rstrip("s")]
    plain = text[second.start : second.end]
    ends_in_words = plain[-1:].isalpha() and not plain.isupper()
    if 0 < right < size and (size == 100 or ends_in_words) and right == int(right):
        return (left + right,)
    return None
