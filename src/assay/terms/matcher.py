"""Finding thousands of terms in running text at once (Aho and Corasick, 1975).

The automaton is `ahocorasick_rs`, Rust's aho-corasick. Terms of letters are found as whole words,
those of scripts without spaces anywhere. Of terms that overlap the one that begins first counts,
and of those that begin together the longest. Short forms in capitals ("ALL", "LC") are found as
they are written, so that they are not taken for words; everything else whatever its case.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

import ahocorasick_rs

from assay.terms.folding import Folded, fold_all, fold_both

# The longest short form in capitals that is not looked for in other cases.
_MAX_SHORT_FORM = 6


# The number of a pattern, and the folded bytes (end exclusive) that it stands at.
_Hit = tuple[int, int, int]


# Where in a text a spelling stands (end exclusive), and its number.
Found = tuple[int, int, int]


class TermMatcher:
    """Finds `spellings` in texts. Immutable; may be used from any thread.

    A spelling in letters is also found with the ending of an English plural.
    """

    def __init__(self, spellings: Sequence[str]) -> None:
        numbered = list(enumerate(spellings))
        short = [item for item in numbered if is_short_form(item[1])]
        others = [item for item in numbered if not is_short_form(item[1])]
        self._folded = _Automaton(_patterns(others, keeps_case=False), is_marked=True)
        self._exact = _Automaton(_patterns(short, keeps_case=True), is_marked=False)

    def find(self, text: str, *, overlapping: bool = False) -> list[Found]:
        """What stands in `text`, in order; with `overlapping` all of it, else the longest."""
        folded, exact = fold_both(text)
        found = self._folded.find(folded, overlapping)
        if short := self._exact.find(exact, overlapping):
            found = sorted(found + short, key=lambda item: (item[0], -item[1]))
            return found if overlapping else _without_overlaps(found)
        return found


def _patterns(spellings: Sequence[tuple[int, str]], *, keeps_case: bool) -> dict[bytes, int]:
    """What is looked for, and the number of the spelling that it is of. A term of its own comes
    before the plural of another."""
    plurals = [(number, plural) for number, item in spellings if (plural := _plural(item))]
    written = [*spellings, *plurals]
    patterns: dict[bytes, int] = {}
    folded = fold_all([text for _, text in written], keeps_case=keeps_case)
    for (number, _), pattern in zip(written, folded, strict=True):
        if pattern:
            patterns.setdefault(pattern, number)
    return patterns


def is_short_form(spelling: str) -> bool:
    """Whether it is found only as it is written: a few capitals, digits and signs."""
    return (
        len(spelling) <= _MAX_SHORT_FORM
        and spelling.isascii()
        and spelling.upper() == spelling
        and any(map(str.isalpha, spelling))
    )


class _Automaton:
    def __init__(self, patterns: dict[bytes, int], *, is_marked: bool) -> None:
        self._patterns = list(patterns)
        self._numbers = list(patterns.values())
        # Where words are marked, letters at the edges of a pattern are found as a whole word only.
        # What begins or ends with another part of a word, such as a digit, is to be looked at.
        wholes = [Folded(pattern, None, None) for pattern in self._patterns]
        self._opens = [_is_loose(item, 0, is_marked) for item in wholes]
        self._closes = [_is_loose(item, len(item.data) - 1, is_marked) for item in wholes]
        self._is_loose = [*map(max, self._opens, self._closes)]
        self._max_length = max(map(len, self._patterns), default=0)
        self._longest = _build(self._patterns, ahocorasick_rs.MatchKind.LeftmostLongest)

    @cached_property
    def _all(self) -> ahocorasick_rs.BytesAhoCorasick:
        """What finds terms inside of others as well: seldom needed."""
        return _build(self._patterns, ahocorasick_rs.MatchKind.Standard)

    def find(self, text: Folded, overlapping: bool) -> list[Found]:
        if not self._patterns:
            return []
        if overlapping:
            whole = sorted(self._overlapping(text, 0, len(text.data)), key=_order)
        else:
            hits = self._longest.find_matches_as_indexes(text.data)
            whole = self._whole(text, hits)
            if len(whole) < len(hits):
                whole = self._with_hidden(text, hits, whole)
        if not whole:
            return []
        numbers = self._numbers
        if not text.is_shifted:
            return [(start, end, numbers[number]) for number, start, end in whole]
        places, first, last = zip(*whole, strict=True)
        return [
            (start, end, numbers[place])
            for place, start, end in zip(places, *text.spans(first, last), strict=True)
        ]

    def _whole(self, text: Folded, hits: Iterable[_Hit]) -> list[_Hit]:
        is_loose = self._is_loose
        return [hit for hit in hits if not is_loose[hit[0]] or self._is_whole(text, hit)]

    def _with_hidden(self, text: Folded, hits: list[_Hit], whole: list[_Hit]) -> list[_Hit]:
        """The longest of `whole` and of what the others in `hits` hide: whatever was not found
        begins inside a hit, and counts where that hit does not."""
        candidates = set(whole)
        unread = set(hits).difference(whole)
        read: set[_Hit] = set()
        while unread:
            for _, start, end in unread:
                stop = min(end + self._max_length, len(text.data))
                hidden = self._overlapping(text, start, stop)
                candidates.update(other for other in hidden if other[1] < end)
            read |= unread
            chosen = _leftmost_longest(candidates)
            unread = set(whole).difference(chosen, read)
        return chosen

    def _overlapping(self, text: Folded, start: int, end: int) -> list[_Hit]:
        part = text.data[start:end]
        hits = self._all.find_matches_as_indexes(part, overlapping=True)
        return self._whole(
            text, [(number, first + start, last + start) for number, first, last in hits]
        )

    def _is_whole(self, text: Folded, hit: _Hit) -> bool:
        number, start, end = hit
        if self._closes[number] and text.is_word_at(end):
            return False
        return not (self._opens[number] and text.is_word_at(start - 1))


def _is_loose(pattern: Folded, place: int, is_marked: bool) -> bool:
    """Whether a pattern may be found in the middle of a word, for all that its edge tells."""
    code = pattern.data[place]
    if is_marked and (code < 32 or 65 <= code <= 90) and len(pattern.data) > 1:
        return False
    return pattern.is_word_at(place)


def _build(
    patterns: Sequence[bytes], kind: ahocorasick_rs.MatchKind
) -> ahocorasick_rs.BytesAhoCorasick:
    return ahocorasick_rs.BytesAhoCorasick(patterns, matchkind=kind)


def _order(hit: _Hit) -> tuple[int, int]:
    return hit[1], -hit[2]


def _leftmost_longest(hits: Iterable[_Hit]) -> list[_Hit]:
    kept: list[_Hit] = []
    end = 0
    for hit in sorted(hits, key=_order):
        if hit[1] >= end:
            kept.append(hit)
            end = hit[2]
    return kept


def _without_overlaps(found: Sequence[Found]) -> list[Found]:
    kept: list[Found] = []
    for item in found:
        if not kept or item[0] >= kept[-1][1]:
            kept.append(item)
    return kept


def _plural(spelling: str) -> str | None:
    """The English plural of what ends in a letter; None for all else."""
    if not spelling.isascii() or not spelling[-1:].isalpha() or len(spelling) < 3:
        return None
    if is_short_form(spelling):
        return spelling + "S"
    ending = spelling.lower()
    if ending.endswith(("s", "x", "ch", "sh")):
        return spelling + "es"
    if ending.endswith("y") and ending[-2:-1] not in "aeiou":
        return spelling[:-1] + "ies"
    return spelling + "s"
