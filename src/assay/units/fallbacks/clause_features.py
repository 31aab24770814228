"""What a trained model of a kind of clause sees of a sentence: its cues, its words, its neighbours.

Every number and word is scaled so that weights of like size mean like much.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from assay.patterns import lazy_pattern
from assay.units.fallbacks.base import Region
from assay.units.fallbacks.cues import Cues, Weighed, examine_sentences

#: What all words of a sentence together may count, beside one cue.
_WORDS_SCALE, _CUE_SCALE, _CONTEXT_SCALE = 5.0, 0.5, 0.3
_MAX_WORDS, _MAX_HEADING_WORDS, _FURTHEST_BELOW = 150, 12, -6.0
_WORD = lazy_pattern(r"[a-z]+(?:['’-][a-z]+)*|\d+|[$%]")
# Sentences this many characters apart adjoin.
_NEAR = 8
HAN = lazy_pattern(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class SentenceFeatures:
    """`numbers` are in the order of `number_names`; each of `words` (a word, a pair of words, a
    word of the heading) counts `word_value`. `weight` is what the cues say by themselves; `hits`,
    which of them the sentence has."""

    span: Region
    numbers: tuple[float, ...]
    words: frozenset[str]
    word_value: float
    weight: float
    is_han: bool
    hits: tuple[bool, ...]


def number_names(cues: Cues) -> tuple[str, ...]:
    """What the numbers of a sentence are called; the cues by their number."""
    hits = tuple(f"cue {index}" for index in range(len(cues.cues)))
    return "weight", *hits, "heading", "before", "after", "below best", "rank"


def read_features(
    text: str, cues: Cues, regions: Sequence[Region] | None = None
) -> list[SentenceFeatures]:
    """The features of each sentence that holds the trigger, in order."""
    found = list(examine_sentences(text, cues, regions))
    weights = sorted(item.weight for item in found)
    features = []
    for index, item in enumerate(found):
        before = found[index - 1] if index else None
        after = found[index + 1] if index + 1 < len(found) else None
        num_better = len(weights) - bisect_right(weights, item.weight)
        context = (
            before.weight if before and item.span[0] - before.span[1] < _NEAR else 0.0,
            after.weight if after and after.span[0] - item.span[1] < _NEAR else 0.0,
            max(_FURTHEST_BELOW, item.weight - weights[-1]),
            math.log1p(num_better),
        )
        sentence = text[item.span[0] : item.span[1]]
        words = _words_of(sentence, item)
        features.append(
            SentenceFeatures(
                item.span,
                (
                    item.weight,
                    *(_CUE_SCALE * hit for hit in item.hits),
                    _CUE_SCALE * item.headed,
                    *(_CONTEXT_SCALE * max(_FURTHEST_BELOW, value) for value in context),
                ),
                words,
                _WORDS_SCALE / math.sqrt(max(1, len(words))),
                item.weight,
                HAN.search(sentence) is not None,
                item.hits,
            )
        )
    return features


def _words_of(sentence: str, item: Weighed) -> frozenset[str]:
    """Words and pairs of words, numbers all as `#`; the heading's with an `h:` before them."""
    words = _split(sentence)[:_MAX_WORDS]
    pairs = (f"{first} {second}" for first, second in pairwise(words))
    heading = (f"h:{word}" for word in _split(item.heading)[:_MAX_HEADING_WORDS])
    return frozenset((*words, *pairs, *heading))


def _split(text: str) -> list[str]:
    return ["#" if word[0].isdigit() else word for word in _WORD.findall(text.lower())]
