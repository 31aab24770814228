"""Whether words stand in a request: those that a unit declares as its triggers, plainly or misspelt
by a letter or two, or those of an operator's rule, plainly."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from assay.routing.relevance import terms_of

#: How alike a misspelt word must be to a trigger word of five letters or more.
SIMILARITY = 0.84


def _alike(word: str, wanted: str) -> bool:
    if len(wanted) < 5:
        return word == wanted
    return difflib.SequenceMatcher(None, word, wanted).ratio() >= SIMILARITY


def _has_chinese(phrase: str) -> bool:
    return any(ord(character) > 0x2E7F for character in phrase)


def _matches(phrase: str, words: list[str], text: str) -> bool:
    if _has_chinese(phrase):
        return phrase in text
    terms = terms_of(phrase)
    return any(
        all(_alike(word, term) for word, term in zip(words[i:], terms, strict=False))
        for i in range(len(words) - len(terms) + 1)
    )


def stands_in(phrase: str, text: str) -> bool:
    """Whether the phrase's words stand in the text one after the other, but for case and plural;
    Chinese as it is written."""
    if _has_chinese(phrase):
        return phrase.lower() in text.lower()
    terms, words = terms_of(phrase), terms_of(text)
    starts = range(len(words) - len(terms) + 1)
    return bool(terms) and any(words[i : i + len(terms)] == terms for i in starts)


def match_triggers(text: str, triggers: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """The names whose trigger words stand in `text`, in the order of `triggers`."""
    words = terms_of(text)
    lowered = text.lower()
    return tuple(
        name
        for name, phrases in triggers.items()
        if any(_matches(phrase, words, lowered) for phrase in phrases)
    )
