"""A price in a cell of its own, whose currency may stand in another: "1.899,-" beside "EUR".

In a cell that is known to be a price, short local forms denote currencies ("1 R", "200 q"), the
last mark of a figure decides whatever is odd about it ("36. 24", ".75"), and of several figures
the one beside a currency is meant, or else the first that is no percentage.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from assay.normalize.currencies import (
    CODES,
    NAMES,
    SIGNS,
    WHOLE,
    alternation,
    currencies_of,
    read_table,
)
from assay.normalize.digits import parse_digits
from assay.normalize.price_marks import MARKS
from assay.normalize.reading import narrow
from assay.patterns import lazy_pattern

_LOCAL = read_table(MARKS)
# Signs of a letter and a dollar or pound: "AR$", "$U".
_COMPOUND = [mark for mark in _LOCAL if len(mark) > 1 and set(mark) & set("$£¥")]
_PLAIN_SIGNS = [sign for sign in SIGNS if not sign[0].isalnum() and not sign[-1].isalnum()]
_WORDS = [*CODES, *(sign for sign in SIGNS if sign not in _PLAIN_SIGNS), *NAMES]
_NOT_BEFORE, _NOT_AFTER = r"(?<![^\W\d_])", r"(?![^\W\d_])"
_SURE = lazy_pattern(
    rf"(?P<mark>{_NOT_BEFORE}(?:{alternation(_WORDS)}){_NOT_AFTER}"
    rf"|{_NOT_BEFORE}(?:{alternation(s for s in SIGNS if s[0].isalpha() and not s[-1].isalpha())})"
    rf"|(?:{_NOT_BEFORE}(?:{alternation(_COMPOUND)}){_NOT_AFTER})"
    rf"|{alternation(_PLAIN_SIGNS)}|(?i:{_NOT_BEFORE}(?:{alternation(NAMES)}){_NOT_AFTER})"
    rf"|{_NOT_BEFORE}(?i:pln|eur|usd|gbp|chf|czk){_NOT_AFTER})"
)
# Arabic short forms end in a dot and an unseen mark of direction, or in neither.
_ARABIC_END = r"(?:(?<=[\u0600-\u06ff])\.?\u200f?|(?<=[\u0600-\u06ff]\.)\u200f?)?"
_ANY = lazy_pattern(
    rf"(?P<mark>{_SURE.pattern.replace('?P<mark>', '?:')}"
    rf"|{_NOT_BEFORE}(?:{alternation(_LOCAL)}){_NOT_AFTER}{_ARABIC_END})"
)
_FIGURE = lazy_pattern(
    r"(?<![\d.,])(?:\.\.?(?=\d))?\d{1,3}(?:(?:[ .,']|\. )\d{3})+(?!\d)(?:[.,]\s?\d{1,3}(?!\d))?"
    r"|(?:(?<![^\W\d_])(?<!/)\.)?\d+(?:[.,]\s?\d+)*"
)
# "35€ 99": the sign stands where the decimal mark would.
_SIGN_BETWEEN = lazy_pattern(r"(?<=\d)\s?(?P<sign>[€£$])\s?(?=\d\d\s*(?:\Z|[^\w\s.,]))")
_FREE = lazy_pattern(r"^\W*(?:free|gratis|免费|免費)\W*$", re.IGNORECASE)
# "MOP$" and "CUC$" are signs of their own.
_CODE_NEAR = lazy_pattern(
    rf"(?<![A-Za-z])(?:{'|'.join(sorted(CODES - {'CUC', 'MOP'}))}|(?:CUC|MOP)(?!\$))(?![A-Za-z])"
)
_GAP = lazy_pattern(r"[\s.:\-–—(]*\Z")


@dataclass(frozen=True, slots=True)
class Price:
    """What a cell says: an amount or None, and the mark of its currency ("" if none is told), with
    the currencies that it may denote."""

    amount: Decimal | None
    mark: str = ""
    currencies: tuple[str, ...] = ()


def read_price(text: str, hint: str = "", *, decimal_mark: str | None = None) -> Price:
    """The price that a cell states. `hint` is a cell or heading that may tell the currency;
    `decimal_mark` is the decimal mark where that is known, a sign such as "€" included."""
    plain = narrow(text)
    between = _SIGN_BETWEEN.search(plain) if decimal_mark is None else None
    if between is not None and plain.count(between["sign"]) == 1:
        whole = re.sub(r"(?<=\d)[.,](?=\d{3}(?:[.,]|\Z))", "", plain[: between.start()])
        plain, decimal_mark = f"{whole}.{plain[between.end() :]}", between["sign"]
    elif decimal_mark is not None and decimal_mark not in ".,":
        plain = re.sub(rf"(?<=\d){re.escape(decimal_mark)}(?=\d)", ".", plain)
    figures = [
        match for match in _FIGURE.finditer(plain) if plain[match.end() : match.end() + 1] != "%"
    ]
    chosen, mark = _choose(plain, figures)
    if not mark:
        mark = _mark_in(plain if decimal_mark in {None, ".", ","} else text) or _mark_in(hint)
    codes = currencies_of(mark) or _LOCAL.get(mark) or _LOCAL.get(mark.rstrip(".\u200f"), ())
    if chosen is None:
        return Price(Decimal(0) if _FREE.search(plain) else None, mark, codes)
    return Price(_amount(chosen, codes, decimal_mark), mark, codes)


def _choose(text: str, figures: Sequence[re.Match[str]]) -> tuple[re.Match[str] | None, str]:
    """The figure that is the price, and the mark beside it."""
    for pattern in (_SURE, _ANY):
        marks = [*pattern.finditer(text)]
        for figure in figures:
            for mark in marks:
                if mark.end() <= figure.start() and _GAP.match(text[mark.end() : figure.start()]):
                    return figure, _code_near(text, figure) or mark["mark"].strip()
            for mark in marks:
                if mark.start() >= figure.end() and _GAP.match(text[figure.end() : mark.start()]):
                    return figure, _code_near(text, figure) or mark["mark"].strip()
    return (figures[0] if figures else None), ""


def _mark_in(text: str) -> str:
    """The mark in a cell without a figure of its own: a sure one, or a short form that is all."""
    plain = narrow(text)
    whole = _ANY.fullmatch(plain.strip())
    match = whole or _SURE.search(plain)
    return match["mark"].strip() if match else ""


def _code_near(text: str, figure: re.Match[str]) -> str:
    """An ISO code beside the sign of a figure says more than the sign: "NZD $5", "$5 AUD"."""
    after = _CODE_NEAR.match(text, figure.end() + (text[figure.end() : figure.end() + 1] == " "))
    before = [*_CODE_NEAR.finditer(text, max(0, figure.start() - 7), figure.start())]
    match = after or (before[-1] if before else None)
    return match.group() if match else ""


def _amount(
    match: re.Match[str], codes: tuple[str, ...], decimal_mark: str | None
) -> Decimal | None:
    digits = re.sub(r"[\s']", "", match.group()).lstrip(".")
    digits = ("0." if match.group().startswith(".") else "") + digits
    digits = digits.rstrip(".,")
    values = parse_digits(digits, decimal_mark if decimal_mark in {".", ","} else None)
    if not values:
        return None
    # Three digits behind a dot: prices have two decimals, or none.
    return values[-1] if decimal_mark is None or WHOLE.issuperset(codes) else values[0]
