"""Bytes of a text file into text, never into mojibake in silence.

Tried in this order: a byte order mark; UTF-16 by its pattern of zero bytes; UTF-8; GB18030 if the
outcome reads like Chinese; UTF-16 of Chinese text; Windows-1252 if the outcome reads like a
European language. What fits none of these is refused.
"""

from __future__ import annotations

import codecs
import re
import unicodedata

from assay.errors import BrokenDocumentError, UnsupportedDocumentError
from assay.patterns import lazy_pattern

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

# Frequent in any Chinese text, and in contracts, judgments and receipts: a tenth of the characters
# of real text at the least, a twentieth of what comes out of a wrong decoding at the most.
_FREQUENT = frozenset(
    "的一是不了在有人我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可"
    "里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已"
    "司合约定条款甲乙双应当或及与其按法律责任支付金额元月第章规协议权利义务违保险货物买卖服务期限由"
    "等但被将至不得人民院案件原告判决证据有限公司，。、；：（）《》“”？！"
)
_UTF8_SEQUENCE = lazy_pattern(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)
_GB_PAIR = lazy_pattern(
    rb"[\x00-\x7f]|([\x81-\xfe][\x40-\xfe])|[\x81-\xfe][\x30-\x39]..", re.DOTALL
)
_CONTROL = lazy_pattern(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9f]")
_TO_UTF8 = "save it as UTF-8 text"
_CONVERT = "give a text, Markdown, HTML, e-mail, PDF or DOCX file"


def decode(data: bytes, name: str) -> str:
    """The text of a text file, without its byte order mark.

    Raises:
        UnsupportedDocumentError: binary, or an encoding that cannot be told.
        BrokenDocumentError: the encoding is known but the bytes break it.
    """
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _refuse_binary(_strict(data[len(mark) :], encoding, name), name)
    if b"\x00" in data:
        text = _utf16(data)
        if text is None:
            raise UnsupportedDocumentError(f"{name} is binary, not text", remedy=_CONVERT)
        return _refuse_binary(text, name)
    try:
        return _refuse_binary(data.decode("utf-8"), name)
    except UnicodeDecodeError as error:
        if _is_damaged_utf8(data):
            raise BrokenDocumentError(
                f"{name} is UTF-8 text with damage at byte {error.start}", remedy=_TO_UTF8
            ) from error
    text = _gb18030(data) or _utf16(data) or _cp1252(data)
    if text is None:
        raise UnsupportedDocumentError(
            f"{name} is binary, or text in an encoding that cannot be told",
            remedy=f"if it is text, {_TO_UTF8}",
        )
    return _refuse_binary(text, name)


def _strict(data: bytes, encoding: str, name: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise BrokenDocumentError(
            f"{name} says it is {encoding.upper()} but breaks it at byte {error.start}",
            remedy=_TO_UTF8,
        ) from error


def _refuse_binary(text: str, name: str) -> str:
    num_controls = len(_CONTROL.findall(text))
    if "\x00" in text or num_controls > 0.02 * len(text) + 1:
        raise UnsupportedDocumentError(f"{name} is binary, not text", remedy=_CONVERT)
    return text


def _is_damaged_utf8(data: bytes) -> bool:
    """Nearly all bytes above 127 stand in well-formed UTF-8 sequences."""
    num_high = len(data) - len(data.translate(None, bytes(range(128, 256))))
    num_fitting = sum(len(match) for match in _UTF8_SEQUENCE.findall(data))
    return num_fitting >= 6 and num_fitting >= 0.9 * num_high


def _utf16(data: bytes) -> str | None:
    """UTF-16 without a mark, if exactly one byte order makes sense of it."""
    if len(data) % 2 or len(data) < 4:
        return None
    good = []
    for encoding in ("utf-16-le", "utf-16-be"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        num_latin = sum(
            char in "\t\n\r€™" or " " <= char < "\u0250" or "\u2000" < char < "\u2070"
            for char in text
        )
        num_frequent = sum(char in _FREQUENT for char in text)
        num_cjk = sum("\u3000" <= char < "\ua000" or "\uff00" <= char < "\uffef" for char in text)
        if num_latin + num_cjk >= 0.97 * len(text) and (
            num_latin >= 0.7 * len(text) or num_frequent >= 0.1 * num_cjk
        ):
            good.append(text)
    return good[0] if len(good) == 1 else None


def _gb18030(data: bytes) -> str | None:
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return None
    pairs = [match for match in _GB_PAIR.findall(data) if match]
    num_common = sum(pair[0] >= 0xA1 and pair[1] >= 0xA1 for pair in pairs)
    wide = [char for char in text if char > "\x7f"]
    num_frequent = sum(char in _FREQUENT for char in wide)
    if any(unicodedata.category(char) in ("Co", "Cn", "Cc") for char in wide):
        return None
    plausible = num_common >= 0.5 * len(pairs) and num_frequent >= 0.1 * len(wide)
    return text if plausible else None


def _cp1252(data: bytes) -> str | None:
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return None
    wide = [char for char in text if char > "\x7f"]
    num_latin = sum(char.isascii() and (char.isalnum() or char.isspace()) for char in text)
    # Letters that the languages of Western Europe use, and the signs of typeset text.
    num_usual = sum(
        char.isalpha() or char in "‘’“”–—•…€£¥§©®°±·«»™¢¼½¾¿¡ºª²³\xa0\xad" for char in wide
    )
    plausible = num_latin >= 0.6 * len(text) and num_usual == len(wide) <= 0.3 * len(text)
    return text if plausible else None
