"""A glossary: terms with their other names, compiled for finding them in text.

Immutable: a tenant's new table is a new `Glossary`, and who began with the old one keeps it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple

#: What another name of a keyword weighs beside the keyword itself.
ALIAS_WEIGHT = 0.8


@dataclass(frozen=True, slots=True)
class Term:
    """A term as its trade writes it, its other names, its kind (such as "insurance") and its
    language ("en", "zh", or "" for any)."""

    name: str
    aliases: tuple[str, ...] = ()
    kind: str = ""
    language: str = ""

    @property
    def spellings(self) -> tuple[str, ...]:
        return (self.name, *self.aliases)


class TermMatch(NamedTuple):
    """`text[start:end]` is `term`, by its name or another one."""

    start: int
    end: int
    term: Term

    def as_json(self, text: str) -> dict[str, Any]:
        """The match in `text`, as an object of JSON."""
        return {
            "start": self.start,
            "end": self.end,
            "text": text[self.start : self.end],
            "term": self.term.name,
            "kind": self.term.kind,
            "language": self.term.language,
        }


class Glossary:
    """`terms`, no two of which share a spelling (`read_glossary` sees to that). May be used from
    any thread."""

    def __init__(self, terms: Iterable[Term]) -> None:
        # NumPy and the automaton are loaded by who has a glossary, not by all.
        from assay.terms.matcher import TermMatcher

        self.terms = tuple(terms)
        pairs = [(term, spelling) for term in self.terms for spelling in term.spellings]
        self._owners = [term for term, _ in pairs]
        self._matcher = TermMatcher([spelling for _, spelling in pairs])

    def __len__(self) -> int:
        return len(self.terms)

    @cached_property
    def digest(self) -> str:
        """Tells glossaries apart by what is in them."""
        state = blake2b(digest_size=16)
        for term in self.terms:
            state.update(repr((term.spellings, term.kind, term.language)).encode())
        return state.hexdigest()

    def find(self, text: str, *, overlapping: bool = False) -> list[TermMatch]:
        """The terms in `text`, in order, none of them overlapping (the longest counts); all of
        them with `overlapping`."""
        owners = self._owners
        found = self._matcher.find(text, overlapping=overlapping)
        return [TermMatch(start, end, owners[number]) for start, end, number in found]

    def explain(self, request: str) -> tuple[str, tuple[str, ...]]:
        """A request in the tenant's words, followed by the names of the terms that it has other
        words for, and those names."""
        written = request.lower()
        names = dict.fromkeys(match.term.name for match in self.find(request, overlapping=True))
        added = tuple(name for name in names if name.lower() not in written)
        return "; ".join((request, *added)), added

    def widen(self, keywords: Mapping[str, float]) -> Mapping[str, float]:
        """`keywords`, and for those that are terms their other names, weighing less."""
        more: dict[str, float] = {}
        for word, weight in keywords.items():
            for other in self._others(word):
                more[other] = max(more.get(other, 0.0), ALIAS_WEIGHT * weight)
        return {**more, **keywords} if more else keywords

    def _others(self, word: str) -> Iterator[str]:
        for match in self.find(word):
            if match.end - match.start == len(word):
                yield from (name for name in match.term.spellings if name != word)
