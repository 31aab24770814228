"""What is asked for one field, and how its answer is found, checked and replaced."""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from assay.units.fallbacks.base import DraftFallback, Fallback

#: A validator looks at a field's JSON value and its quotations, and returns a complaint or None.
Validator = Callable[[Any, tuple[str, ...]], str | None]

NO_ARGUMENTS: Final[Mapping[str, Any]] = MappingProxyType({})
#: What the words of an argument weigh among keywords.
ARGUMENT_WEIGHT = 2.0


@dataclass(frozen=True, slots=True)
class Example:
    """A few-shot example: what a text says, and the field's answer to it."""

    excerpt: str
    answer: Any


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked for one field, and how its answer is found, checked and replaced.

    `keywords` weigh the words by which segments are chosen; `head` and `tail` favour the start and
    the end of the document. `num_segments` bounds what the model sees, `max_items` the length of a
    list that it writes, `max_found` that of one which a fallback finds in the whole document.

    Where the unit has arguments, `$name` in the texts stands for the one of that name ("$$" for a
    dollar sign), and the words of those in `keywords_from` are keywords as well.

    An answer whose confidence reaches `enough` ends the chain; one that stays below `floor` counts
    as absent. Where there are `cues` (patterns, case ignored), only sentences in which one stands
    are offered for copying.
    """

    text: str
    keywords: Mapping[str, float] = field(default_factory=dict)
    text_zh: str | None = None
    keywords_from: tuple[str, ...] = ()
    head: float = 0.0
    tail: float = 0.0
    num_segments: int = 4
    cues: tuple[str, ...] = ()
    max_tokens: int = 160
    max_items: int = 8
    max_found: int = 1000
    examples: tuple[Example, ...] = ()
    validators: tuple[Validator, ...] = ()
    fallbacks: tuple[Fallback | DraftFallback, ...] = ()
    enough: float = 0.8
    floor: float = 0.25

    def asked(self, arguments: Mapping[str, Any] = NO_ARGUMENTS, *, chinese: bool = False) -> str:
        """The text of the question, about these arguments."""
        text = self.text_zh if chinese and self.text_zh else self.text
        return string.Template(text).substitute(arguments) if arguments else text

    def keywords_for(self, arguments: Mapping[str, Any]) -> Mapping[str, float]:
        """`keywords`, and those that the arguments bring."""
        if not self.keywords_from:
            return self.keywords
        words = (str(arguments[name]) for name in self.keywords_from if arguments.get(name))
        return {**dict.fromkeys(words, ARGUMENT_WEIGHT), **self.keywords}

    @property
    def placeholders(self) -> frozenset[str]:
        """The arguments that the texts name."""
        texts = (self.text, self.text_zh or "")
        return frozenset().union(*(placeholders_of(text) for text in texts))


def placeholders_of(template: str) -> frozenset[str]:
    """The names that a template has placeholders for; what is none at all stands for itself."""
    found = string.Template.pattern.finditer(template)
    return frozenset(
        match["named"] or match["braced"] or match[0] for match in found if match[0] != "$$"
    )
