"""`read_document`: a path or bytes in, a `Document` out, or one clear error."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from assay.documents import text
from assay.documents.document import Document
from assay.documents.sniff import picture_type, sniff
from assay.errors import DocumentNotFoundError, EmptyDocumentError

if TYPE_CHECKING:
    from assay.documents.ocr import OcrEngine, OcrMode


def read_document(
    source: str | os.PathLike[str] | bytes,
    *,
    name: str | None = None,
    media_type: str | None = None,
    ocr: OcrMode | OcrEngine = "rapidocr",
    on_page: Callable[[int, int], None] | None = None,
) -> Document:
    """Reads a document from a path (a `str` is a path) or from bytes.

    The format is told from the bytes. `name` and `media_type`, by default the file's name and
    nothing, decide only between kinds of text (plain, Markdown, HTML, e-mail). `ocr` reads pages
    that are pictures; `on_page` is told before each one its number among them, and how many there
    are.

    Raises:
        DocumentNotFoundError: no such file, a folder, or no permission to read it.
        EmptyDocumentError: no bytes, or nothing but white space.
        UnsupportedDocumentError: no reader takes this format.
        BrokenDocumentError: damaged, cut short, or unpacking to more than the limit.
        EncryptedDocumentError: a password is needed.
        ScannedDocumentError: a picture, or pages that are pictures, and OCR is off, not installed,
            or failed.
        ConfigError: no OCR engine of that name.
    """
    if isinstance(source, bytes):
        data, name = source, name or "document"
    else:
        path = Path(source)
        data, name = _read_bytes(path), name or path.name
    if not data:
        raise EmptyDocumentError(f"{name} is empty (0 bytes)", remedy="check where it came from")
    document = _read(data, name, media_type, ocr, on_page)
    if not document.text.strip():
        raise EmptyDocumentError(f"{name} holds no text", remedy="check where it came from")
    return document


def _read(
    data: bytes,
    name: str,
    media_type: str | None,
    ocr: OcrMode | OcrEngine,
    on_page: Callable[[int, int], None] | None,
) -> Document:
    match sniff(data, name, media_type):
        case "pdf":
            from assay.documents import pdf

            return pdf.read(data, name, ocr, on_page)
        case "picture":
            from assay.documents import scan

            return scan.read(data, name, picture_type(data) or "image/*", ocr, on_page)
        case "docx":
            from assay.documents import docx

            return docx.read(data, name)
        case "html":
            from assay.documents import html

            return html.read(data, name)
        case "email":
            from assay.documents import email

            return email.read(data, name)
        case "markdown":
            return text.read(data, name, "text/markdown")
        case "text":
            return text.read(data, name)


def _read_bytes(path: Path) -> bytes:
    try:
        if path.exists() and not path.is_file():
            kind = "a folder" if path.is_dir() else "not a regular file"
            raise DocumentNotFoundError(f"{path} is {kind}", remedy="give a file")
        return path.read_bytes()
    except FileNotFoundError as error:
        raise DocumentNotFoundError(f"no such file: {path}", remedy="check the path") from error
    except PermissionError as error:
        raise DocumentNotFoundError(
            f"no permission to read {path}", remedy="check its owner and mode"
        ) from error
    except (OSError, ValueError) as error:
        raise DocumentNotFoundError(f"cannot read {path}: {error}") from error
