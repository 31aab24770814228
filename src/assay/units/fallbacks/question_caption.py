"""What a table shows, as the sentence says that leads to it."""

from __future__ import annotations

import re

from assay.patterns import lazy_pattern
from assay.units.fallbacks.question_words import Question

Span = tuple[int, int]
_VERBS = (
    "shows?|presents?|sets? (?:forth|out)|summari[sz]es?|details?|provides?|represents?|"
    "reflects?|lists?|discloses?|reconciles?|displays?|illustrates?|outlines?|includes?"
)
_ASKS = lazy_pattern(
    r"\bwhat (?:information |data )?(?:does|do|is|are) (?:the|this) (?:above |following )?tables?\b"
    r"(?P<rest>.*)",
    re.IGNORECASE,
)
_TABLE_FIRST = lazy_pattern(
    rf"\b(?:table|tables|schedule)(?: (?:below|above))?,? (?:{_VERBS})\s+", re.IGNORECASE
)
_TABLE_LAST = lazy_pattern(
    r",?\s+(?:(?:is|are|was|were)\s+)?(?:presented|shown|set (?:forth|out)|summari[sz]ed|detailed|"
    r"provided|disclosed|reflected|outlined|listed|given|included)?\s*(?:as follows|in the "
    r"(?:following )?tables?(?: below)?|in the table (?:below|above)|below)\b",
    re.IGNORECASE,
)
_CONSISTED = lazy_pattern(
    r"\s+(?:consist(?:s|ed)? of the following|(?:is|are|was|were)(?: comprised of the following)?)"
    r"\b[^.]*\Z",
    re.IGNORECASE,
)
_OPENING = lazy_pattern(r"(?:as of|at|for|in|during)\b[^,]*\d{4}(?: and \d{4})?,\s+", re.IGNORECASE)
_UNITS = lazy_pattern(r"\s*\((?:in|amounts in|dollars in)\b[^)]*\)\s*\Z", re.IGNORECASE)


def asks_what_table_shows(question: Question) -> bool:
    """Whether a question asks what the table is about, and not what it says."""
    match = _ASKS.search(question.text)
    return match is not None and len(match["rest"].split()) <= 3


def quote_caption(text: str) -> Span | None:
    """What the sentence that leads to the table says of it; None where none does."""
    for paragraph in re.finditer(r"[^\n]+", text):
        if "|" in paragraph[0]:
            continue
        start = paragraph.start()
        for sentence in re.finditer(r"\S.*?(?:[.:](?=\s|\Z)|\Z)", paragraph[0]):
            if span := _object_of(sentence[0]):
                return start + sentence.start() + span[0], start + sentence.start() + span[1]
    return None


def _object_of(sentence: str) -> Span | None:
    if match := _TABLE_FIRST.search(sentence):
        return match.end(), _end_of(sentence, len(sentence))
    if match := _TABLE_LAST.search(sentence):
        return _start_of(sentence), _end_of(sentence, match.start())
    if sentence.endswith(":") and (match := _CONSISTED.search(sentence[:-1])):
        return _start_of(sentence), _end_of(sentence, match.start())
    return None


def _start_of(sentence: str) -> int:
    """Where the subject starts: behind a date that opens the sentence."""
    opening = _OPENING.match(sentence)
    return opening.end() if opening else 0


def _end_of(sentence: str, end: int) -> int:
    """Where the object ends: without the full stop and the units in brackets."""
    kept = sentence[:end].rstrip(" .:")
    return len(kept[: m.start()] if (m := _UNITS.search(kept)) else kept)
