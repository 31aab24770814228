"""Identifiers of accounts, companies, securities and people: what they are, and whether they check.

An identifier whose check digits are wrong is one only where the text says what it is ("IBAN: …"):
then it is found and marked, since a wrong account number is what a reader wants to know of. VAT
numbers of countries whose check we do not have must be named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from assay.normalize import check_digits
from assay.normalize.check_digits import IBAN_LENGTHS, VAT
from assay.normalize.reading import Mention, Reading, narrow, read_mentions
from assay.patterns import lazy_pattern

Kind = Literal["iban", "lei", "isin", "vat", "credit_code", "resident_id"]


@dataclass(frozen=True, slots=True)
class Identifier:
    """`value` without spaces, in capitals. `valid`: its check digits are right; None if there are
    none that we know."""

    kind: Kind
    value: str
    valid: bool | None

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "value": self.value, "valid": self.valid}


@dataclass(frozen=True, slots=True)
class _Form:
    kind: Kind
    pattern: re.Pattern[str]
    label: re.Pattern[str]
    check: Callable[[str], bool | None]


def _check_iban(value: str) -> bool:
    return len(value) == IBAN_LENGTHS.get(value[:2]) and check_digits.iban(value)


def _check_vat(value: str) -> bool | None:
    form, check = VAT[value[:2]]
    if not re.fullmatch(form, value[2:]):
        return False
    return None if check is None else check(value[2:])


def _label(words: str) -> re.Pattern[str]:
    return lazy_pattern(rf"(?:{words})[^A-Za-z0-9\n]{{0,8}}\Z", re.IGNORECASE)


_VAT_FORMS = "|".join(
    rf"{country}[ .-]?{form.replace('Z0-9]{2}', 'Z0-9]{2}[ ]?')}".replace(r"\d{", r"(?:\d[ .]?){")
    for country, (form, _) in VAT.items()
)
_FORMS = (
    _Form(
        "iban",
        lazy_pattern(r"(?<![A-Z0-9])[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,4})?"),
        _label(r"\biban(?:\s*(?:no|number|nr))?|account(?:\s+number)?|账号|帐号"),
        _check_iban,
    ),
    _Form(
        "lei",
        lazy_pattern(r"(?<![A-Z0-9])[A-Z0-9]{18}\d{2}(?![A-Z0-9])"),
        _label(r"\blei(?:\s+code)?|legal\s+entity\s+identifier"),
        check_digits.lei,
    ),
    _Form(
        "isin",
        lazy_pattern(r"(?<![A-Z0-9])[A-Z]{2}[A-Z0-9]{9}\d(?![A-Z0-9])"),
        _label(r"\bisin(?:\s+(?:code|no|number))?"),
        check_digits.isin,
    ),
    _Form(
        "vat",
        lazy_pattern(rf"(?<![A-Z0-9])(?:{_VAT_FORMS})(?![A-Z0-9])"),
        _label(
            r"\bvat(?:\s+(?:reg\w*\s+)?(?:no|number|id))?|\bust-?id(?:\W?nr)?|\btva|\bbtw"
            r"|p(?:artita)?\.?\s?iva|\bnif|\bcif|umsatzsteuer\S*|tax\s+(?:no|number|id)"
        ),
        _check_vat,
    ),
    _Form(
        "credit_code",
        lazy_pattern(
            r"(?<![A-Z0-9])[0-9A-HJ-NPQRTUWXY]{2}\d{6}[0-9A-HJ-NPQRTUWXY]{10}(?![A-Z0-9])"
        ),
        _label(r"信用代码|信用代碼|税号|纳税人识别号|unified\s+social\s+credit\s+code|uscc"),
        check_digits.credit_code,
    ),
    _Form(
        "resident_id",
        lazy_pattern(r"(?<![A-Z0-9])[1-9]\d{5}(?:18|19|20)\d{9}[\dX](?![A-Z0-9])"),
        _label(
            r"身份证(?:号码?)?|公民身份号码|resident\s+id(?:entity)?(?:\s+card)?(?:\s+(?:no|number))?"
        ),
        check_digits.resident_id,
    ),
)
_REACH = 40


def find_identifiers(text: str) -> tuple[Mention[Identifier], ...]:
    """The identifiers in the text, in order, without overlaps. One that may be of two kinds has
    both values, unless the text names one."""
    plain = narrow(text)
    named: list[Mention[Identifier]] = []
    plainly: list[Mention[Identifier]] = []
    for form in _FORMS:
        for mention, is_named in _find(plain, form):
            (named if is_named else plainly).append(mention)
    kept: list[Mention[Identifier]] = []
    for mention in [*named, *sorted(plainly, key=lambda item: (item.start, -item.end))]:
        same = [item for item in kept if item.start < mention.end and mention.start < item.end]
        if not same:
            kept.append(mention)
        elif (same[0].start, same[0].end) == (mention.start, mention.end) and same[0] not in named:
            values = same[0].values + mention.values
            kept[kept.index(same[0])] = Mention(mention.start, mention.end, values)
    return tuple(sorted(kept, key=lambda item: item.start))


def read_identifier(text: str) -> Reading[Identifier]:
    """All identifiers that the text states."""
    return read_mentions(find_identifiers(text))


def identify(value: str) -> tuple[Identifier, ...]:
    """What an identifier may be that stands by itself: the kinds that check, or else those whose
    form it has."""
    plain = narrow(value).strip()
    items: list[Identifier] = []
    for form in _FORMS:
        match = form.pattern.fullmatch(plain)
        if match is not None:
            compact = re.sub(r"[ .-]", "", plain)
            items.append(Identifier(form.kind, compact, form.check(compact)))
    return tuple(item for item in items if item.valid) or tuple(items)


def _find(text: str, form: _Form) -> Iterator[tuple[Mention[Identifier], bool]]:
    for match in form.pattern.finditer(text):
        start, end = match.span()
        value = re.sub(r"[ .-]", "", match.group())
        if form.kind == "iban":
            value, end = _cut(value, text, start, end)
        is_named = bool(form.label.search(text, max(0, start - _REACH), start))
        valid = form.check(value)
        if valid or (is_named and value):
            yield Mention(start, end, (Identifier(form.kind, value, valid),)), is_named


def _cut(value: str, text: str, start: int, end: int) -> tuple[str, int]:
    """An IBAN as long as its country's are: what is behind it is another word."""
    length = IBAN_LENGTHS.get(value[:2], len(value))
    at, count = start, 0
    while at < end and count < length:
        count += text[at] != " "
        at += 1
    return value[:length], at
