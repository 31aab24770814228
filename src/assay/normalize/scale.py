"""Units that a heading states for the figures below it: "(in thousands of US$)", 单位：万元."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.normalize.currencies import BEFORE, currencies_of
from assay.normalize.reading import narrow
from assay.patterns import lazy_pattern

_EXPONENTS = {
    "hundred": 2, "thousand": 3, "k": 3, "million": 6, "mm": 6, "mn": 6, "m": 6, "billion": 9,
    "bn": 9, "trillion": 12, "lakh": 5, "crore": 7, "百": 2, "千": 3, "万": 4, "萬": 4,
    "十万": 5, "百万": 6, "百萬": 6, "千万": 7, "千萬": 7, "亿": 8, "億": 8, "十亿": 9, "百亿": 10,
    "'000": 3, "000s": 3, "000": 3,
}  # fmt: skip
_ENGLISH = lazy_pattern(
    r"(?:\b(?:in|expressed\s+in|figures\s+in|amounts?\s+in)\s+|\()"
    r"(?P<currency>[A-Z]{3}|US\$|[$€£¥])?\s*"
    r"(?P<scale>hundred|thousand|million|billion|trillion|lakh|crore|mm|mn|bn|'?000s?)s?"
    r"(?:\s+of\s+(?P<name>[A-Za-z.$ ]{2,24}?)(?=[,;:)\n]|\Z))?",
    re.IGNORECASE,
)
_SHORT = lazy_pattern(
    r"(?P<currency>US\$|[A-Z]{3}|[$€£¥])\s?(?P<scale>'000s?|000s?|k|m|mm|bn|mn)\b"
)
_CHINESE = lazy_pattern(
    r"(?:单位|單位|金额单位|货币单位)\s*[:：]?\s*(?P<first>人民币|人民幣)?\s*"
    r"(?P<scale>[百千十]?[万萬亿億]|[百千])?(?P<name>[美日欧港台加澳英]?[元圆圓镑]|人民币|美金)?"
)
# What says enough in the header of a column, though not in a sentence.
_IN_HEADER = (
    (6, lazy_pattern(r"\bmillions?\b|[$£€¥]\s?mn?\b|\bRMB m|\bUS\$ ?m\b|\bmn\b", re.IGNORECASE)),
    (3, lazy_pattern(r"\bthousands?\b|[’'‘`]?\b000\b|\b[$£€]k\b", re.IGNORECASE)),
    (9, lazy_pattern(r"\bbillions?\b|[$£€]\s?bn\b", re.IGNORECASE)),
)


@dataclass(frozen=True, slots=True)
class Scale:
    """Figures below stand for themselves times ten to the `exponent`, in one of `currencies` (empty
    if none is named)."""

    exponent: int
    currencies: tuple[str, ...] = ()


def read_scale(heading: str) -> Scale | None:
    """What a heading or caption says of the figures below it; None if it says nothing."""
    text = narrow(heading)
    for pattern in (_CHINESE, _ENGLISH, _SHORT):
        for match in pattern.finditer(text):
            scale = match["scale"]
            currencies = _currencies(match.groupdict())
            if scale is None and not currencies:
                continue
            key = (scale or "").lower().removesuffix("s") if scale else ""
            return Scale(_EXPONENTS.get(key, _EXPONENTS.get(key + "s", 0)), currencies)
    return None


def read_header_scale(header: str) -> Scale | None:
    """As `read_scale`, of a column's header or a row's label, where the bare word says it:
    "Millions"."""
    found = read_scale(header)
    if found is not None and found.exponent:
        return found
    bare = (Scale(exponent) for exponent, pattern in _IN_HEADER if pattern.search(header))
    return next(bare, found)


def _currencies(groups: dict[str, str | None]) -> tuple[str, ...]:
    for name in ("currency", "name", "first"):
        mark = groups.get(name)
        if mark and (match := BEFORE.search(mark.strip())):
            return currencies_of(match["mark"])
    return ()
