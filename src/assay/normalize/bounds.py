"""Ranges: "between 15 and 40 dollars", "at least 5%", 三块以上, "3-5 km".

A range is read around mentions of any kind that have been found before; a bare number before the
mark of a range takes the kind of what stands behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Generic, TypeVar

from assay.normalize.number import find_numbers
from assay.normalize.reading import Mention, narrow
from assay.patterns import lazy_pattern

T = TypeVar("T")

_BETWEEN = lazy_pattern(r"(?:between|from|从|自|在)\s*(?:about\s+|around\s+)?\Z", re.IGNORECASE)
_TO = lazy_pattern(
    r"\s*(?:-|–|—|~|～|to|and|through|until|up\s+to|到|至|和|与)\s*(?:about\s+|around\s+)?\Z", re.I
)
_PLAIN_TO = lazy_pattern(r"\s*(?:-|–|—|~|～|to|through|到|至)\s*\Z", re.IGNORECASE)
_LOW = lazy_pattern(
    r"(?:at\s+least|no\s+less\s+than|not\s+less\s+than|more\s+than|over|above|exceeding"
    r"|greater\s+than|in\s+excess\s+of|a\s+minimum\s+of|至少|起码|起碼|最少|不少于|不少於|不低于|超过|超過|大于|多于|高于)\s*\Z",
    re.IGNORECASE,
)
_HIGH = lazy_pattern(
    r"(?:at\s+most|no\s+more\s+than|not\s+more\s+than|less\s+than|lower\s+than|under|below"
    r"|up\s+to|fewer\s+than|not\s+exceeding|a\s+maximum\s+of|最多|至多|不超过|不超過|不多于|不高于|小于|少于|低于)\s*\Z",
    re.IGNORECASE,
)
_LOW_AFTER = lazy_pattern(r"\s*(?:or\s+(?:more|above|over|greater)|以上|及以上|起)", re.IGNORECASE)
_HIGH_AFTER = lazy_pattern(r"\s*(?:or\s+(?:less|below|under|fewer)|以下|及以下|以内|以內)", re.I)
_REACH = 32


@dataclass(frozen=True, slots=True)
class Range(Generic[T]):
    """From `low` up to `high`; None where there is no such end."""

    low: T | None
    high: T | None


def find_ranges(
    text: str, mentions: Sequence[Mention[T]], with_amount: Callable[[T, Decimal], T]
) -> tuple[Mention[Range[T]], ...]:
    """The ranges around mentions, in order; those without a word of range are left out.
    `with_amount` makes a value of a bare number, of the kind of a given value."""
    plain = narrow(text)
    taken = {(mention.start, mention.end) for mention in mentions}
    bare = [item for item in find_numbers(plain) if not any(
        start < item.end and item.start < end for start, end in taken)]  # fmt: skip
    found: list[Mention[Range[T]]] = []
    index = 0
    while index < len(mentions):
        mention = mentions[index]
        following = mentions[index + 1] if index + 1 < len(mentions) else None
        pair = _pair(plain, mention, following)
        if pair is not None:
            found.append(pair)
            index += 2
            continue
        single = _from_bare(plain, bare, mention, with_amount) or _one_sided(plain, mention)
        if single is not None:
            found.append(single)
        index += 1
    return tuple(found)


def _pair(text: str, first: Mention[T], second: Mention[T] | None) -> Mention[Range[T]] | None:
    if second is None:
        return None
    gap = text[first.end : second.start]
    lead = _BETWEEN.search(text, max(0, first.start - _REACH), first.start)
    if not (_TO if lead else _PLAIN_TO).fullmatch(gap):
        return None
    start = lead.start() if lead else first.start
    return Mention(start, second.end, (Range(first.values[0], second.values[0]),))


def _from_bare(
    text: str,
    bare: Sequence[Mention[Decimal]],
    mention: Mention[T],
    with_amount: Callable[[T, Decimal], T],
) -> Mention[Range[T]] | None:
    for number in bare:
        if number.end > mention.start or mention.start - number.end > 16:
            continue
        pair = _pair(text, Mention(number.start, number.end, (mention.values[0],)), mention)
        if pair is not None:
            low = with_amount(mention.values[0], number.values[0])
            return Mention(pair.start, pair.end, (Range(low, mention.values[0]),))
    return None


def _one_sided(text: str, mention: Mention[T]) -> Mention[Range[T]] | None:
    begin = max(0, mention.start - _REACH)
    value = mention.values[0]
    low, high = (pattern.search(text, begin, mention.start) for pattern in (_LOW, _HIGH))
    match = min((item for item in (low, high) if item), key=lambda item: item.start(), default=None)
    if match is not None:  # "no more than" holds "more than"
        bounds = Range(value, None) if match is low else Range(None, value)
        return Mention(match.start(), mention.end, (bounds,))
    for pattern, bounds in ((_LOW_AFTER, Range(value, None)), (_HIGH_AFTER, Range(None, value))):
        if match := pattern.match(text, mention.end):
            return Mention(mention.start, match.end(), (bounds,))
    return None
