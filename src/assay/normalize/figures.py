"""Numbers written in figures or Chinese numerals, where they stand in a text.

A figure wholly in round brackets that has a group mark or decimals, "(1,234.50)", is negative, as
in accounts. A figure glued to letters counts only if they denote a currency ("USD50").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from assay.normalize.currencies import CODES, SIGNS
from assay.normalize.digits import DIGITS, parse_digits
from assay.normalize.hanzi import DIGIT_CHARS, NUMERAL, is_word, parse_hanzi
from assay.normalize.reading import Mention
from assay.patterns import lazy_pattern

SCALES = {
    "hundred": 2, "hundreds": 2, "thousand": 3, "thousands": 3, "k": 3,
    "lakh": 5, "lakhs": 5, "million": 6, "millions": 6,
    "mln": 6, "mil": 6, "mio": 6, "mm": 6, "m": 6, "g": 9, "crore": 7, "crores": 7, "billion": 9,
    "billions": 9, "bln": 9, "bn": 9, "b": 9, "trillion": 12, "trillions": 12, "tln": 12, "tn": 12,
    "t": 12, "mn": 6, "cr": 7, "lac": 5, "lacs": 5, "lkh": 5, "lkhs": 5, "krore": 7, "krores": 7,
}  # fmt: skip
_VULGAR = {
    char: Decimal(over) / under
    for char, over, under in (
        ("½", 1, 2), ("¼", 1, 4), ("¾", 3, 4), ("⅓", 1, 3), ("⅔", 2, 3), ("⅕", 1, 5), ("⅖", 2, 5),
        ("⅗", 3, 5), ("⅘", 4, 5), ("⅙", 1, 6), ("⅚", 5, 6), ("⅐", 1, 7), ("⅛", 1, 8), ("⅜", 3, 8),
        ("⅝", 5, 8), ("⅞", 7, 8), ("⅑", 1, 9), ("⅒", 1, 10),
    )
}  # fmt: skip
_FIGURE = lazy_pattern(
    rf"(?=[-+(.\d{DIGIT_CHARS}十拾廿卅百千{''.join(_VULGAR)}])"
    rf"(?:(?P<hanzi>{NUMERAL})(?P<half>半)?"
    r"|(?P<open>\((?=-?[\d.,' ]+\)))?(?P<sign>(?<![A-Za-z0-9_)])[-+]\s{0,2})?(?<![0-9_./%])(?<!\d,)"
    r"(?:(?P<whole>\d{1,3})\s{1,2}(?=\d{1,2}/\d{1,3}\b))?"
    r"(?:(?P<over>\d{1,3})/(?P<under>\d{1,3})(?![\d/])"
    rf"|(?:(?P<with>\d{{1,3}})\s?)?(?P<vulgar>[{''.join(_VULGAR)}])|(?P<digits>{DIGITS}))"
    r"(?P<ordinal>(?:st|nd|rd|th)\b)?(?:[eE](?P<exponent>[-+]?\d{1,3})(?![\w.])"
    r"|\^(?P<power>[-+]{0,2}\d{1,3})(?![\w.]))?"
    r"(?:\s?(?:(?P<scale>hundreds?|thousands?|lakhs?|lacs?|lkhs?|millions?|mln|mil|mio|mn|[ck]rores?|cr"
    r"|billions?|bln|bn|trillions?|tln|tn)\b(?:\s(?P<more>thousand|[mb]illion|trillion)\b)?"
    r"|(?P<letter>k|K|M|MM|mm|m|B|b|G|T)(?![A-Za-z0-9])))?)",
)
_PART = rf"(?:{NUMERAL}|{DIGITS})"
_FRACTION = lazy_pattern(
    rf"(?:(?P<whole>{_PART})\s*又\s*)?(?P<under>{_PART})\s*[分份]\s*之\s*(?P<sign>[负負-])?\s*"
    rf"(?P<over>{_PART})"
)
_MINUS = lazy_pattern(r"(?:(?<![A-Za-z])(?:minus|negative)\s+|[负負]\s?)\Z", re.IGNORECASE)
_HALF_DOZEN = lazy_pattern(r"半打(?![电電开開扫掃])")
_DOZENS = lazy_pattern(r"\s?打(?![电電算开開印击擊架工折扫掃扮包造断斷针針车車听聽])")
_LETTERS = lazy_pattern(r"[A-Za-z.]+\Z")


def find_figures(text: str) -> Iterator[Mention[Decimal]]:
    """The figures of a text made narrow (see `narrow`), in order; fractions first of those that
    start at one place, because they are longer."""
    for match in _FRACTION.finditer(text) if "之" in text else ():
        value = _fraction(match)
        if value is not None:
            yield with_minus(text, Mention(match.start(), match.end(), (value,)))
    for match in _FIGURE.finditer(text):
        if match["hanzi"] is not None:
            value = parse_hanzi(match["hanzi"])
            if value is not None and not is_word(text, match.start("hanzi"), match.end("hanzi")):
                value += Decimal("0.5") if match["half"] else 0
                yield with_minus(text, _dozens(text, match.start(), match.end(), value))
        elif not match["ordinal"] and (mention := _read_figure(text, match)) is not None:
            if len(mention.values) == 1 and text[mention.end - 1].isdigit():
                mention = _dozens(text, mention.start, mention.end, mention.values[0])
            yield with_minus(text, mention)
    for match in _HALF_DOZEN.finditer(text) if "半打" in text else ():
        yield Mention(match.start(), match.end(), (Decimal(6),))


def _dozens(text: str, start: int, end: int, value: Decimal) -> Mention[Decimal]:
    """The number, twelve times where 打 counts it."""
    end -= len(text[start:end]) - len(text[start:end].rstrip())
    dozens = _DOZENS.match(text, end)
    if dozens is None:
        return Mention(start, end, (value,))
    return Mention(start, dozens.end(), (value * 12,))


def with_minus(text: str, mention: Mention[Decimal]) -> Mention[Decimal]:
    """The mention, and the word for minus before it if there is one."""
    minus = _MINUS.search(text, max(0, mention.start - 10), mention.start)
    if minus is None:
        return mention
    return Mention(minus.start(), mention.end, tuple(-value for value in mention.values))


def shift(value: Decimal, exponent: int) -> Decimal:
    """`value` times ten to the `exponent`, without needless zeros or an exponent."""
    scaled = value.scaleb(exponent)
    if scaled == scaled.to_integral_value():
        return scaled.quantize(Decimal(1))
    return scaled.normalize()


def _read_figure(text: str, match: re.Match[str]) -> Mention[Decimal] | None:
    start, end = match.span()
    glued = _LETTERS.search(text, max(0, start - 8), start)
    is_money = text[start - 1 : start] in {"$", "€", "£", "¥"}
    if glued is not None and text[start - 1].isalpha():
        if glued.group() not in CODES and glued.group() not in SIGNS:
            return None
        is_money = True
    values = _figure_values(match, text[match.end("digits") : match.end("digits") + 2])
    if not values:
        return None
    letter = match["letter"] or ""
    spaced = text[match.end("letter") - len(letter) - 1 : match.end("letter") - len(letter)] == " "
    if (
        letter.islower()
        and not is_money
        and (letter not in {"k", "b"} or (spaced and letter == "b"))
    ):
        end, letter = end - len(letter) - spaced, ""  # metres, bytes or the like
    if scale := (match["scale"] or letter).lower():
        exponent = SCALES[scale] + SCALES.get(match["more"] or "", 0)
        values = tuple(shift(value, exponent) for value in values)
    if match["exponent"] or match["power"]:
        values = tuple(_raised(value, match) for value in values)
    negative = False
    if match["sign"]:
        if text[max(0, start - 6) : start].rstrip()[-1:].isalnum():
            start = match.end("sign")  # "10 - 20" is a range
        else:
            negative = match["sign"].startswith("-")
    if match["open"]:
        accounts = re.search(r"[.,]", match.group()) and text[end : end + 1] == ")"
        if accounts and not re.search(r"[A-Za-z]\s*\Z", text[max(0, start - 3) : start]):
            negative, end = True, end + 1
        else:
            start += 1
    return Mention(start, end, tuple(-value if negative else value for value in values))


def _raised(value: Decimal, match: re.Match[str]) -> Decimal:
    """A figure in scientific notation, or to a power ("2^-1")."""
    if match["exponent"]:
        return shift(value, int(match["exponent"]))
    return value ** int(match["power"].replace("--", "").replace("+", ""))


def _figure_values(match: re.Match[str], following: str) -> tuple[Decimal, ...]:
    if match["digits"] is not None:
        # "1.198,-" says that the comma is the decimal mark.
        mark = following[0] if following in {",-", ".-"} else None
        return parse_digits(match["digits"], mark)
    if match["vulgar"] is not None:
        return (Decimal(match["with"] or 0) + _VULGAR[match["vulgar"]],)
    if int(match["under"]) == 0:
        return ()
    return (Decimal(match["whole"] or 0) + Decimal(match["over"]) / Decimal(match["under"]),)


def _fraction(match: re.Match[str]) -> Decimal | None:
    parts = [_part(match[name]) for name in ("whole", "under", "over")]
    whole, under, over = parts
    if under is None or over is None or under == 0 or (match["whole"] and whole is None):
        return None
    value = over / under
    return (whole or Decimal(0)) + (-value if match["sign"] else value)


def _part(text: str | None) -> Decimal | None:
    if text is None:
        return None
    if text.isascii():
        values = parse_digits(text)
        return values[0] if values else None
    return parse_hanzi(text)
