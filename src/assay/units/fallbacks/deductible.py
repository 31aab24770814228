"""What the insured bears of a loss: a sum or a share, on what it counts, and the words that say so.

Also called excess or self-insured retention; 免赔额, 免赔率.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from assay.normalize.money import find_money
from assay.normalize.percentage import find_percentages
from assay.patterns import lazy_pattern
from assay.types import AnswerPath
from assay.units.fallbacks.base import Candidate, Region, rank, scan_spans
from assay.units.fallbacks.sentences import sentence_spans

Basis = Literal["per_claim", "per_occurrence", "per_person", "per_year"]
# Read by hand on policies of our own writing; the heuristic takes the nearest sum as well.
_NAMED, _NEAR, _HEURISTIC = 0.8, 0.6, 0.35
_WORD = lazy_pattern(
    r"\bdeductibles?\b|\bself-?\s?insured\s+retentions?\b|\b(?:policy|compulsory|voluntary)\s+excess\b"
    r"|\bexcess\s+(?:of|is|applies|amount|per|shall\s+be)\b|\bexcess\s*[:：]"
    r"|免赔额|免赔率|自负额|绝对免赔|相对免赔",
    re.IGNORECASE,
)
_NOT_INSURED = lazy_pattern(
    r"\btax(?:es)?[-\s]+deductible|\bdeductible\s+(?:for|expense|charitable)|\bexcess\s+of\s+(?:the\s+)?"
    r"(?:limits?|liabilit|insurance|coverage)|\bin\s+excess\s+of\b",
    re.IGNORECASE,
)
_BASES: dict[Basis, re.Pattern[str]] = {
    "per_claim": lazy_pattern(
        r"\b(?:per|each|any\s+one|every)\s+claim|每次索赔|每案", re.IGNORECASE
    ),
    "per_occurrence": lazy_pattern(
        r"\b(?:per|each|any\s+one|every)\s+(?:and\s+every\s+)?(?:occurrence|loss|accident|event|incident)"
        r"|每次(?:事故|损失)|每一?事故",
        re.IGNORECASE,
    ),
    "per_person": lazy_pattern(r"\b(?:per|each)\s+(?:person|insured|member)|每人", re.IGNORECASE),
    "per_year": lazy_pattern(
        r"\b(?:per|each)\s+(?:policy\s+|calendar\s+)?year|\bannual(?:ly)?\b|每(?:一保险)?年度?|年度?免赔",
        re.IGNORECASE,
    ),
}
# How far behind or before the word its sum may stand within a sentence.
_REACH = 160


@dataclass(frozen=True, slots=True)
class DeductibleFallback:
    """Finds the sentences that set a deductible. Parts: "amount", "percent" and "basis"; the label
    "basis" says what it counts on."""

    path: AnswerPath = AnswerPath.SPECIALIST

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        return rank(
            item
            for item in _find(document_text, regions)
            if {"amount", "percent"} & set(item.parts)
        )


@dataclass(frozen=True, slots=True)
class DeductibleHeuristic:
    """Takes every sentence with the word, with or without a figure."""

    path: AnswerPath = AnswerPath.HEURISTIC

    def find(
        self, document_text: str, regions: Sequence[Region] | None = None
    ) -> Sequence[Candidate]:
        return rank(
            Candidate(item.start, item.end, _HEURISTIC * item.score, item.parts, item.labels)
            for item in _find(document_text, regions)
        )


def _find(text: str, regions: Sequence[Region] | None) -> Iterator[Candidate]:
    for region in scan_spans(text, regions):
        spans = sentence_spans(text, *region)
        last = -1
        for match in _WORD.finditer(text, *region):
            index = bisect_right(spans, match.start(), key=lambda span: span[0]) - 1
            if index <= last or _NOT_INSURED.search(text, *spans[index]):
                continue
            last = index
            yield _read(text, spans[index], match.span())


def _read(text: str, sentence: Region, word: Region) -> Candidate:
    """A sentence with the sum or share nearest to the word, behind it first."""
    begin, end = max(sentence[0], word[0] - _REACH), min(sentence[1], word[1] + _REACH)
    near = text[begin:end]
    parts: dict[str, Region] = {}
    sums = [(begin + item.start, begin + item.end) for item in find_money(near)]
    shares = [(begin + item.start, begin + item.end) for item in find_percentages(near)]
    for name, spans in (("amount", sums), ("percent", shares)):
        if spans:
            parts[name] = min(spans, key=lambda span: (span[0] < word[1], abs(span[0] - word[1])))
    labels: dict[str, Basis] = {}
    for basis, pattern in _BASES.items():
        if match := pattern.search(text, *sentence):
            parts["basis"], labels["basis"] = match.span(), basis
            break
    follows = any(span[0] >= word[1] for name, span in parts.items() if name != "basis")
    return Candidate(*sentence, _NAMED if follows else _NEAR, parts, labels)


def show_basis(label: Basis, text: str, start: int, end: int) -> Region | None:
    """The words in a part of a text that say what a deductible counts on; None if none do."""
    match = _BASES[label].search(text, start, end)
    return match.span() if match else None
