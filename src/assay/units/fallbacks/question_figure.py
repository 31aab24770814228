"""The figure of a sentence that a question asks for: that of its year, or of the words it names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from assay.patterns import lazy_pattern
from assay.units.fallbacks.question_words import Question, content_words, years_of

Span = tuple[int, int]
_NUMBER = r"\d+(?:,\d+)*(?:\.\d+)?"
_POWER = r"(?:\s(?:million|billion|thousand|cents)\b|m\b|bn\b)?"
_FIGURE = lazy_pattern(
    rf"(?:\b[A-Z]{{1,3}}\s?)?[$£€¥]\s?\(?{_NUMBER}\)?{_POWER}"
    rf"|\b[A-Z]{{2,3}}\s?{_NUMBER}{_POWER}"
    rf"|{_NUMBER}\s?(?:%|(?:percent|per cent|basis points|million|billion|thousand|years?|months?"
    r"|days?|cents)\b)"
    rf"|(?<![\w.,]){_NUMBER}(?![\w%])"
)
_FISCAL = lazy_pattern(r"(?:FY|IFRS|IAS|ASC|ASU|ASB|SFAS|Q)\s?\d+")
_YEAR_OR_SMALL = lazy_pattern(r"(?:19|20)\d\d|\d{1,2}")
_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
DATE = lazy_pattern(
    rf"\b(?:\d{{1,2}} )?(?:{_MONTH})(?: \d{{1,2}}(?!\d))?,? ?(?:\d{{4}})?|\b(?:19|20)\d\d\b"
)
_ASKED_KINDS = (
    (
        lazy_pattern(r"\bpercent\w*|%|\brates?\b|\bproportion\b", re.IGNORECASE),
        lazy_pattern("%|percent"),
    ),
    (
        lazy_pattern(r"\bhow long\b|\bperiods?\b|\bterm\b|\blife\b|\bduration\b", re.IGNORECASE),
        lazy_pattern(r"(?:year|month|day)s?\Z"),
    ),
)
_NO_SUM = lazy_pattern(r"%|percent|per cent|basis points|(?:year|month|day)s?\Z")
_WORD = lazy_pattern(r"[a-z]+", re.IGNORECASE)
_BREAK = lazy_pattern(r"[,;]\s|\b(?:and|or|but|compared)\b")
#: A figure's words follow it ("$5 of interest") more often than they precede it.
_BEFORE = 0.8
#: A break of the sentence parts a word from a figure as so many words do.
_BREAK_WORDS = 8


def figures_of(sentence: str) -> list[Span]:
    """The amounts, shares and durations of a sentence; no dates, no years, no small counts."""
    return [
        match.span()
        for match in _FIGURE.finditer(sentence)
        if not _YEAR_OR_SMALL.fullmatch(match[0])
        and not _FISCAL.fullmatch(match[0])
        and not any(date.start() <= match.start() < date.end() for date in DATE.finditer(sentence))
    ]


def figure_in(sentence: str, question: Question) -> Span | None:
    """The figure of the year asked for: in a list "A, B and C in 2019, 2018 and 2017" the one whose
    place is the year's, else the one before the year; without a year the one whose clause holds
    most of the question's words."""
    figures = _of_kind_asked(sentence, figures_of(sentence), question)
    if not figures:
        return None
    years = years_of(sentence)
    wanted = question.years[0] if question.years else None
    if wanted in years and len(years) == len(figures):
        return figures[years.index(wanted)]
    fits = _fits(sentence, figures, question)
    best = max(fits)
    if wanted in years and len(figures) > 1 and len(years) > 1 and fits.count(best) > 1:
        at = sentence.index(str(wanted))
        before = [span for span in figures if span[1] <= at]
        return before[-1] if before else figures[0]
    return figures[fits.index(best)]


def _of_kind_asked(sentence: str, figures: list[Span], question: Question) -> list[Span]:
    """The shares or the durations where the question asks for one, else what is neither; all if
    there are none of the kind."""
    for asks, is_kind in _ASKED_KINDS:
        if asks.search(question.text):
            chosen = [span for span in figures if is_kind.search(sentence[slice(*span)])]
            break
    else:
        chosen = [span for span in figures if not _NO_SUM.search(sentence[slice(*span)])]
    return chosen or figures


def _fits(sentence: str, figures: Sequence[Span], question: Question) -> list[float]:
    """How near each figure the question's words stand, each word where it is nearest."""
    asked = set(question.words)
    fits = [0.0] * len(figures)
    places: dict[str, list[int]] = {}
    for match in _WORD.finditer(sentence):
        for word in content_words(match[0]):
            if word in asked:
                places.setdefault(word, []).append(match.start())
    for starts in places.values():
        for number, (start, end) in enumerate(figures):
            nearest = max(_nearness(sentence, start, end, at) for at in starts)
            fits[number] += nearest / len(starts)
    return fits


def _nearness(sentence: str, start: int, end: int, at: int) -> float:
    """1 for a word just behind a figure, less with each word or break between."""
    between = sentence[end:at] if at >= end else sentence[at:start]
    num_words = len(between.split()) + _BREAK_WORDS * len(_BREAK.findall(between))
    return (1.0 if at >= end else _BEFORE) / (1 + num_words)
