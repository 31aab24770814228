"""Answers to Chinese questions on a text: the dates or figures of the clauses most like the
question, or what such a clause says beyond it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import log, sqrt

from assay.patterns import lazy_pattern
from assay.units.fallbacks.question_spans import Found, Span

_CLAUSE = lazy_pattern(r"[^，；。：！？,;:!?\n]+")
_DATE = lazy_pattern(
    r"(?:\d{4}年)?\d{1,2}月(?:\d{1,2}日)?(?:[上下]午|凌晨|晚)?(?:\d{1,2}[时点](?:\d{1,2}分)?)?(?:许|左右)?"
    r"|\d{4}年"
)
_FIGURE = lazy_pattern(
    r"(?:人民币)?\d[\d,.]{0,18}余?[万亿]?余?(?:元|平方米|天|个月|年|日|%|％|吨|公斤|次|份|亩|人)"
    r"|百分之[一二三四五六七八九十百]{1,6}"
)
_ASKS_DATE = lazy_pattern("时间|何时|日期|什么时候|哪一?[年天日]|几月")
_ASKS_FIGURE = lazy_pattern("多少|金额|几[个次年天]|多长|面积")
_KINDS = ((_ASKS_DATE, _DATE), (_ASKS_FIGURE, _FIGURE))
#: How many of the likest clauses are searched for figures, and of how many figures are taken.
_NUM_SEARCHED, _NUM_TAKEN = 14, 2
#: What the clauses beside one add to how like it is.
_NEIGHBOURS = 0.4

_CJK = lazy_pattern(r"[\u4e00-\u9fff]")


def is_chinese(question: str) -> bool:
    return _CJK.search(question) is not None


def quote_clauses(text: str, question: str) -> Found | None:
    """The spans that answer; None if no clause shares two characters with the question."""
    clauses = [match.span() for match in _CLAUSE.finditer(text)]
    likes = _likes([_pairs(text[start:end]) for start, end in clauses], _pairs(question))
    ranked = sorted(range(len(clauses)), key=lambda number: -likes[number])
    if not ranked or likes[ranked[0]] <= 0:
        return None
    near = [clauses[number] for number in ranked[:_NUM_SEARCHED]]
    wanted = next((kind for asks, kind in _KINDS if asks.search(question)), None)
    spans = _matches(text, near, wanted) if wanted else []
    return Found("quote", tuple(spans or [_beyond(text, near[0], question)]))


def _pairs(text: str) -> frozenset[str]:
    """The pairs of adjoining characters, without punctuation."""
    plain = re.sub(r"\W", "", text)
    return frozenset(plain[at : at + 2] for at in range(len(plain) - 1))


def _likes(clauses: Sequence[frozenset[str]], asked: frozenset[str]) -> list[float]:
    """How like the question each clause is, with a part of its neighbours' likeness."""
    counts = Counter(pair for clause in clauses for pair in clause)
    own = [
        sum(log(1 + len(clauses) / counts[pair]) for pair in clause & asked)
        / (1 + 0.15 * sqrt(len(clause)))
        for clause in clauses
    ]
    padded = [0.0, *own, 0.0]
    return [
        like + _NEIGHBOURS * (padded[number] + padded[number + 2])
        for number, like in enumerate(own)
    ]


def _matches(text: str, clauses: Sequence[Span], kind: re.Pattern[str]) -> list[Span]:
    """What of a kind stands in the first clauses that have any, in the order of the text; a part
    of a date is no figure."""
    found = []
    for clause in clauses:
        dates = [match.span() for match in _DATE.finditer(text, *clause)]
        spans = [match.span() for match in kind.finditer(text, *clause)]
        if kind is _FIGURE:
            spans = [
                item for item in spans if not any(a < item[1] and item[0] < b for a, b in dates)
            ]
        found.append(spans)
    having = [spans for spans in found if spans][:_NUM_TAKEN]
    return sorted(span for spans in having for span in spans)


def _beyond(text: str, clause: Span, question: str) -> Span:
    """A clause without what it begins with that the question says too."""
    start, end = clause
    for at in range(end, start + 1, -1):
        if text[at - 2 : at] in question:
            return (at, end) if start < at < end - 2 else clause
    return clause
