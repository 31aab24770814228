"""Finds times in running text and says what they mean at a reference.

A text is cut into runs of words that can be part of a time; each run is parsed by itself, and runs
longer than `_LONGEST` are cut, so that the work grows with the text and no faster.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from assay.normalize.reading import Mention, distinct, narrow
from assay.normalize.temporal.chart import Grammar, Node, parse
from assay.normalize.temporal.chinese import CHINESE
from assay.normalize.temporal.chinese.grammar import CHINESE_RUN, chinese_seeds
from assay.normalize.temporal.chinese_holidays import find_chinese_holidays
from assay.normalize.temporal.english import ENGLISH
from assay.normalize.temporal.english_holidays import find_holidays
from assay.normalize.temporal.grain import Grain, Interval
from assay.normalize.temporal.series import resolve
from assay.normalize.temporal.simplified import simplified
from assay.normalize.temporal.tokens import Context, Time, meant
from assay.normalize.temporal.vocabulary import NUMBER_WORD, STRONG, VOCABULARY
from assay.normalize.temporal.zones import ZONES
from assay.normalize.words import find_word_numbers
from assay.patterns import lazy_pattern

_LONGEST = 120
_SHORT = 24
_HAN = lazy_pattern(r"[\u4e00-\u9fff]")
_WORD = lazy_pattern(r"[A-Za-z]+|\d+|\S")
_BETWEEN = frozenset(",.:/-–—~@()'\"’")
_NUMBERISH = lazy_pattern(r"(\d{1,2})(?:st|nd|rd|th)\b", re.IGNORECASE)
_DIGITS = lazy_pattern(r"(?<![\d.,])\d{1,4}(?![\d,]\d|\w|\.\d)")
_COUNTS = lazy_pattern(r"\s+(?!(?:of|at|in|from|to|and|or|for|with|by)\b)[A-Za-z]")
_ABBREVIATION = lazy_pattern(r"(?:[ap]\.?\s?m|[abc]\.\s?[dec])\.\Z", re.IGNORECASE)
_PRICE = lazy_pattern(r"[$€£¥]\s?\d[\d.,]*")
_PREPOSITION = lazy_pattern(r"(?:on|at|during|around|about|for|in)\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Moment:
    """A time: from `start` up to, and without, `end`, told in `grain`; either is None where only
    the other is told ("since 2014"). `series`: it comes again, and this is one of its turns."""

    start: datetime | None
    end: datetime | None
    grain: Grain

    def as_json(self) -> dict[str, Any]:
        return {
            "start": self.start.isoformat() if self.start else None,
            "end": self.end.isoformat() if self.end else None,
            "grain": self.grain.name.lower(),
        }


def find_times(
    text: str,
    reference: datetime,
    *,
    region: str = "",
    day_first: bool | None = None,
) -> tuple[Mention[Moment], ...]:
    """The times that the text states, in order, without overlaps, counted from `reference`. What
    the words leave open has several values, the one to come first. `region` is a country code, for
    its holidays; `day_first` the order of figures such as 3/4, open if None."""
    context = context_of(reference, region, day_first)
    return tuple(
        Mention(start, end, moments(time, context))
        for start, end, time in parse_times(text, context)
    )


def context_of(reference: datetime, region: str, day_first: bool | None) -> Context:
    offset = reference.utcoffset()
    hours = offset.total_seconds() / 3600 if offset is not None else 0.0
    return Context(reference.replace(tzinfo=None), day_first, region.upper(), hours)


def moments(time: Time, context: Context) -> tuple[Moment, ...]:
    """The values of a time at the reference."""
    found = [meant(time, context.reference)]
    found += [resolve(series, context.reference) for series in time.others]
    return distinct(_moment(time, item) for item in found if item is not None)


def _moment(time: Time, item: Interval) -> Moment:
    start = None if time.bound == "before" else item.start
    end = None if time.bound == "after" else item.start if time.bound else item.end
    return Moment(start, end, item.grain)


def parse_times(text: str, context: Context) -> Iterator[tuple[int, int, Time]]:
    """(start, end, time) of the times in a text, in order."""
    plain = narrow(text)
    found: list[tuple[int, int, Time]] = []
    holidays = [*find_holidays(plain, context.region)]
    named = [Node(start, end, "time", time, 0.6) for start, end, time in holidays]
    has_han = _HAN.search(plain) is not None
    for low, high in _runs(plain, [(start, end) for start, end, _ in holidays]):
        if has_han and not re.search(r"[A-Za-z]{2}", plain[low:high]):
            continue  # figures in a Chinese text are read in the Chinese order
        seeds = _seeds(plain, low, high)
        seeds += [node for node in named if low <= node.start and node.end <= high]
        nodes = parse(ENGLISH, plain, low, high, seeds, context)
        found += _chosen(plain, nodes, context)
    if has_han:
        found += _find_chinese(simplified(plain), context)
    last = 0
    for start, end, time in sorted(found, key=lambda item: (item[0], -item[1])):
        if start >= last:
            yield start, end, time
            last = end


def _find_chinese(text: str, context: Context) -> Iterator[tuple[int, int, Time]]:
    named = [
        Node(start, end, "time", time, 0.3)
        for start, end, time in find_chinese_holidays(text, context.region)
    ]
    masked = list(text)
    for node in named:  # a holiday is part of a run whatever its characters
        masked[node.start : node.end] = "日" * (node.end - node.start)
    for match in CHINESE_RUN.finditer("".join(masked)):
        for low in range(match.start(), match.end(), _LONGEST):
            high = min(low + _LONGEST, match.end())
            seeds = chinese_seeds(text, low, high)
            seeds += [node for node in named if low <= node.start and node.end <= high]
            nodes = parse(CHINESE, text, low, high, seeds, context)
            yield from _chosen(text, nodes, context)


def _runs(text: str, named: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The stretches of words that may be part of a time; `named` ones are. One that has nothing but
    numbers and small words is taken only if it is short: "ten thirty", "on the 27th"."""
    low = high = -1
    strong = False
    names = {at for start, end in named for at in range(start, end)}
    prices = {at for price in _PRICE.finditer(text) for at in range(*price.span())}
    for match in _WORD.finditer(text):
        word = match.group().lower()
        known = word in VOCABULARY or word in ZONES or word.isdigit() or match.start() in names
        known = known or bool(NUMBER_WORD.fullmatch(word))
        joins = word in _BETWEEN
        if match.start() in prices:
            known = joins = False
        if not (known or (joins and low >= 0)) or (low >= 0 and match.end() - low > _LONGEST):
            if strong or 0 <= low < high <= low + _SHORT:
                yield low, high
            low, strong = -1, False
            if not known:
                continue
        if low < 0:
            low = match.start()
        high = match.end()
        strong = strong or word in STRONG or word in ZONES or match.start() in names
    if strong or 0 <= low < high <= low + _SHORT:
        yield low, high


def _seeds(text: str, low: int, high: int) -> list[Node]:
    seeds = []
    stretch = text[low:high]
    for number in find_word_numbers(stretch):
        kind = "ordinal" if number.ordinal else "number"
        if number.value < 10_000:
            value = int(number.value)
            seeds.append(Node(low + number.start, low + number.end, kind, value))
            words = [*re.finditer(r"[A-Za-z]+", stretch[number.start : number.end])]
            seeds += _pieces(stretch, low, number.start, words)
    for match in _DIGITS.finditer(text, low, high):
        seeds.append(Node(match.start(), match.end(), "number", int(match.group())))
    for match in _NUMBERISH.finditer(text, low, high):
        seeds.append(Node(match.start(), match.end(), "ordinal", int(match[1])))
    return seeds


def _pieces(stretch: str, low: int, start: int, words: Sequence[re.Match[str]]) -> Iterator[Node]:
    """The numbers that a number is made of: "nine fifty nine" is also 9 and 59."""
    if len(words) < 2:
        return
    for first in range(len(words)):
        for last in range(first + 1, min(first + 3, len(words)) + 1):
            begin, end = start + words[first].start(), start + words[last - 1].end()
            numbers = [*find_word_numbers(stretch[begin:end])]
            if len(numbers) == 1 and numbers[0].end == end - begin and numbers[0].start == 0:
                kind = "ordinal" if numbers[0].ordinal else "number"
                if numbers[0].value < 10_000:
                    yield Node(low + begin, low + end, kind, int(numbers[0].value), 0.3)


def _chosen(text: str, nodes: Sequence[Node], context: Context) -> list[tuple[int, int, Time]]:
    """The longest times, the cheapest of those at one place, without overlaps."""
    times = [node for node in nodes if node.kind == "time" and not node.value.latent]
    times.sort(key=lambda node: (node.start - node.end, node.cost))
    taken: list[Node] = []
    for node in times:
        if all(node.end <= other.start or other.end <= node.start for other in taken):
            taken.append(node)
    found = []
    places = {(node.start, node.end) for node in times}
    for node in taken:
        start = node.start
        lead = _PREPOSITION.match(text, start)
        plain = not lead or not lead.group().lower().startswith("in")
        plain = plain or node.value.form in {"date", "month", "year", "season", "holiday"}
        if lead and (plain or (lead.end(), node.end) in places):
            start = lead.end()
        if node.value.form == "ordinal_day" and _COUNTS.match(text, node.end):
            continue  # "the 30th anniversary"
        end = node.end
        if text[end - 1] == "." and not _ABBREVIATION.search(text, start, end):
            end -= 1
        if meant(node.value, context.reference) is not None:
            found.append((start, end, node.value))
    return found


GRAMMARS: tuple[Grammar, ...] = (ENGLISH, CHINESE)
