"""What a question says: its content words, the years it names, and how alike two texts are."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import log

from assay.patterns import lazy_pattern

_WORD = lazy_pattern(r"[a-z]{4,}(?=\d)|[a-z]+\d*|\d+(?:\.\d+)?|[\u4e00-\u9fff]", re.IGNORECASE)
_FOOTNOTE = lazy_pattern(r"\(\d\)|(?<=[a-z]{4})\d(?:,\d)*\b", re.IGNORECASE)
_YEAR = lazy_pattern(r"(?<![\d.,])(?:FY|fiscal )?((?:19|20)\d\d)(?!\d|[,.]\d)", re.IGNORECASE)
_RANGE = lazy_pattern(r"((?:19|20)\d\d)\s*(?:-|–|to|through|and)\s*((?:19|20)\d\d)")
_STOP = lazy_pattern(
    r"a|amount|amounts|an|and|april|are|as|at|august|average|be|been|between|by|change|changes|"
    r"company|compared|december|decrease|did|difference|do|does|during|ended|ending|february|"
    r"fiscal|for|from|how|in|increase|is|it|its|january|july|june|many|march|may|much|november|"
    r"october|of|on|or|over|per|percent|percentage|respectively|s|september|than|that|the|"
    r"their|there|this|to|under|value|values|was|were|what|when|where|which|who|whom|why|with|"
    r"year|years"
)


def _stem(word: str) -> str:
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("s", "")):
        if len(word) > 3 and word.endswith(ending) and not word.endswith(("ss", "us")):
            return word[: len(word) - len(ending)] + instead
    return word


def content_words(text: str) -> list[str]:
    """The words that say what a text is about, in lower case and singular; no years."""
    words = (match[0].lower() for match in _WORD.finditer(_FOOTNOTE.sub(" ", text)))
    return [
        _stem(word)
        for word in words
        if not _STOP.fullmatch(word) and not re.fullmatch(r"(?:19|20)\d\d", word)
    ]


def years_of(text: str) -> list[int]:
    """The years that a text names, each once, in order."""
    return list(dict.fromkeys(int(match[1]) for match in _YEAR.finditer(text)))


@dataclass(frozen=True)
class Question:
    """A question as the rules see it."""

    text: str

    @cached_property
    def words(self) -> list[str]:
        return content_words(self.text)

    @cached_property
    def years(self) -> list[int]:
        return years_of(self.text)

    @cached_property
    def span_of_years(self) -> list[int]:
        """The years named, and those between the two ends of a range."""
        found = set(self.years)
        for match in _RANGE.finditer(self.text):
            first, last = sorted((int(match[1]), int(match[2])))
            found.update(range(first, min(last, first + 20) + 1))
        return sorted(found)

    def says(self, pattern: str) -> bool:
        return re.search(pattern, self.text, re.IGNORECASE) is not None


class Likeness:
    """How alike two sets of words are: the F1 of their weights, rare words weighing more."""

    def __init__(self, texts: Iterable[Iterable[str]]) -> None:
        sets = [set(words) for words in texts]
        counts = Counter(word for words in sets for word in words)
        self._weights: Mapping[str, float] = {
            word: log(1 + (1 + len(sets)) / count) for word, count in counts.items()
        }
        self._most = log(2 + len(sets))

    def of(self, one: Iterable[str], other: Iterable[str]) -> float:
        mine, theirs = set(one), set(other)
        shared = self._sum(mine & theirs)
        return 2 * shared / (self._sum(mine) + self._sum(theirs)) if shared else 0.0

    def share(self, one: Iterable[str], other: Iterable[str]) -> float:
        """How much of `one` stands in `other`."""
        mine = set(one)
        return self._sum(mine & set(other)) / (self._sum(mine) or 1.0)

    def _sum(self, words: Iterable[str]) -> float:
        return sum(self._weights.get(word, self._most) for word in words)
