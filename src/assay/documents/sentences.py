"""Sentence spans of business and legal text, English and Chinese, by rules.

A sentence ends at a blank line; before a line that starts a clause, item or heading; after a
heading; between the rows of a table; and at terminal punctuation that is no part of an
abbreviation, a number or a clause's own number. A hard line wrap ends none. What was a line break
before a text was flattened (a run of spaces before "7.2" or after a heading) counts as one.

Every character that is not white space is in exactly one span. Time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from assay.documents.abbreviations import NEVER, SOMETIMES, STARTERS
from assay.patterns import lazy_pattern

Span = tuple[int, int]

_ROMAN = r"[IVXLivxl]{1,7}"
_HEADING_WORDS = (
    r"(?:ARTICLE|Article|SECTION|Section|CLAUSE|Clause|EXHIBIT|Exhibit|SCHEDULE|Schedule|ANNEX|Annex"
    r"|APPENDIX|Appendix|ATTACHMENT|Attachment|PART|Part|CHAPTER|Chapter)"
)
_CN_NUMBER = r"[〇零一二三四五六七八九十百千\d]{1,7}"
# What starts a line that starts a sentence: clause numbers, items, headings, bullets.
_STRONG_MARKER = (
    rf"(?:\d{{1,3}}(?:\.\d{{1,3}}){{1,5}}\.?(?=[\s(]|[A-Z\u4e00-\u9fff])"
    rf"|\d{{1,3}}[.)、．](?=[\s\u3000\u4e00-\u9fff])"
    rf"|[(（](?:[A-Za-z]{{1,2}}|{_ROMAN}|\d{{1,3}}|{_CN_NUMBER})[)）](?!\s*[,;.)])"
    rf"|{_HEADING_WORDS}[ \u00a0]+(?:\d+(?:\.\d+)*|[IVXL]+|[A-Z])(?:[.:)\s\-–—]|$)"
    rf"|第{_CN_NUMBER}[条章节款项编部]"
    rf"|{_CN_NUMBER}、)"
)
_LINE_MARKER = (
    rf"(?:{_STRONG_MARKER}|[A-Za-z][.)](?=\s+[\"“]?[A-Z])|{_ROMAN}[.)](?=\s)"
    r"|[•·●▪■◦○§\-–—*][ \t\u00a0])"
)
_MARKER_AT = lazy_pattern(rf"[ \t\u00a0\u3000]*{_LINE_MARKER}")
_AFTER_MARKER = lazy_pattern(r"[.):：\s]*")
_TITLE = lazy_pattern(
    r"[A-Z][\w'’\-]*(?:[ ,;/&]+(?:[A-Z][\w'’\-]*|and|or|of|the|to|for|in|on|by))*[.:]?"
)
# A marker alone: the stop in it ends no sentence.
_ONLY_MARKER = lazy_pattern(
    rf"(?:{_HEADING_WORDS}\s+)?(?>[(]?(?>\d{{1,3}}(?:\.\d{{1,3}})*|{_ROMAN}(?![A-Za-z])|[A-Za-z])[.):]+\s*)+"
)

_BLANK_LINE = lazy_pattern(r"\n[^\S\n]*\n\s*")
_LINE = lazy_pattern(r"\n")
# In flattened text: a run of spaces that was a line break if a clause starts after it.
_WIDE_GAP = lazy_pattern(rf"(?<=\S)[ \u00a0]{{3,}}(?={_LINE_MARKER})")
_HEADING_GAP = lazy_pattern(r"(?<=\S)[ \u00a0]{3,}(?=[\"“]?[A-Z])")
# There too, a run of spaces after a clause that has ended, or before the number of a page.
_CLAUSE_GAP = lazy_pattern(r"[.;:](?: and| or)?[ \u00a0]{3,}(?=[\"“]?[A-Z])")
_PAGE_NUMBER_GAP = lazy_pattern(r"(?<=\S)[ \u00a0]{4,}(?=[-–]?\s?\d{1,3}\s?[-–]?\s*\Z)")
_INLINE_BULLET = lazy_pattern(r"(?<=\s)(?:[•·●▪■◦○](?=\s)|§(?=\s[A-Z]))")
# A number after these is a reference to a clause, not the start of one.
_REFERS = lazy_pattern(
    r"(?:\b(?:sections?|clauses?|articles?|paragraphs?|exhibits?|schedules?|annex|appendix|parts?|items?"
    r"|rules?|of|in|to|under|by|with|from|than|per|see|the|this|and/or|least|about|approximately)"
    r"|[$€£¥(\-–—/&])\s*\Z",
    re.IGNORECASE,
)
_CLAUSE_ENDED = lazy_pattern(r"(?:[.;:,!?。；：，！？、]|\b(?:and|or))[\"'”’)\]]*\s*\Z")
_COLUMNS = lazy_pattern(r"\S[ \u00a0]{3,}\S[^\n]*?\S[ \u00a0]{3,}\S")

_CLOSERS = r"[\"'”’»)\]]*+"
_STOP = lazy_pattern(
    rf"(?:(?<![.\s])\.(?!\.)|(?<![!?])[!?]++){_CLOSERS}(?=\s)|[。！？；]+[”’」』）》)\"]*"
)
_LAST_WORD = lazy_pattern(r"[\w.&'’\-]+\Z")
_INITIALS = lazy_pattern(r"(?:[A-Za-z]\.)*[A-Za-z]")
_STARTER = lazy_pattern(r"\s*[\"'“‘(\[]*([A-Z][a-z]*|I)\b")
_ITEM = lazy_pattern(rf"\s+[(](?:[a-z]|{_ROMAN})[)]\s")
_NOT_SPACE = lazy_pattern(r"\S")
_NEXT = lazy_pattern(r"\s*[\"'“‘«(\[]*(\w?)")


def sentences(text: str, page_starts: Sequence[int] = ()) -> list[Span]:
    """The sentences of a text, in order, without the white space around them.

    `page_starts` are offsets at which pages start: a blank line there ends no sentence that goes
    on in lower case.
    """
    spans: list[Span] = []
    for start, end in _blocks(text, frozenset(page_starts)):
        for piece_start, piece_end in _lines(text, start, end):
            spans.extend(_stops(text, piece_start, piece_end))
    return spans


def trim(text: str, start: int, end: int) -> Span:
    """The span without white space around it; empty if there is nothing else."""
    first = _NOT_SPACE.search(text, start, end)
    if first is None:
        return end, end
    while text[end - 1].isspace():
        end -= 1
    return first.start(), end


def _blocks(text: str, page_starts: frozenset[int]) -> Iterator[Span]:
    """Stretches between blank lines."""
    start = 0
    for gap in _BLANK_LINE.finditer(text):
        if page_starts and _goes_on(text, gap, page_starts):
            continue
        yield start, gap.start()
        start = gap.end()
    yield start, len(text)


def _goes_on(text: str, gap: re.Match[str], page_starts: frozenset[int]) -> bool:
    """Whether a sentence goes on over a page break."""
    last = min(gap.end(), gap.start() + 64)
    if not any(at in page_starts for at in range(gap.start() + 1, last + 1)):
        return False
    before = text[max(0, gap.start() - 1) : gap.start()]
    after = text[gap.end() : gap.end() + 1]
    return after.islower() and not before.isspace() and before not in ".!?:;"


def _lines(text: str, start: int, end: int) -> Iterator[Span]:
    """Stretches of a block between line breaks that separate: wrapped lines stay together."""
    lines: list[Span] = []
    at = start
    for match in _LINE.finditer(text, start, end):
        lines.append((at, match.start()))
        at = match.end()
    lines.append((at, end))
    width = max(line_end - line_start for line_start, line_end in lines)
    piece_start = start
    for (left_start, left_end), (right_start, right_end) in pairwise(lines):
        left, right = text[left_start:left_end], text[right_start:right_end]
        if _separates(left, right, width):
            yield from _flattened(text, piece_start, left_end)
            piece_start = right_start
    yield from _flattened(text, piece_start, end)


def _separates(left: str, right: str, width: int) -> bool:
    """Whether the break between two lines ends a sentence."""
    if _is_row(left) or _is_row(right):
        return True
    marker = _MARKER_AT.match(right)
    left, right = left.strip(), right.strip()
    if not left or not right:
        return False
    is_short = len(left) < 0.6 * width and len(left) <= 100
    if marker:
        opens = is_short and not _REFERS.search(left)
        return opens or _opens_clause(left, right[len(marker.group().strip()) :])
    head = right.lstrip("\"'“‘([（")[:1]
    if left[-1] in ",-–—/&(" or head.islower() or not head.isalnum():
        return False
    if is_capitals(left) != is_capitals(right):
        # A heading above text, or below text that has ended; not the capitals of a wrapped line.
        if is_capitals(left):
            return len(left) < 0.8 * width or not right[:2].isupper()
        return left[-1] in ".;:!?"
    return is_short and not is_cjk(left[-1])


def _opens_clause(before: str, after: str) -> bool:
    """Whether a number at a break is a clause's own, and not one that the sentence speaks of."""
    before = before[-40:]
    if _REFERS.search(before):
        return False
    following = after.lstrip(" \t\"“'‘(")[:1]
    return not following.islower() or _CLAUSE_ENDED.search(before) is not None


def _is_row(line: str) -> bool:
    """A line of a table: cells separated by tabs, bars or columns of spaces.

    What separates a clause's number from its text makes no row.
    """
    if "\t" in line or "   " in line:
        marker = _MARKER_AT.match(line)
        line = line[marker.end() if marker else 0 :].strip()
    if "\t" in line or " | " in line:
        return True
    return len(line) <= 200 and "   " in line and _COLUMNS.search(line) is not None


def is_capitals(line: str) -> bool:
    """A line in capitals: at least two letters, all of them upper case (Chinese has no case)."""
    if not line.isupper():
        return False
    letters = [char for char in line[:40] if char.isalpha()]
    return len(letters) >= 2 and all(map(str.isupper, letters))


def is_cjk(char: str) -> bool:
    """A Chinese or Japanese character, or punctuation of their width."""
    return any(
        low <= char <= high
        for low, high in (("\u3000", "\u9fff"), ("\uf900", "\ufaff"), ("\uff00", "\uffef"))
    )


def _flattened(text: str, start: int, end: int) -> Iterator[Span]:
    """Splits a stretch at runs of spaces that were line breaks once."""
    bullets = [match.start() for match in _INLINE_BULLET.finditer(text, start, end)]
    if not bullets and "   " not in text[start:end]:
        yield start, end
        return
    cuts = {
        match.end()
        for match in _WIDE_GAP.finditer(text, start, end)
        if _opens_clause(
            text[max(start, match.start() - 40) : match.start()],
            _after_marker(text, match.end(), end),
        )
    }
    cuts.update(bullets)
    cuts.update(match.end() for match in _CLAUSE_GAP.finditer(text, start, end))
    if not _is_row(text[start:end]):
        cuts.update(match.end() for match in _PAGE_NUMBER_GAP.finditer(text, start, end))
    headings = {match.end(): match.start() for match in _HEADING_GAP.finditer(text, start, end)}
    at = start
    for cut in sorted(cuts | headings.keys()):
        if cut in cuts or _is_run_in_heading(text, at, headings[cut], cut):
            yield at, cut
            at = cut
    yield at, end


def _after_marker(text: str, at: int, end: int) -> str:
    marker = _MARKER_AT.match(text, at, end)
    return text[marker.end() : min(end, marker.end() + 8)] if marker else ""


def _is_run_in_heading(text: str, start: int, end: int, after: int) -> bool:
    """A short stretch in capitals, or a clause number and words that all start with one."""
    if end - start > 120:
        return False
    start = trim(text, start, end)[0]
    if is_capitals(text[start:end]):
        return after - end >= 4
    body = body_start(text, start, end)
    return start < body < end <= start + 80 and _TITLE.fullmatch(text, body, end) is not None


def body_start(text: str, start: int, end: int) -> int:
    """Where the words of a sentence start, after the numbers of its clause; `start` if none."""
    at = start
    for _ in range(3):
        marker = _MARKER_AT.match(text, at, end)
        if marker is None:
            break
        at = _AFTER_MARKER.match(text, marker.end(), end).end()  # type: ignore[union-attr]
    return at if at < end else start


def _stops(text: str, start: int, end: int) -> Iterator[Span]:
    """Splits a stretch at terminal punctuation."""
    at, end = trim(text, start, end)
    for stop in _STOP.finditer(text, start, end):
        if stop.end() >= end:
            break
        if stop.group()[0] == "." and not _ends_at(text, at, stop.start(), stop.end(), end):
            continue
        if stop.group()[0] in "!?" and _next_char(text, stop.end(), end).islower():
            continue
        yield at, stop.end()
        at = trim(text, stop.end(), end)[0]
    if at < end:
        yield at, end


def _next_char(text: str, at: int, end: int) -> str:
    match = _NEXT.match(text, at, end)
    return match.group(1) if match else ""


def _ends_at(text: str, start: int, stop: int, after: int, end: int) -> bool:
    """Whether the full stop at `stop` ends the sentence that starts at `start`."""
    following = _next_char(text, after, end)
    if following.islower() and not _ITEM.match(text, after, end):
        return False
    if stop - start <= 40 and _ONLY_MARKER.fullmatch(text[start:after].strip()):
        return False
    match = _LAST_WORD.search(text[max(start, stop - 40) : stop])
    if match is None:
        return True
    word = match.group().lstrip("'’-").lower()
    if word in NEVER:
        # "No. 7", but "He said no. Then": a number or a letter is what the abbreviation is for.
        return (
            word in ("no", "art", "cap", "par", "ref", "p", "v")
            and not (following.isdigit() or text[stop - len(word) : stop][:1].isupper())
            and _starts_sentence(text, after, end)
        )
    if word in SOMETIMES or (after == stop + 1 and _INITIALS.fullmatch(word)):
        return _starts_sentence(text, after, end)
    return True


def _starts_sentence(text: str, at: int, end: int) -> bool:
    match = _STARTER.match(text, at, end)
    return match is not None and match.group(1).lower() in STARTERS
