"""Which segments of a document a question needs: BM25 over its words, with priors.

Reference: Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond"
(2009). Words are lower-cased runs of letters and digits with a light plural stem; Chinese, which
has no spaces, is indexed by pairs of characters.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from assay.patterns import lazy_pattern

_TOKEN = lazy_pattern(r"[一-鿿]+|[^\W_]+")
_CJK = lazy_pattern(r"[一-鿿]")

K1 = 1.2
B = 0.6
#: A title counts as much as this many mentions in running text.
PHRASE_WEIGHT = 2.0


def terms_of(text: str) -> list[str]:
    """The index terms of a text, in order."""
    terms: list[str] = []
    for match in _TOKEN.finditer(text.lower()):
        word = match.group()
        if _CJK.match(word):
            terms.extend(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        elif len(word) > 4 and word.endswith("ies"):
            terms.append(word[:-3] + "y")
        elif len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
            terms.append(word[:-1])
        else:
            terms.append(word)
    return terms


@dataclass(frozen=True, slots=True)
class Scored:
    """A segment's index and how much it matters to the question (at least 0)."""

    index: int
    score: float


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a segment's score, and the reason for it: a word, a “phrase”, or its place."""

    index: int
    reason: str
    amount: float


@dataclass(slots=True)
class RelevanceIndex:
    """A BM25 index over the segments of one document. Built once, asked many times."""

    num_segments: int
    _lengths: list[int] = field(default_factory=list)
    _postings: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    _lowered: list[str] = field(default_factory=list)

    @classmethod
    def build(cls, texts: Iterable[str]) -> RelevanceIndex:
        index = cls(0)
        for number, text in enumerate(texts):
            counts = Counter(terms_of(text))
            index._lengths.append(sum(counts.values()))
            index._lowered.append(" ".join(text.lower().split()))
            for term, count in counts.items():
                index._postings.setdefault(term, []).append((number, count))
            index.num_segments = number + 1
        return index

    def shares(self, keywords: Mapping[str, float]) -> Iterator[Share]:
        """What the segments' scores are the sums of: BM25 of the keywords' terms, weighted, and
        whole phrases."""
        if not self.num_segments:
            return
        mean_length = max(1.0, sum(self._lengths) / self.num_segments)
        weights: dict[str, float] = {}
        for phrase, weight in keywords.items():
            terms = terms_of(phrase)
            for term in terms:
                weights[term] = max(weights.get(term, 0.0), weight / math.sqrt(len(terms)))
        for term, weight in weights.items():
            postings = self._postings.get(term, ())
            idf = math.log(1 + (self.num_segments - len(postings) + 0.5) / (len(postings) + 0.5))
            for number, count in postings:
                norm = K1 * (1 - B + B * self._lengths[number] / mean_length)
                yield Share(number, term, weight * idf * count * (K1 + 1) / (count + norm))
        for phrase, weight in keywords.items():
            if len(terms_of(phrase)) > 1:
                lowered = phrase.lower()
                for number, text in enumerate(self._lowered):
                    if lowered in text:
                        yield Share(number, f"“{phrase}”", PHRASE_WEIGHT * weight)


def score_shares(
    index: RelevanceIndex, keywords: Mapping[str, float], *, head: float = 0.0, tail: float = 0.0
) -> Iterator[Share]:
    """What each segment's score is made of: words, phrases and place.

    `head` and `tail` are added to the segments at the start and the end of the document, fading
    over the first and last six: parties and dates stand in the preamble, signatures at the end.
    """
    yield from index.shares(keywords)
    for distance in range(min(6, index.num_segments)):
        if head:
            yield Share(distance, "near the start", head * (1 - distance / 6))
        if tail:
            last = index.num_segments - 1
            yield Share(last - distance, "near the end", tail * (1 - distance / 6))


def select_segments(
    index: RelevanceIndex,
    keywords: Mapping[str, float],
    *,
    num_segments: int,
    head: float = 0.0,
    tail: float = 0.0,
) -> tuple[Scored, ...]:
    """The `num_segments` segments that matter most, best first; their scores are the sums of what
    `score_shares` gives."""
    scores = [0.0] * index.num_segments
    for share in score_shares(index, keywords, head=head, tail=tail):
        scores[share.index] += share.amount
    ranked: Sequence[int] = sorted(range(len(scores)), key=lambda number: (-scores[number], number))
    return tuple(
        Scored(number, scores[number]) for number in ranked[:num_segments] if scores[number] > 0
    )
