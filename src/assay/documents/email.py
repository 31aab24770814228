"""E-mail messages (RFC 5322, `.eml`): the main headers as lines, then the body.

The plain text body is preferred, else the HTML one. Attachments are listed by name, not read;
messages forwarded as attachments are appended.
"""

from __future__ import annotations

import codecs
from email import message_from_bytes, policy
from email.message import EmailMessage

from assay.documents import text
from assay.documents.document import Document
from assay.documents.encoding import decode
from assay.documents.html import html_to_text
from assay.errors import EncryptedDocumentError

MEDIA_TYPE = "message/rfc822"

_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_ENCRYPTED = frozenset(("multipart/encrypted", "application/pkcs7-mime"))
_MAX_DEPTH = 8
_SUPERSETS = {"gb2312": "gb18030", "gbk": "gb18030", "iso8859-1": "cp1252", "ascii": "utf-8"}


def read(data: bytes, name: str) -> Document:
    """Reads a message. A file without a single header of a message is read as plain text.

    Raises:
        EncryptedDocumentError: the message is encrypted (S/MIME, PGP/MIME).
        UnsupportedDocumentError, BrokenDocumentError: see `encoding.decode`.
    """
    message = message_from_bytes(data, policy=policy.default)
    assert isinstance(message, EmailMessage), "policy.default makes EmailMessage"
    if not any(_header(message, header) for header in _HEADERS):
        return text.read(data, name)
    return Document(name=name, text=text.clean(_message(message, name, 0)), media_type=MEDIA_TYPE)


def _message(message: EmailMessage, name: str, depth: int) -> str:
    if message.get_content_type() in _ENCRYPTED:
        raise EncryptedDocumentError(
            f"{name} is an encrypted message", remedy="decrypt it in the mail program and save it"
        )
    lines = [f"{key}: {value}" for key in _HEADERS if (value := _header(message, key))]
    attached, forwarded = _attachments(message)
    if attached:
        lines.append(f"Attachments: {', '.join(attached)}")
    parts = ["\n".join(lines), _body(message, name).strip("\n")]
    if depth < _MAX_DEPTH:
        parts += [_message(inner, name, depth + 1) for inner in forwarded]
    return "\n\n".join(part for part in parts if part)


def _header(message: EmailMessage, key: str) -> str:
    """The header, decoded and on one line; as it stands in the file if it is malformed.

    Dates stay as they were written.
    """
    raw = next((raw for name, raw in message.raw_items() if name.lower() == key.lower()), "")
    try:
        value = raw if key == "Date" else message[key]
    except (ValueError, IndexError, AttributeError, LookupError, TypeError):
        value = raw
    return " ".join(str(value or "").split())


def _body(message: EmailMessage, name: str) -> str:
    for kind in ("plain", "html"):
        part = message.get_body(preferencelist=(kind,))
        if not isinstance(part, EmailMessage):
            continue
        content = _content(part, name)
        body = html_to_text(content, name) if kind == "html" else content
        if body.strip():
            return body
    return ""


def _content(part: EmailMessage, name: str) -> str:
    payload = part.get_payload(decode=True)
    if not isinstance(payload, bytes) or not payload:
        return ""
    charset = part.get_content_charset()
    if charset:
        try:
            encoding = codecs.lookup(charset).name
            return payload.decode(_SUPERSETS.get(encoding, encoding))
        except (LookupError, UnicodeDecodeError):
            pass  # What the message says is wrong: told from the bytes.
    return decode(payload, name)


def _attachments(message: EmailMessage) -> tuple[list[str], list[EmailMessage]]:
    """The names of attached files, and the messages that are forwarded as attachments."""
    names: list[str] = []
    forwarded: list[EmailMessage] = []
    parts = list(message.iter_attachments()) if message.is_multipart() else []
    if not message.is_multipart() and message.get_content_maintype() != "text":
        parts = [message]
    for part in parts:
        if part.get_content_type() == "message/rfc822":
            payload = part.get_payload()
            if isinstance(payload, list):
                forwarded += [inner for inner in payload if isinstance(inner, EmailMessage)]
        elif isinstance(part, EmailMessage):
            names.append(part.get_filename() or f"unnamed {part.get_content_type()}")
    return names, forwarded
