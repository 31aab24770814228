"""Plain text and Markdown: kept as it is but for line ends and control characters.

`clean` is what all readers pass their text through, so that the same rule holds everywhere.
"""

from __future__ import annotations

from assay.documents.document import Document
from assay.documents.encoding import decode
from assay.patterns import lazy_pattern

_LINE_END = lazy_pattern(r"\r\n|[\r\x0b\x0c\x85]")
_CONTROL = lazy_pattern(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_SURROGATE = lazy_pattern(r"[\ud800-\udfff]")


def clean(text: str) -> str:
    """Line ends become `\\n`, other control characters a space each, lone surrogates U+FFFD.

    A byte order mark at the start is dropped. Tabs and all else stay: no Unicode normalisation.
    """
    text = _LINE_END.sub("\n", text.removeprefix("\ufeff"))
    return _SURROGATE.sub("\ufffd", _CONTROL.sub(" ", text))


def read(data: bytes, name: str, media_type: str = "text/plain") -> Document:
    """Reads a text file.

    Raises:
        UnsupportedDocumentError, BrokenDocumentError: see `encoding.decode`.
    """
    return Document(name=name, text=clean(decode(data, name)), media_type=media_type)
