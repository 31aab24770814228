"""Text as a matcher reads it: one spelling for what differs only in case, width or spacing.

Folded text is UTF-8. Letters are lower-case, but the first letter of a word is upper-case and the
last (of two or more) a control character, so that a pattern folded alike is found only where whole
words are. Runs of white space are one space, a hyphen is a space, full-width forms and curly quotes
are the plain ones. Every folded byte knows the character it comes from (`Folded.spans`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# Control characters, white space among them, are spaces.
_SPACED = bytes(max(32, byte) for byte in range(256))
_LOWER = bytes(byte + 32 if 65 <= byte <= 90 else byte for byte in _SPACED)
_HYPHEN = bytes(32 if byte == ord("-") else byte for byte in range(256))

# Full-width forms and signs that have a plain twin, one character for one.
_TWINS = {0xFF01 + i: chr(0x21 + i) for i in range(94)} | {
    **dict.fromkeys(map(ord, "\u00a0\u2002\u2003\u2009\u202f\u3000\x85\u2028\u2029"), " "),
    **dict.fromkeys(map(ord, "‘’ʼ´"), "'"),
    **dict.fromkeys(map(ord, "“”„"), '"'),
    **dict.fromkeys(map(ord, "‐‑‒–\u00ad"), "-"),
}
_HAS_TWIN = re.compile("[" + "".join(re.escape(chr(code)) for code in _TWINS) + "]")

# Of the private use area: part of no word.
_SEPARATOR = "\ue000"

_IS_WORD_BYTE = np.zeros(256, dtype=np.bool_)
_IS_WORD_BYTE[[*b"0123456789_", *range(65, 91), *range(97, 123)]] = True
_IS_LOWER = np.zeros(256, dtype=np.bool_)
_IS_LOWER[97:123] = True


@dataclass(frozen=True, slots=True)
class Folded:
    """A text folded. `kept` are the places of the folded bytes among the text's own (None: all of
    them), `characters` the character that each of the text's own bytes belongs to (None: its own).
    """

    data: bytes
    kept: NDArray[np.int64] | None
    characters: NDArray[np.int64] | None

    def spans(self, starts: Sequence[int], ends: Sequence[int]) -> tuple[list[int], list[int]]:
        """The text's characters (ends exclusive) that stretches of the folded bytes come from."""
        first = np.array(starts, dtype=np.int64)
        last = np.array(ends, dtype=np.int64) - 1
        for origins in (self.kept, self.characters):
            if origins is not None:
                first, last = origins[first], origins[last]
        return first.tolist(), (last + 1).tolist()

    @property
    def is_shifted(self) -> bool:
        """Whether a folded byte may stand elsewhere than its character."""
        return self.kept is not None or self.characters is not None

    def is_word_at(self, place: int) -> bool:
        """Whether the character that the folded byte at `place` belongs to may be part of a word
        that is set off by spaces: a letter or digit, but of no script without spaces."""
        data = self.data
        if not 0 <= place < len(data):
            return False
        while place > 0 and data[place] & 0xC0 == 0x80:
            place -= 1
        first = data[place]
        # Two bytes from U+00C0 on are Latin, Greek, Cyrillic and their kin; E1 holds Vietnamese.
        return first < 32 or bool(_IS_WORD_BYTE[first]) or 0xC3 <= first <= 0xDF or first == 0xE1


def fold(text: str, *, keeps_case: bool = False) -> Folded:
    """`text` folded; with `keeps_case` letters stay as they are, and words are not marked."""
    plain = _with_plain_twins(text)
    data = (plain if keeps_case else _lower(plain)).encode("utf-8", "replace")
    return _finish(data, keeps_case, _origins(data))


def fold_all(texts: Sequence[str], *, keeps_case: bool = False) -> list[bytes]:
    """Each of many short texts folded as by itself, without the spaces around it."""
    if not texts:
        return []
    plain = (text.replace(_SEPARATOR, " ") for text in texts)
    data = fold(_SEPARATOR.join(plain), keeps_case=keeps_case).data
    return [part.strip(b" ") for part in data.split(_SEPARATOR.encode())]


def fold_both(text: str) -> tuple[Folded, Folded]:
    """`text` folded without and with `keeps_case`."""
    plain = _with_plain_twins(text)
    data = plain.encode("utf-8", "replace")
    origins = _origins(data)
    exact = _finish(data, True, origins)
    if data.isascii():
        marked = _mark_words(exact.data.translate(_LOWER))
        return Folded(marked, exact.kept, exact.characters), exact
    lowered = _lower(plain).encode("utf-8", "replace")
    # In both every character takes as many bytes, unless small letters take more or fewer.
    lowered_origins = origins if len(lowered) == len(data) else _origins(lowered)
    return _finish(lowered, False, lowered_origins), exact


_Origins = tuple[NDArray[np.int64] | None, NDArray[np.int64] | None]


def _origins(data: bytes) -> _Origins:
    """`Folded.kept` and `Folded.characters` of a text's bytes."""
    kept = characters = None
    if not data.isascii():
        characters = np.cumsum((np.frombuffer(data, dtype=np.uint8) & 0xC0) != 0x80) - 1
    spaced = data.translate(_SPACED)
    if b"  " in spaced:
        codes = np.frombuffer(spaced, dtype=np.uint8)
        is_kept = np.ones(len(codes), dtype=np.bool_)
        is_kept[1:] = (codes[1:] != 32) | (codes[:-1] != 32)
        kept = np.flatnonzero(is_kept)
    return kept, characters


def _finish(data: bytes, keeps_case: bool, origins: _Origins) -> Folded:
    kept, characters = origins
    data = data.translate(_SPACED if keeps_case else _LOWER)
    if kept is not None:
        data = np.frombuffer(data, dtype=np.uint8)[kept].tobytes()
    data = data.translate(_HYPHEN)
    return Folded(data if keeps_case else _mark_words(data), kept, characters)


def _with_plain_twins(text: str) -> str:
    if not text.isascii():
        for character in set(_HAS_TWIN.findall(text)):
            text = text.replace(character, _TWINS[ord(character)])
    return text


def _lower(text: str) -> str:
    lowered = text.lower()
    # Lower case is of another length for a few letters, such as the dotted capital I.
    return lowered if len(lowered) == len(text) else "".join(map(_lower_one, text))


def _lower_one(character: str) -> str:
    lowered = character.lower()
    return lowered if len(lowered) == 1 else character


def _mark_words(data: bytes) -> bytes:
    codes = np.frombuffer(data, dtype=np.uint8)
    if len(codes) == 0:
        return data
    # Whether a byte makes a word of its neighbours longer; to the right, to the left of it.
    is_inner = _IS_WORD_BYTE[codes]
    follows = precedes = is_inner
    if not data.isascii():
        follows = is_inner | ((codes >= 0x80) & ~_ends_wide(codes))
        precedes = is_inner | ((codes >= 0xC3) & (codes <= 0xDF)) | (codes == 0xE1)
    is_letter = _IS_LOWER[codes]
    begins = is_letter.copy()
    begins[1:] &= ~follows[:-1]
    ends = is_letter & ~begins
    ends[:-1] &= ~precedes[1:]
    marked: NDArray[np.uint8] = codes - begins * np.uint8(32) - ends * np.uint8(96)
    return marked.tobytes()


def _ends_wide(codes: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Where a character ends that is part of no word: a sign of two bytes, Chinese, an emoji."""
    ends = np.zeros(len(codes), dtype=np.bool_)
    ends[1:] = codes[:-1] == 0xC2
    ends[2:] |= (codes[:-2] >= 0xE2) & (codes[2:] >= 0x80) & (codes[2:] < 0xC0)
    ends[3:] |= (codes[:-3] >= 0xF0) & (codes[3:] >= 0x80) & (codes[3:] < 0xC0)
    return ends
