"""What format bytes are in. The bytes decide; the name is asked only between kinds of text."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Literal

from assay.errors import (
    BrokenDocumentError,
    EncryptedDocumentError,
    UnsupportedDocumentError,
)
from assay.patterns import lazy_pattern

Format = Literal["pdf", "docx", "html", "email", "markdown", "text", "picture"]

_PICTURES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\x00", "image/tiff"),
    (b"MM\x00*", "image/tiff"),
)
_OTHERS = (
    (b"{\\rtf", "an RTF document", "save it as DOCX or PDF"),
    (b"\x1f\x8b", "a gzip archive", "unpack it first"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", "unpack it first"),
    (b"Rar!\x1a\x07", "a RAR archive", "unpack it first"),
    (b"\x7fELF", "a program", "give a document"),
    (b"%!PS", "a PostScript file", "convert it to PDF"),
)
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BY_SUFFIX: dict[str, Format] = {
    ".htm": "html",
    ".html": "html",
    ".xhtml": "html",
    ".eml": "email",
    ".md": "markdown",
    ".markdown": "markdown",
}
_BY_MEDIA_TYPE: dict[str, Format] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "message/rfc822": "email",
    "text/markdown": "markdown",
    "text/plain": "text",
}
_BINARY = {
    ".pdf": "PDF",
    ".docx": "DOCX",
    "application/pdf": "PDF",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "DOCX",
}
_HTML = lazy_pattern(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*+<(?:!doctype\s+html|html)\b", re.I | re.S
)
_HEADER = lazy_pattern(rb"(?:[!-9;-~]+:[^\n]*\n(?:[ \t][^\n]*\n)*)+")
_MAIL_HEADER = lazy_pattern(rb"^(?:message-id|mime-version|received|return-path):", re.I | re.M)


def sniff(data: bytes, name: str, media_type: str | None) -> Format:
    """The reader that takes these bytes.

    Raises:
        EncryptedDocumentError: an Office document under a password.
        BrokenDocumentError: named as PDF or DOCX, but without the marks of one.
        UnsupportedDocumentError: a known format that no reader takes.
    """
    if b"%PDF-" in data[:1024]:
        return "pdf"
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return "docx"
    if picture_type(data):
        return "picture"
    _refuse_known(data, name)
    hint = (media_type or "").partition(";")[0].strip().lower()
    suffix = PurePath(name).suffix.lower()
    claimed = _BINARY.get(hint) or _BINARY.get(suffix)
    if claimed:
        raise BrokenDocumentError(
            f"{name} is called a {claimed} file but does not start like one",
            remedy="send it again, or rename it to what it is",
        )
    if hint in _BY_MEDIA_TYPE and hint != "text/plain":
        return _BY_MEDIA_TYPE[hint]
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    head = data[:16384].removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    if _HTML.match(head):
        return "html"
    header = _HEADER.match(head)
    if header and len(_MAIL_HEADER.findall(header.group())) >= 2:
        return "email"
    return "text"


def picture_type(data: bytes) -> str | None:
    """The media type of a picture that can be read, else None."""
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "image/webp"
    if data.startswith(b"BM") and data[6:10] == b"\x00\x00\x00\x00":
        return "image/bmp"
    return next((kind for magic, kind in _PICTURES if data.startswith(magic)), None)


def _refuse_known(data: bytes, name: str) -> None:
    if data[4:12] in (b"ftypheic", b"ftypmif1", b"ftypavif"):
        raise UnsupportedDocumentError(
            f"{name} is a picture in HEIF", remedy="save it as JPEG or PNG"
        )
    if data.startswith(_OLE):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise EncryptedDocumentError(
                f"{name} is protected by a password", remedy="remove the password and try again"
            )
        raise UnsupportedDocumentError(
            f"{name} is an old Office file (.doc, .xls, .ppt, .msg)",
            remedy="save it as DOCX or PDF",
        )
    for magic, kind, remedy in _OTHERS:
        if data.startswith(magic):
            raise UnsupportedDocumentError(f"{name} is {kind}", remedy=remedy)
