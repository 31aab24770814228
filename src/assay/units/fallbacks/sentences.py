"""Where the sentences of a contract are, for rules that answer with whole sentences.

A full stop ends a sentence only before something that can open one, and not after an abbreviation,
an initial or a clause number. A blank line ends one unless the text runs on in lower case. A long
enumeration is cut at the semicolons before its items.
"""

from __future__ import annotations

import re
from bisect import bisect_right

Span = tuple[int, int]

_ABBREVIATIONS = (
    "Inc Corp Co Ltd LLC LP No Nos Sec Secs Art Arts Mr Mrs Ms Dr Prof St vs v eg ie etc al cf Ave Blvd Rd "
    "Ste Fl Jr Sr Jan Feb Mar Apr Jun Jul Aug Sept Sep Oct Nov Dec Para Ex Exh App approx Attn Tel"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"“])(?:(?:" + "|".join(_ABBREVIATIONS.split()) + r")|(?:[A-Za-z]\.)*[A-Z]|e\.g|i\.e"
    r"|(?:\d{1,3}\.)*\d{1,3}|[ivxIVX]{1,4}|[a-z])\Z"
)
_STOP = re.compile(
    r"(?P<dot>[.?!])[\"”’')\]]{0,3}\s+(?=[\"“‘'(\[]{0,2}[A-Z0-9\u4e00-\u9fff])"
    r"|[。！？；][”’）]{0,2}\s*"
    r"|[.:;,]?[ \t]*\n[ \t]*\n\s*(?![a-z(])"
    r"|;\s+(?:and|or)?\s*(?=\(?(?:[a-z]|[ivx]{1,4}|\d{1,2})\)\s)"
)
_LONG = 500


def sentence_spans(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """The sentences of `text[start:end]`, in order, without the white space around them."""
    end = len(text) if end is None else end
    spans: list[Span] = []
    begin = start
    for match in _STOP.finditer(text, start, end):
        if match["dot"] == "." and _ABBREVIATION.search(
            text, max(begin, match.start() - 12), match.start()
        ):
            continue
        if text[match.start()] == ";" and match.start() - begin < _LONG:
            continue
        _add(text, begin, match.end(), spans)
        begin = match.end()
    _add(text, begin, end, spans)
    return spans


def sentence_at(spans: list[Span], offset: int) -> Span | None:
    """The sentence that holds the character at `offset`."""
    index = bisect_right(spans, offset, key=lambda span: span[0]) - 1
    if index >= 0 and offset < spans[index][1]:
        return spans[index]
    return None


def _add(text: str, start: int, end: int, spans: list[Span]) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append((start, end))
