"""Numbers in digits, English words and Chinese numerals, as `Decimal`.

A figure repeated in brackets after its words ("thirty (30)") is one mention; if the two disagree
both are candidates. A figure wholly in round brackets that has a group mark or decimals,
"(1,234.50)", is negative, as in accounts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import TypeVar

from assay.normalize.digits import DIGITS, parse_digits
from assay.normalize.hanzi import NUMERAL, parse_hanzi
from assay.normalize.reading import Mention, Reading, distinct, narrow, read_mentions
from assay.normalize.words import find_word_numbers

T = TypeVar("T")

_SCALE = {
    "hundred": 2, "thousand": 3, "k": 3, "lakh": 5, "lakhs": 5, "million": 6, "millions": 6,
    "mln": 6, "mm": 6, "m": 6, "crore": 7, "crores": 7, "billion": 9, "billions": 9, "bn": 9,
    "b": 9, "trillion": 12, "trillions": 12, "tn": 12,
}  # fmt: skip
_FIGURE = re.compile(
    rf"(?P<zh_sign>[负負]\s?)?(?P<hanzi>{NUMERAL})(?P<zh_half>半)?"
    r"|(?P<open>\((?=-?[\d.,' ]+\)))?(?P<sign>(?<![A-Za-z0-9_)])[-+]\s?)?"
    r"(?<![A-Za-z0-9_.,/])(?:(?P<whole>\d{1,3})\s(?=\d{1,2}/\d{1,3}\b))?"
    rf"(?:(?P<over>\d{{1,3}})/(?P<under>\d{{1,3}})(?![\d/])|(?P<digits>{DIGITS}))"
    r"(?P<ordinal>(?:st|nd|rd|th)\b)?"
    r"(?:\s?(?P<scale>hundred|thousand|lakhs?|millions?|mln|crores?|billions?|bn|trillions?|tn)\b"
    r"|(?P<letter>k|K|M|MM|mm|m|B|b)(?![A-Za-z0-9]))?",
)
_PARTS = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4, "thirds": 3, "fourths": 4,
          "fifths": 5, "eighths": 8, "tenths": 10}  # fmt: skip
_PART_OF = re.compile(
    r"\s*-?\s*(?:(?:and\s+)?(?P<a>an?\s+|one[\s-]+))?(?P<part>half|halves|quarters?|thirds|fourths"
    r"|fifths|eighths|tenths)\b",
    re.IGNORECASE,
)
_HALF = re.compile(r"(?<![A-Za-z])(?:one[\s-]+)?half(?![A-Za-z])", re.IGNORECASE)
_POINT = re.compile(
    r"\s+point((?:\s+(?:zero|oh|one|two|three|four|five|six|seven|eight|nine))+)\b", re.I
)
_SCALE_WORD = re.compile(r"\s+(hundred|thousand|million|billion|trillion)\b", re.IGNORECASE)
_BRACKET = re.compile(r"\s*[(\[]\s*\Z")


def find_numbers(text: str) -> tuple[Mention[Decimal], ...]:
    """The numbers that the text states, in order, without overlaps. Ordinals are no numbers."""
    plain = narrow(text)
    figures = list(_find_figures(plain))
    words = list(_find_words(plain))
    merged = sorted([*figures, *words], key=lambda mention: (mention.start, -mention.end))
    kept: list[Mention[Decimal]] = []
    for mention in merged:
        if not kept or mention.start >= kept[-1].end:
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


def shift(value: Decimal, exponent: int) -> Decimal:
    """`value` times ten to the `exponent`, without needless zeros or an exponent."""
    scaled = value.scaleb(exponent)
    return (
        scaled.quantize(Decimal(1)) if scaled == scaled.to_integral_value() else scaled.normalize()
    )


def _find_figures(text: str) -> Iterator[Mention[Decimal]]:
    for match in _FIGURE.finditer(text):
        if match["hanzi"] is not None:
            value = parse_hanzi(match["hanzi"])
            if value is None:
                continue
            if match["zh_half"]:
                value += Decimal("0.5")
            yield Mention(match.start(), match.end(), (-value if match["zh_sign"] else value,))
            continue
        if match["ordinal"]:
            continue
        values = _figure_values(match)
        if not values:
            continue
        end = match.end()
        scale = (match["scale"] or match["letter"] or "").lower()
        if scale:
            values = tuple(shift(value, _SCALE[scale]) for value in values)
        negative = (match["sign"] or "").startswith("-")
        start = match.start()
        if match["open"]:
            accounts = bool(re.search(r"[.,]", match.group())) and text[end : end + 1] == ")"
            if accounts and not re.search(r"[A-Za-z]\s*\Z", text[max(0, start - 3) : start]):
                negative, end = True, end + 1
            else:
                start += 1
        yield Mention(start, end, tuple(-value if negative else value for value in values))


def _figure_values(match: re.Match[str]) -> tuple[Decimal, ...]:
    if match["digits"] is not None:
        return parse_digits(match["digits"])
    if int(match["under"]) == 0:
        return ()
    whole = Decimal(match["whole"] or 0)
    return (whole + Decimal(match["over"]) / Decimal(match["under"]),)


def _find_words(text: str) -> Iterator[Mention[Decimal]]:
    last = 0
    for number in find_word_numbers(text):
        if number.ordinal or number.start < last:
            continue
        value, end = number.value, number.end
        if point := _POINT.match(text, end):
            value += _decimals(point[1])
            end = point.end()
            if scale := _SCALE_WORD.match(text, end):
                value, end = shift(value, _SCALE[scale[1].lower()]), scale.end()
        elif part := _PART_OF.match(text, end):
            share = Decimal(1) / _PARTS[part["part"].lower()]
            value, end = (value + share if part["a"] else value * share), part.end()
        last = end
        yield Mention(number.start, end, (value,))
    for match in _HALF.finditer(text):
        yield Mention(match.start(), match.end(), (Decimal("0.5"),))


def _decimals(words: str) -> Decimal:
    names = {"oh": "0", "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4",
             "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9"}  # fmt: skip
    return Decimal("0." + "".join(names[word.lower()] for word in words.split()))
