"""From a request in words to the units it means, by the words that each unit declares.

A unit is meant when one of its trigger words stands in the request, plainly or misspelt by a
letter or two. A request that fits no unit is told so.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from assay.errors import NoMatchingUnitError
from assay.routing.relevance import terms_of

#: How alike a misspelt word must be to a trigger word of five letters or more.
SIMILARITY = 0.84


def _alike(word: str, wanted: str) -> bool:
    if len(wanted) < 5:
        return word == wanted
    return difflib.SequenceMatcher(None, word, wanted).ratio() >= SIMILARITY


def _matches(phrase: str, words: list[str], text: str) -> bool:
    if any(ord(character) > 0x2E7F for character in phrase):
        return phrase in text
    terms = terms_of(phrase)
    return any(
        all(_alike(word, term) for word, term in zip(words[i:], terms, strict=False))
        for i in range(len(words) - len(terms) + 1)
    )


def match_triggers(text: str, triggers: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """The names whose trigger words stand in `text`, in the order of `triggers`.

    Raises:
        NoMatchingUnitError: none does.
    """
    words = terms_of(text)
    lowered = text.lower()
    names = tuple(
        name
        for name, phrases in triggers.items()
        if any(_matches(phrase, words, lowered) for phrase in phrases)
    )
    if not names:
        raise NoMatchingUnitError(
            f"no unit answers {text!r}",
            remedy="`assay units` lists what can be asked; name one with --unit",
        )
    return names
