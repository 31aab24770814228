"""Percentages, as the number of percent: "ten percent (10%)" is 10, "50 basis points" is 0.5."""

from __future__ import annotations

import re
from decimal import Decimal

from assay.normalize.digits import DIGITS, parse_digits
from assay.normalize.hanzi import DIGIT_CHARS, NUMERAL, parse_hanzi
from assay.normalize.number import find_numbers, join_restated
from assay.normalize.reading import Mention, Reading, narrow, read_mentions
from assay.patterns import lazy_pattern

_AFTER = lazy_pattern(
    r"\s{0,3}-?(?:(?P<percent>%|percent(?:s|age)?(?:\s+points?)?\b|per\s+cent(?:s|um)?\b|pct\b|p\.c\."
    r"|\s?[个個]\s?百\s?分\s?[点點])"
    r"|(?P<permille>‰|per\s+mill?e?\b)|(?P<basis>basis\s+points?\b|bps\b|bp\b|‱|个基点|個基點)"
    r"|(?P<tenth>成(?!立|为|本|员|果|交|年)(?P<more>半|[一二三四五六七八九\d](?!\d))?|折))",
    re.IGNORECASE,
)
_HAN = lazy_pattern(
    rf"(?<![{DIGIT_CHARS}十])(?P<base>[一壹]?[百佰千仟万萬億亿]{{1,3}})\s*[分份]\s*之\s*(?P<sign>[负負-])?\s*(?P<share>{NUMERAL}|{DIGITS}|百)"
    r"(?:\s?(?P<scale>[kK])(?![A-Za-z]))?"
)
_HALF = lazy_pattern(r"(?:对|對|半)折|(?P<tenth>半成)")
_FACTORS = {
    "percent": Decimal(1),
    "permille": Decimal("0.1"),
    "basis": Decimal("0.01"),
    "tenth": Decimal(10),
}


def find_percentages(text: str) -> tuple[Mention[Decimal], ...]:
    """The percentages stated in the text, in order, without overlaps."""
    plain = narrow(text)
    found = [*_find_han(plain)]
    taken = [(mention.start, mention.end) for mention in found]
    for number in find_numbers(plain):
        match = _AFTER.match(plain, number.end)
        if match is None or any(start < number.end and number.start < end for start, end in taken):
            continue
        factor = next(_FACTORS[kind] for kind in _FACTORS if match[kind])
        # A percentage has no groups of thousands: the mark before three digits is the decimal one.
        values = number.values[:1]
        if match["tenth"] == "折":
            if values[0] == 10:
                continue  # 十折 is no discount
            if values[0] > 10:
                values = (values[0] / 10,)  # 七五折 and 九折 are 75% and 90% of the price
        if match["more"]:  # 六成五, 六成半
            tenths = "半一二三四五六七八九".find(match["more"])
            tenths = int(match["more"]) if tenths < 0 else tenths or 5
            values = (values[0] + Decimal(tenths) / 10,)
        found.append(Mention(number.start, match.end(), tuple(value * factor for value in values)))
    for match in _HALF.finditer(plain):
        found.append(Mention(match.start(), match.end(), (Decimal(5 if match["tenth"] else 50),)))
    found.sort(key=lambda mention: mention.start)
    return join_restated(plain, [_tidy(mention) for mention in found])


def read_percentage(text: str) -> Reading[Decimal]:
    """All percentages that the text states, in percent."""
    return read_mentions(find_percentages(text))


def _find_han(text: str) -> list[Mention[Decimal]]:
    found = []
    for match in _HAN.finditer(text):
        share = Decimal(100) if match["share"] == "百" else parse_hanzi(match["share"])
        if share is None:
            digits = parse_digits(match["share"]) if match["share"][0].isascii() else ()
            share = digits[0] if digits else None
        if share is not None:
            base = parse_hanzi("一" + match["base"].lstrip("一壹")) or Decimal(100)
            value = share * 100 / base * (1000 if match["scale"] else 1)
            found.append(Mention(match.start(), match.end(), (-value if match["sign"] else value,)))
    return found


def _tidy(mention: Mention[Decimal]) -> Mention[Decimal]:
    """No zeros after the point but those that say how exact a figure is: 10.00 stays, 0.050 does
    not arise; an exponent is written out."""
    values = tuple(Decimal(format(value, "f")) for value in mention.values)
    return Mention(mention.start, mention.end, values)
