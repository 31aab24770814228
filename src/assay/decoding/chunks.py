"""The units of a source text that a verbatim value is made of.

Chunks cut the text without gaps: `text == "".join(chunks)`. A value is a run of whole chunks that
neither starts nor ends with whitespace, so whitespace always stands in chunks of its own.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Literal, get_args

from assay.errors import InvalidGrammarError
from assay.types import Source

Granularity = Literal["char", "word", "sentence"]
GRANULARITIES: tuple[str, ...] = get_args(Granularity)

# Scripts written without spaces, where each character may start or end a value: Thai, Lao,
# Myanmar, Khmer, kana, CJK ideographs and their extensions.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_LETTER = rf"[^\W_{_UNSPACED}]"
# A word: letters and digits, with separators between digits (1,250.00 is one word, so that no
# value is cut out of the middle of a number). Everything else stands alone.
_WORD = re.compile(
    rf"\s+|{_LETTER}+(?:(?<=\d)[.,](?=\d){_LETTER}+)*|[\U0001f1e6-\U0001f1ff]{{2}}|.", re.DOTALL
)
_SPACED = re.compile(_LETTER)
_JOINER = "\u200d"


def chunks(source: Source, granularity: Granularity) -> tuple[str, ...]:
    """`source.text` cut into units: code points; words, punctuation marks and single characters
    of scripts without spaces; or the stretches between `source.boundaries`.

    Raises:
        InvalidGrammarError: boundaries out of order or of range, or a lone surrogate in the text.
    """
    text = source.text
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidGrammarError("a source text holds a lone surrogate") from error
    if granularity == "char":
        return tuple(text)
    if granularity == "word":
        return tuple(_words(text))
    return tuple(_sentences(text, source.boundaries))


def cuts(source: Source, granularity: Granularity) -> frozenset[int]:
    """The code-point offsets at which a value may start or end, whitespace aside."""
    offsets = [0]
    for chunk in chunks(source, granularity):
        offsets.append(offsets[-1] + len(chunk))
    return frozenset(offsets)


def holds_value(pieces: Sequence[str], least: int, most: int | None) -> bool:
    """Whether some run of chunks without whitespace at its ends has `least` to `most` code
    points."""
    ends = [0, *accumulate(map(len, pieces))]
    solid = [i for i, piece in enumerate(pieces) if not piece.isspace()]
    last = 0
    for first in solid:
        while last < len(solid) and ends[solid[last] + 1] - ends[first] < least:
            last += 1
        if last == len(solid):
            return False
        if most is None or ends[solid[last] + 1] - ends[first] <= most:
            return True
    return False


def _words(text: str) -> Iterator[str]:
    """Words, with combining marks and joined emoji kept whole."""
    pending = ""
    for match in _WORD.finditer(text):
        piece = match.group()
        if pending and not pending.isspace() and _continues(pending, piece):
            pending += piece
            continue
        if pending:
            yield pending
        pending = piece
    if pending:
        yield pending


def _continues(before: str, piece: str) -> bool:
    """Whether `piece` belongs to the character that `before` ends with."""
    char = piece[0]
    if char == _JOINER or before.endswith(_JOINER) or unicodedata.category(char)[0] == "M":
        return True
    if "\U0001f3fb" <= char <= "\U0001f3ff":  # skin tones
        return True
    # A word goes on after a mark inside it.
    after_mark = unicodedata.category(before[-1])[0] == "M"
    return after_mark and bool(_SPACED.match(before) and _SPACED.match(piece))


def _sentences(text: str, boundaries: tuple[int, ...]) -> Iterator[str]:
    offsets = [0, *boundaries, len(text)]
    if any(first > second for first, second in pairwise(offsets)):
        raise InvalidGrammarError("the boundaries of a source are not ascending within its text")
    for start, end in pairwise(offsets):
        piece = text[start:end]
        core = piece.strip()
        lead = len(piece) - len(piece.lstrip()) if core else len(piece)
        yield from filter(None, (piece[:lead], core, piece[lead + len(core) :]))
