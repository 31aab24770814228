"""Calendar dates, whole or partial, as ISO 8601 strings.

"2013-01-01" is a day, "2013-05" a month, "2013" a year, "--05-21" a day of no stated year. Blanks
("____ day of June, 2003") are simply not known: that date is "2003-06".

All-figure dates are decided by ISO order or by a part above 12; else both orders are candidates:
day first before month first where dots part them, month first before day first otherwise.
Two-digit years take the POSIX window: 69-99 are 1969-1999, 00-68 are 2000-2068.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import datetime

from assay.normalize.hanzi import DIGIT_CHARS, parse_hanzi
from assay.normalize.lexicon import lexicon_of
from assay.normalize.reading import Mention, Reading, distinct, narrow, read_mentions
from assay.patterns import lazy_pattern

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
ORDINALS = lexicon_of("").ordinals
_BLANK = r"(?:(?<!_)_[_\s]{0,60}|\[[^\]\n]{0,6}\]|[•●·]|\.{3,})"
_DAY_WORDS = "|".join(
    sorted((w for w, v in ORDINALS.items() if 1 <= v <= 30), key=len, reverse=True)
)
_DAY = (
    rf"(?:(?P<day>\d{{1,2}})(?:\s?(?:s\s?t|n\s?d|r\s?d|t\s?h)\b)?"
    rf"|(?P<day_word>(?:twenty|thirty)[\s-]+(?:{_DAY_WORDS})|(?:{_DAY_WORDS}))\b|{_BLANK})"
)
_YEAR = r"(?:(?P<year>(?:1[5-9]|2[01])\d\d)(?!\d)|'?(?P<short>\d\d)(?![\d:,.]\d|\d))"
_WEEKDAY = r"(?:(?:Mon|Tues?|Wed(?:nes)?|Thurs?|Fri|Sat(?:ur)?|Sun)(?:day)?,?\s+)?"
_GAP = r"(?:\s*[,.]\s*|\s+)"

_PATTERNS = tuple(
    lazy_pattern(pattern, re.IGNORECASE)
    for pattern in (
        # 1st day of January, 2013; 1 January 2013; ____ day of June, 2003
        rf"(?<![A-Za-z0-9.,/-]){_DAY}\s*-?\s*(?:day\s+)?(?:of\s+)?{_WEEKDAY}{_MONTH}"
        rf"(?:(?:{_GAP}(?:of\s+|in\s+the\s+year\s+)?|-){_YEAR})?",
        # January 1, 2013; March ____, 2014
        rf"(?<![A-Za-z0-9-]){_MONTH}\s*-?\s*(?:the\s+)?(?:{_DAY})(?![\d:])(?:{_GAP}(?:of"
        rf"\s+)?{_YEAR})?",
        # January 2013
        rf"(?<![A-Za-z0-9-]){_MONTH}(?:{_GAP}(?:of\s+)?|-)(?P<year>(?:1[5-9]|2[01])\d\d)(?!\d)",
        # 31/Oct/1974; 2019-Sep-1
        rf"(?<![A-Za-z0-9/-])(?P<day>\d{{1,2}})[/-]{_MONTH}[/-]{_YEAR}",
        rf"(?<![A-Za-z0-9/-])(?P<year>\d{{4}})[/-]{_MONTH}[/-](?P<day>\d{{1,2}})(?!\d)",
        # [·] day of [·], 2015
        rf"{_BLANK}\s*day\s+of\s+{_BLANK},?\s*(?P<year>(?:1[5-9]|2[01])\d\d)(?!\d)",
    )
)
_FIGURES = lazy_pattern(
    r"(?<![\d./-])(?:(?P<y>\d{4})(?P<s1>[-/.])(?P<m>\d{1,2})(?P=s1)(?P<d>\d{1,2})"
    r"|(?P<a>\d{1,2})\s?(?P<s2>[-/.])\s?(?P<b>\d{1,2})\s?(?P=s2)\s?(?P<c>\d{4}|\d{2}))(?![\d/-]"
    r"|\.\d)"
)
_HAN_NUMBER = rf"(?:[{DIGIT_CHARS}十廿卅]{{1,4}}|\d{{1,2}})"
_HAN_DAY = rf"(?P<day>{_HAN_NUMBER})(?:\s*[日号號]|(?![\d个個]))"
_HAN = lazy_pattern(
    rf"(?:(?P<year>\d{{4}}|[{DIGIT_CHARS}]{{4}})\s*年"
    rf"(?:\s*(?P<month>{_HAN_NUMBER})\s*月(?:\s*{_HAN_DAY})?)?"
    rf"|(?P<month2>{_HAN_NUMBER})\s*月\s*(?P<day2>{_HAN_NUMBER})\s*[日号號])"
)


def find_dates(text: str, reference: datetime | None = None) -> tuple[Mention[str], ...]:
    """The dates stated in the text, in order, without overlaps; the longest reading of a place.

    With a `reference`, dates that are told from it count too ("last Sunday", 大后天), and
    a day of no stated year or month is the last or the next such day: both are candidates.
    """
    if reference is not None:
        from assay.normalize.relative_date import find_relative_dates

        return find_relative_dates(text, reference)
    plain = narrow(text)
    found = [*_find_named(plain), *_find_figures(plain), *_find_han(plain)]
    kept: list[Mention[str]] = []
    for mention in sorted(found, key=lambda mention: (mention.start, -mention.end)):
        if kept and mention.start < kept[-1].end:
            if mention.end - mention.start > kept[-1].end - kept[-1].start:
                kept[-1] = mention
            continue
        kept.append(mention)
    return tuple(kept)


def read_date(text: str) -> Reading[str]:
    """All dates that the text states."""
    return read_mentions(find_dates(text))


def iso_date(year: int | None, month: int | None, day: int | None) -> str | None:
    """The ISO form of a whole or partial date; None if there is no such day."""
    if month is not None and not 1 <= month <= 12:
        return None
    if day is not None and (month is None or not 1 <= day <= monthrange(year or 2000, month)[1]):
        return None
    if year is None:
        return None if month is None or day is None else f"--{month:02d}-{day:02d}"
    if month is None:
        return f"{year:04d}"
    return f"{year:04d}-{month:02d}" if day is None else f"{year:04d}-{month:02d}-{day:02d}"


def _full_year(short: int) -> int:
    return 1900 + short if short >= 69 else 2000 + short


def _find_named(text: str) -> Iterator[Mention[str]]:
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            groups = match.groupdict()
            month, year = _month(groups.get("month")), _year(groups)
            if year is None and groups.get("month") in {"may", "march"}:
                continue  # a verb
            value = iso_date(year, month, _day(groups))
            if value is not None:
                yield Mention(match.start(), match.end(), (value,))


def _month(name: str | None) -> int | None:
    return None if name is None else _MONTHS.index(name[:3].lower()) + 1


def _year(groups: dict[str, str | None]) -> int | None:
    if full := groups.get("year"):
        return int(full)
    if short := groups.get("short"):
        return _full_year(int(short))
    return None


def _day(groups: dict[str, str | None]) -> int | None:
    if figure := groups.get("day"):
        return int(figure)
    if word := groups.get("day_word"):
        pieces = re.split(r"[\s-]+", word.lower())
        return {"twenty": 20, "thirty": 30}.get(pieces[0], 0) * (len(pieces) > 1) + ORDINALS[
            pieces[-1]
        ]
    return None


def _find_figures(text: str) -> Iterator[Mention[str]]:
    for match in _FIGURES.finditer(text):
        if match["y"]:
            orders = [(int(match["y"]), int(match["m"]), int(match["d"]))]
        else:
            first, second, last = int(match["a"]), int(match["b"]), match["c"]
            year = int(last) if len(last) == 4 else _full_year(int(last))
            orders = [(year, first, second), (year, second, first)]
            if match["s2"] == ".":
                orders.reverse()
        values = distinct(value for order in orders if (value := iso_date(*order)) is not None)
        if values:
            yield Mention(match.start(), match.end(), values)


def _find_han(text: str) -> Iterator[Mention[str]]:
    for match in _HAN.finditer(text):
        year = _han(match["year"])
        value = iso_date(
            year, _han(match["month"] or match["month2"]), _han(match["day"] or match["day2"])
        )
        if value is not None:
            yield Mention(match.start(), match.end(), (value,))


def _han(numeral: str | None) -> int | None:
    if numeral is None:
        return None
    if numeral.isascii():
        return int(numeral)
    value = parse_hanzi(numeral)
    return None if value is None else int(value)
