"""Segments: sentence-aligned runs of a document, the unit of retrieval and of the cache.

Together they cover every character that is not white space exactly once, in order. The outcome
depends on the text, the page starts and the token counter alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from assay.documents.document import Document
from assay.documents.sentences import Span, body_start, is_capitals, sentences, trim
from assay.errors import ConfigError
from assay.patterns import lazy_pattern

_CJK = lazy_pattern("[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]")
_CLAUSE = lazy_pattern(r"(?<![;:,])[;:,]++\s+|[；：，、]+\s*|\s[–—]\s|\n+")
_WORD = lazy_pattern(r"\S+\s*")
_HEADING = lazy_pattern(
    r"(?:ARTICLE|SECTION|EXHIBIT|SCHEDULE|ANNEX|APPENDIX|ATTACHMENT|PART|CHAPTER)\s+[\dIVXLA-Z]"
    r"|第[〇零一二三四五六七八九十百千\d]{1,7}[条章节编部]|\d{1,2}\.\s",
    re.IGNORECASE,
)
_MAX_HEADING_CHARS = 100


@dataclass(frozen=True, slots=True)
class Segment:
    """`document.text[start:end]`, and the sentences in it as spans of the document's text.

    `sentences` ascend, do not overlap, and cover all of the segment but white space. `heading` is
    the last heading at or before the segment's start. `boundaries` are the offsets, ascending, at
    which a quotation of whole sentences may start or end: the ends of the sentences, and where the
    words start after the number of a clause.
    """

    index: int
    start: int
    end: int
    sentences: tuple[Span, ...]
    heading: str | None = None
    boundaries: tuple[int, ...] = ()


def estimate_tokens(text: str) -> int:
    """About what a tokenizer would count: a token for 4 Latin characters, 1.5 for a CJK one."""
    if text.isascii():
        return len(text) // 4 + 1
    num_cjk = len(_CJK.findall(text))
    return (len(text) - num_cjk) // 4 + num_cjk * 3 // 2 + 1


def segment_document(
    document: Document,
    *,
    count_tokens: Callable[[str], int] | None = None,
    min_tokens: int = 64,
    max_tokens: int = 160,
) -> tuple[Segment, ...]:
    """Cuts a document into segments of `min_tokens` to `max_tokens`.

    A segment closes at the last sentence that fits, or once it has `min_tokens`, before a heading;
    a heading goes with what comes after it.
    The last segment, and one before a sentence that fills a segment alone, may be shorter. A
    sentence over `max_tokens` is split at clause punctuation, else between words, else anywhere.
    White space between sentences is not counted. `count_tokens` is asked once for a sentence, and
    for the parts of a long one; the default estimates.

    Raises:
        ConfigError: not `0 < min_tokens <= max_tokens`.
    """
    if not 0 < min_tokens <= max_tokens:
        raise ConfigError(
            f"segments of {min_tokens} to {max_tokens} tokens cannot be made",
            remedy="give 0 < min_tokens <= max_tokens",
        )
    count = count_tokens or estimate_tokens
    text = document.text
    packer = _Packer(text, min_tokens, max_tokens)
    for start, end in sentences(text, [page.start for page in document.pages]):
        size = count(text[start:end])
        heading = _is_heading(text, start, end)
        if size <= max_tokens:
            packer.add(_Sentence(start, end, size, heading))
            continue
        for piece_start, piece_end, piece_size in _split(text, start, end, max_tokens, count):
            packer.add(_Sentence(piece_start, piece_end, piece_size, is_heading=False))
    return packer.segments()


@dataclass(frozen=True, slots=True)
class _Sentence:
    start: int
    end: int
    num_tokens: int
    is_heading: bool


class _Packer:
    """Fills segments with sentences, in order."""

    def __init__(self, text: str, min_tokens: int, max_tokens: int) -> None:
        self._text = text
        self._min_tokens = min_tokens
        self._max_tokens = max_tokens
        self._closed: list[list[_Sentence]] = []
        self._open: list[_Sentence] = []
        self._num_tokens = 0

    def add(self, sentence: _Sentence) -> None:
        if self._num_tokens + sentence.num_tokens > self._max_tokens:
            self._close_before_headings()
        if self._num_tokens + sentence.num_tokens > self._max_tokens or (
            sentence.is_heading and self._num_tokens >= self._min_tokens
        ):
            self._close([])
        self._open.append(sentence)
        self._num_tokens += sentence.num_tokens

    def segments(self) -> tuple[Segment, ...]:
        """All segments. One too short at the end joins the one before, if that has room."""
        if self._closed and self._num_tokens < self._min_tokens:
            last = self._closed[-1]
            if _total(last) + self._num_tokens <= self._max_tokens:
                self._open = self._closed.pop() + self._open
        self._close([])
        segments = []
        heading: str | None = None
        for index, run in enumerate(self._closed):
            if run[0].is_heading:
                heading = self._title(run[0])
            spans = tuple((sentence.start, sentence.end) for sentence in run)
            segments.append(
                Segment(index, spans[0][0], spans[-1][1], spans, heading, self._boundaries(spans))
            )
            heading = next((self._title(it) for it in reversed(run) if it.is_heading), heading)
        return tuple(segments)

    def _boundaries(self, spans: tuple[Span, ...]) -> tuple[int, ...]:
        words = (body_start(self._text, start, end) for start, end in spans)
        return tuple(sorted({*(offset for span in spans for offset in span), *words}))

    def _title(self, sentence: _Sentence) -> str:
        return " ".join(self._text[sentence.start : sentence.end].split())

    def _close_before_headings(self) -> None:
        """Closes the open segment; headings at its end open the next, beside what they head."""
        at = len(self._open)
        while at and self._open[at - 1].is_heading:
            at -= 1
        if at:
            rest = self._open[at:]
            del self._open[at:]
            self._close(rest)

    def _close(self, rest: list[_Sentence]) -> None:
        if self._open:
            self._closed.append(self._open)
        self._open, self._num_tokens = rest, _total(rest)


def _total(run: list[_Sentence]) -> int:
    return sum(sentence.num_tokens for sentence in run)


def _is_heading(text: str, start: int, end: int) -> bool:
    if end - start > _MAX_HEADING_CHARS:
        return False
    sentence = text[start:end]
    if is_capitals(sentence):
        return True
    return _HEADING.match(sentence) is not None and sentence[-1] not in ",;；。"


def _split(
    text: str, start: int, end: int, max_tokens: int, count: Callable[[str], int]
) -> Iterator[tuple[int, int, int]]:
    """Pieces of a long sentence with their token counts, each at most `max_tokens`."""
    open_start, open_end, open_size = start, start, 0
    for piece_start, piece_end, size in _pieces(text, start, end, max_tokens, count):
        # With the white space before it, as it will be counted where it stands.
        joined = size if open_end == piece_start else count(text[open_end:piece_end])
        if open_size and open_size + joined <= max_tokens:
            open_end, open_size = piece_end, open_size + joined
            continue
        if open_size:
            yield open_start, open_end, open_size
        open_start, open_end, open_size = piece_start, piece_end, size
    yield open_start, open_end, open_size


def _pieces(
    text: str, start: int, end: int, max_tokens: int, count: Callable[[str], int]
) -> Iterator[tuple[int, int, int]]:
    """Clauses; in place of a clause that is too long its words; of a word its halves."""
    at = start
    for cut in [*(match.end() for match in _CLAUSE.finditer(text, start, end)), end]:
        piece_start, piece_end = trim(text, at, cut)
        if piece_start == piece_end:
            continue
        size = max(1, count(text[piece_start:piece_end]))
        if size <= max_tokens:
            yield piece_start, piece_end, size
        else:
            for word in _WORD.finditer(text, at, cut):
                word_end = word.start() + len(word.group().rstrip())
                yield from _halves(text, word.start(), word_end, max_tokens, count)
        at = cut


def _halves(
    text: str, start: int, end: int, max_tokens: int, count: Callable[[str], int]
) -> Iterator[tuple[int, int, int]]:
    size = max(1, count(text[start:end]))
    if size <= max_tokens or end - start == 1:
        yield start, end, size
        return
    step = max(1, min((end - start) // 2, (end - start) * max_tokens // (size + 1)))
    for at in range(start, end, step):
        yield from _halves(text, at, min(end, at + step), max_tokens, count)
