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
_LINE_MARKER = rf"(?:{_STRONG_MARKER}|[A-Za-z][.)](?=\s+[A-Z])|{_ROMAN}[.)](?=\s)|[•·●▪■◦○§\-–—*][ \t\u00a0])"
_MARKER_AT = re.compile(rf"[ \t\u00a0\u3000]*{_LINE_MARKER}")
# A marker alone: the stop in it ends no sentence.
_ONLY_MARKER = re.compile(
    rf"(?:{_HEADING_WORDS}\s+)?(?:[(]?(?:\d{{1,3}}(?:\.\d{{1,3}})*|[A-Za-z]|{_ROMAN})[.):]+\s*)+"
)

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n\s*")
_LINE = re.compile(r"\n")
# In flattened text: a run of spaces that was a line break if a clause starts after it.
_WIDE_GAP = re.compile(rf"(?<=\S)[ \u00a0]{{3,}}(?={_STRONG_MARKER})")
_HEADING_GAP = re.compile(r"(?<=\S)[ \u00a0]{4,}(?=[\"“]?[A-Z])")
_COLUMNS = re.compile(r"\S[ \u00a0]{3,}\S[^\n]*?\S[ \u00a0]{3,}\S")

_CLOSERS = r"[\"'”’»)\]]*"
_STOP = re.compile(
    rf"(?:\.(?!\.)|[!?]+){_CLOSERS}(?=\s)|[。！？；…]+[”’」』）》)\"]*(?=(.?))", re.DOTALL
)
_LAST_WORD = re.compile(r"[\w.&'’\-]+\Z")
_INITIALS = re.compile(r"(?:[A-Za-z]\.)*[A-Za-z]")
_NEXT = re.compile(r"\s*[\"'“‘«(\[]*(\w?)")

# No sentence ends at these, whatever follows.
_NEVER = frozenset(
    "no nos sec secs art arts cl para paras par pars ex exh exhs fig figs sched schs app appx ann "
    "vs v mr mrs ms dr prof hon messrs rev gen sen rep st ste mt ft e.g i.e eg ie cf viz approx "
    "dept est vol vols pp p pg pgs ch chs art lit supp reg regs stat tel fax attn ext ref refs "
    "bldg rm fl apt blvd rd incl excl resp cap al jan feb mar apr jun jul aug sept sep oct nov dec "
    "mon tue tues wed thu thur thurs fri u.s.c c.f.r f.supp f.2d f.3d abs gmbh s.a".split()
)
# A sentence ends at these if one plainly starts after them.
_SOMETIMES = frozenset(
    "inc ltd co corp llc lp llp plc bros jr sr esq etc u.s u.k u.s.a e.u p.r.c n.a a.m p.m ph.d "
    "b.v n.v s.p.a s.r.l l.p l.l.c l.l.p p.c p.a d.c n.y ave intl mfg assn".split()
)
_STARTERS = frozenset(
    "the this these those that each every any all such no neither if in on upon for from by as at "
    "unless until when where whereas while during after before subject notwithstanding except "
    "either both it its he she they we you i our your there however therefore nothing a an "
    "pursuant provided to with without within please buyer seller".split()
)


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


def _trim(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    left = len(piece) - len(piece.lstrip())
    return start + left, start + max(left, len(piece.rstrip()))


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
    if not any(at in page_starts for at in range(gap.start() + 1, min(gap.end(), gap.start() + 64) + 1)):
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
    for (left_start, left_end), (right_start, right_end) in zip(lines, lines[1:], strict=False):
        left, right = text[left_start:left_end], text[right_start:right_end]
        if _separates(left, right, width):
            yield from _flattened(text, piece_start, left_end)
            piece_start = right_start
    yield from _flattened(text, piece_start, end)


def _separates(left: str, right: str, width: int) -> bool:
    """Whether the break between two lines ends a sentence."""
    if _MARKER_AT.match(right) or _is_row(left) or _is_row(right):
        return True
    left, right = left.strip(), right.strip()
    if not left or not right:
        return False
    head = right.lstrip("\"'“‘([（")[:1]
    if left[-1] in ",-–—/&(" or head.islower() or not head.isalnum():
        return False
    if is_capitals(left) != is_capitals(right):
        # A heading above text, or below text that has ended.
        return is_capitals(left) or left[-1] in ".;:!?"
    return len(left) < 0.6 * width and len(left) <= 100 and not is_cjk(left[-1])


def _is_row(line: str) -> bool:
    """A line of a table: cells separated by tabs, bars or columns of spaces."""
    if "\t" in line.strip() or " | " in line:
        return True
    return len(line) <= 200 and "   " in line and _COLUMNS.search(line) is not None


def is_capitals(line: str) -> bool:
    """A line in capitals: at least two letters, none of them lower case."""
    return line.isupper() and sum(map(str.isalpha, line[:40])) >= 2


def is_cjk(char: str) -> bool:
    return "\u3000" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or "\uff00" <= char <= "\uffef"


def _flattened(text: str, start: int, end: int) -> Iterator[Span]:
    """Splits a stretch at runs of spaces that were line breaks once."""
    if "   " not in text[start:end]:
        yield start, end
        return
    cuts = {match.end() for match in _WIDE_GAP.finditer(text, start, end)}
    gaps = [match.span() for match in _HEADING_GAP.finditer(text, start, end)]
    at = start
    for cut, gap_start in sorted([*((cut, cut) for cut in cuts), *((e, s) for s, e in gaps)]):
        heading = text[at : min(gap_start, at + 121)]
        if cut in cuts or (len(heading) <= 120 and is_capitals(heading)):
            if cut > at:
                yield at, cut
            at = cut
    yield at, end


def _stops(text: str, start: int, end: int) -> Iterator[Span]:
    """Splits a stretch at terminal punctuation."""
    start, end = _trim(text, start, end)
    at = start
    for stop in _STOP.finditer(text, start, end):
        if stop.end() >= end:
            break
        if stop.group()[0] == "." and not _ends_at(text, at, stop.start(), stop.end(), end):
            continue
        if stop.group()[0] in "!?" and _next_char(text, stop.end(), end).islower():
            continue
        yield _trim(text, at, stop.end())
        at = _trim(text, stop.end(), end)[0] if stop.end() + 64 >= end else stop.end()
    if at < end:
        span = _trim(text, at, end)
        if span[0] < span[1]:
            yield span


def _next_char(text: str, at: int, end: int) -> str:
    match = _NEXT.match(text, at, end)
    return match.group(1) if match else ""


def _ends_at(text: str, start: int, stop: int, after: int, end: int) -> bool:
    """Whether the full stop at `stop` ends the sentence that starts at `start`."""
    following = _next_char(text, after, end)
    if following.islower():
        return False
    if stop - start <= 40 and _ONLY_MARKER.fullmatch(text[start:after].strip()):
        return False
    match = _LAST_WORD.search(text[max(start, stop - 40) : stop])
    if match is None:
        return True
    word = match.group().lstrip("'’-").lower()
    if word in _NEVER:
        # "No. 7", but "He said no. Then": a number or a letter is what the abbreviation is for.
        return word in ("no", "art", "cap", "par", "ref", "p", "v") and not (
            following.isdigit() or text[stop - len(word) : stop][:1].isupper()
        ) and _starts_sentence(text, after, end)
    if word in _SOMETIMES or _INITIALS.fullmatch(word):
        # After a closing quotation mark or bracket it is settled as well.
        return _starts_sentence(text, after, end)
    return True


def _starts_sentence(text: str, at: int, end: int) -> bool:
    match = re.compile(r"\s*[\"'“‘(\[]*([A-Z][a-z]*|I)\b").match(text, at, min(end, at + 200))
    return match is not None and match.group(1).lower() in _STARTERS
