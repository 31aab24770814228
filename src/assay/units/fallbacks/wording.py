"""The sentence that has the most of some words: what is left where a kind of sentence is known by
its words alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank
from assay.units.fallbacks.cues import Cues, weigh_sentences

#: How sure such a sentence is (set by hand, not measured), and how much lighter than the heaviest
#: another of them may be.
_SCORE, _LIGHTEST = 0.5, 0.7


@dataclass(frozen=True)
class SentenceByWords:
    """Sentences that have one of `must_have` (any of `words` if there are none), by the weight of
    the words that stand in them; those much lighter than the heaviest are left out. A word that
    ends with * is the beginning of one."""

    words: Mapping[str, float]
    must_have: tuple[str, ...] = ()
    path: AnswerPath = AnswerPath.HEURISTIC

    @cached_property
    def _cues(self) -> Cues:
        trigger = _any_of(self.must_have or self.words)
        weighed = ((weight, _any_of([word])) for word, weight in self.words.items())
        return Cues(trigger, _any_of(self.words), tuple(weighed))

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        found = list(weigh_sentences(document_text, self._cues, regions))
        most = max((weight for weight, _ in found), default=1.0)
        return rank(
            Candidate(*span, _SCORE * weight / most)
            for weight, span in found
            if weight >= _LIGHTEST * most
        )


def _any_of(words: Iterable[str]) -> re.Pattern[str]:
    return lazy_pattern("|".join(map(word_pattern, words)), re.IGNORECASE)


def word_pattern(word: str) -> str:
    """What matches a word or phrase, however its spaces are written; one that ends with * matches
    what begins so. Nothing else in it has a meaning."""
    stem = word.removesuffix("*")
    body = r"\s+".join(re.escape(part) for part in stem.split())
    before = r"\b" if stem[:1].isascii() and stem[:1].isalnum() else ""
    after = r"\b" if not word.endswith("*") and stem[-1:].isascii() and stem[-1:].isalnum() else ""
    return f"{before}{body}{after}"
