"""Answers to questions on the sentences of a document: the sentence most like the question, and of
it the figure, the date, the reason or the predicate that the question asks for."""

from __future__ import annotations

import re

from assay.documents.sentences import sentences
from assay.patterns import lazy_pattern
from assay.units.fallbacks.question_caption import asks_what_table_shows, quote_caption
from assay.units.fallbacks.question_figure import DATE, figure_in
from assay.units.fallbacks.question_spans import Found
from assay.units.fallbacks.question_words import Likeness, Question, content_words, years_of

Span = tuple[int, int]


def _any(*words: str) -> re.Pattern[str]:
    """Any of these patterns, as whole words, whatever the case."""
    return lazy_pattern(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)


_ASKS_DATE = _any("when", "(?:what|which) date")
_ASKS_AMOUNT = _any(
    "how (?:much|many|long)",
    r"(?:what|which)\b.{0,60}?\b(?:amounts?|rates?|values?|numbers?|percent\w*|prices?|balances?|costs?"
    r"|expenses?|increases?|decreases?|revenues?|income|losses|loss|charges|allowance|sales|cash"
    r"|periods?|total|proportion|share|exposure|volume|fees?|term|tax(?:es)?|interest|penalt(?:y|ies)"
    r"|credits|dividends?|debt)",
)
_ASKS_WORDS = _any(
    r"consist\w*",
    r"includ\w*",
    r"represent\w*",
    r"compris\w*",
    "relates? to$",
    "how (?:is|are|was|were)",
)
_ASKS_REASON = _any(
    "why",
    "reasons?",
    "caused?",
    "causes",
    "dr(?:ive|iven|ove|ives|iving)",
    "due to",
    "factors?",
    r"contribut\w*",
    "led to",
    r"attribut\w*",
    "accounts? for",
    r"result\w*",
)
_MOSTLY = "(?:primarily |mainly |largely |partially |principally |mostly )?"
_REASON = lazy_pattern(
    rf"\b{_MOSTLY}(?:(?:as a )?result(?:ed|ing)? (?:of|from)|(?P<due>due) {_MOSTLY}to"
    rf"|because(?: of)?|driven {_MOSTLY}by:?|attribut(?:able|ed) {_MOSTLY}to"
    r"|reflect(?:s|ed|ing)(?: primarily| mainly)?|related to|owing to|caused by)\s+",
    re.IGNORECASE,
)
_PREDICATE = lazy_pattern(
    r"\b(?:represents?|reflects?|consist(?:s|ed)?(?: primarily| mainly| principally)? of"
    r"|compris(?:e|es|ed)(?: of)?|includ(?:e|es|ed)|relates? to|related to|refers? to|means?"
    r"|(?:is|are) defined as|based on|results? from|used to|valued|measured|calculated|computed"
    r"|determined|recorded|recognized|recognised|amortized|stated|exclud(?:e|es)|expected to"
    r"|requires?|entitled to|(?:is|are|was|were)(?: the| an?)?)\s+",
    re.IGNORECASE,
)
_FOLLOWING = lazy_pattern(
    r"\s*((?:The|This|These)\s(?:increase|decrease|change|growth|was|were|is)\b[^\n]*?\.)"
    r"(?=\s|\Z)"
)
_LEAST_LIKENESS = 0.3


def quote_passage(text: str, question: Question) -> Found | None:
    """The part of a sentence that answers; None if no sentence is like the question."""
    if asks_what_table_shows(question):
        caption = quote_caption(text)
        return Found("quote", (caption,)) if caption else None
    spans = _sentences(text)
    if not spans:
        return None
    words = [content_words(text[start:end]) for start, end in spans]
    likeness = Likeness(words)
    likes = [
        likeness.share(question.words, mine)
        + 0.3 * likeness.of(question.words, mine)
        + 0.1 * bool(set(years_of(text[start:end])) & set(question.years))
        for (start, end), mine in zip(spans, words, strict=True)
    ]
    best = max(range(len(spans)), key=lambda n: likes[n])
    if likes[best] < _LEAST_LIKENESS:
        return None
    span = _answer_in(text, spans[best], question)
    return Found("quote", (span,)) if span else None


def _sentences(text: str) -> list[Span]:
    """The sentences of the paragraphs: lines of a table are left out, bullets are apart."""
    found = []
    for start, end in sentences(text):
        line = text.rfind("\n", 0, start) + 1
        is_cell = " | " in text[line:end] or "|" in text[start:end]
        if not is_cell and not text[start:end].rstrip().endswith(":"):
            found.append((start, end))
    return found


def _answer_in(text: str, span: Span, question: Question) -> Span | None:
    start, end = span
    sentence = text[start:end]
    if _ASKS_DATE.search(question.text) and (date := DATE.search(sentence)):
        return start + date.start(), start + date.end()
    if asks_reason(question):
        return _reason(text, span, question)
    if _asks_figure(question) and (figure := figure_in(sentence, question)):
        return start + figure[0], start + figure[1]
    if match := _asked_verb(sentence, question):
        return start + match.end(), start + len(sentence.rstrip(" ."))
    return span


def asks_reason(question: Question) -> bool:
    """Whether a question asks why something is so, which no cell says."""
    return _ASKS_REASON.search(question.text) is not None


def _asks_figure(question: Question) -> bool:
    asks = "%" in question.text or _ASKS_AMOUNT.search(question.text) is not None
    return asks and not _ASKS_WORDS.search(question.text)


def _reason(text: str, span: Span, question: Question) -> Span:
    """What follows the words of a reason, with "due to" where the question is "why"; the next
    sentence where that one says it of "the increase"."""
    start, end = span
    sentence = text[start:end]
    match = _REASON.search(sentence)
    if match:
        at = match.start("due") if match["due"] and question.says(r"\bwhy\b") else match.end()
        return start + at, start + len(sentence.rstrip(" ."))
    if following := _FOLLOWING.match(text, end):
        return following.start(1), following.end(1)
    return span


def _asked_verb(sentence: str, question: Question) -> re.Match[str] | None:
    """The verb of the sentence that is the question's too, or else follows the question's words."""
    asked = set(question.words)
    found = list(_PREDICATE.finditer(sentence))
    for match in found:
        if set(content_words(match[0])) & asked:
            return match
    for match in found:
        before = set(content_words(sentence[: match.start()]))
        if len(before & asked) >= min(2, len(asked)):
            return match
    return None
