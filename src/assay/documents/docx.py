"""DOCX (Office Open XML, ECMA-376, transitional and strict) as it reads on paper.

Read from the XML itself: libraries that give paragraphs leave out automatic numbers ("7.2"),
tracked insertions and content controls. Insertions are text, deletions and hidden runs are not.
Paragraphs are separated by a blank line; a table row is a line with tabs between its cells. First
come the headers, then the body, foot- and endnotes, and the footers.
"""

from __future__ import annotations

import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from posixpath import dirname, join, normpath

from lxml import etree

from assay.documents.document import Document
from assay.documents.docx_numbering import Numbering
from assay.documents.ooxml import attribute, child, local_name
from assay.documents.text import clean
from assay.errors import BrokenDocumentError, EncryptedDocumentError, UnsupportedDocumentError

MEDIA_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
MAX_UNPACKED_BYTES = 200_000_000

# Wrappers whose content stands where they stand.
_TRANSPARENT_TAGS = """
sdt sdtContent ins moveTo customXml smartTag hyperlink fldSimple r dir bdo ruby rubyBase
AlternateContent Choice
"""
_TRANSPARENT = frozenset(_TRANSPARENT_TAGS.split())
_OTHER_PACKAGES = (
    ("xl/workbook", "an Excel workbook", "save the sheets as PDF or CSV"),
    ("ppt/presentation", "a PowerPoint presentation", "save it as PDF"),
    ("content.xml", "an OpenDocument file", "save it as DOCX or PDF"),
    ("META-INF/container.xml", "an EPUB book", "save it as HTML or PDF"),
)
_SYMBOLS = {
    "F0FE": "☒",
    "F0FD": "☒",
    "F078": "☒",
    "F0A8": "☐",
    "F06F": "☐",
    "F0FC": "✓",
    "F0B7": "•",
}
_AGAIN = "open it in a word processor, save it again and retry"
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    etree.XMLSyntaxError,
    EOFError,
    KeyError,
    NotImplementedError,
    OSError,
    OverflowError,
    ValueError,
)


def read(data: bytes, name: str) -> Document:
    """Reads a Word document.

    Raises:
        UnsupportedDocumentError: a ZIP archive that is no Word document.
        EncryptedDocumentError: the archive is under a password.
        BrokenDocumentError: damaged, or unpacking to more than `MAX_UNPACKED_BYTES`.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            main = _check(archive, name)
            return Document(name, clean(_Reader(archive, main).text()), MEDIA_TYPE)
    except _DAMAGE as error:
        raise BrokenDocumentError(f"{name} is a damaged DOCX file", remedy=_AGAIN) from error


def _check(archive: zipfile.ZipFile, name: str) -> str:
    """The path of the main part, if this is a Word document of a bearable size."""
    entries = archive.infolist()
    if any(entry.flag_bits & 1 for entry in entries):
        raise EncryptedDocumentError(
            f"{name} is protected by a password", remedy="remove the password and try again"
        )
    if sum(entry.file_size for entry in entries) > MAX_UNPACKED_BYTES:
        raise BrokenDocumentError(
            f"{name} unpacks to more than {MAX_UNPACKED_BYTES // 1_000_000} MB",
            remedy="remove its pictures, or save it as PDF",
        )
    paths = {entry.filename for entry in entries}
    for path, target in _relations(archive, ""):
        if path.endswith("/officeDocument") and target in paths:
            if local_name(_parse(archive, target)) == "document":
                return target
            break
    for prefix, kind, remedy in _OTHER_PACKAGES:
        if any(path.startswith(prefix) for path in paths):
            raise UnsupportedDocumentError(f"{name} is {kind}", remedy=remedy)
    if "[Content_Types].xml" in paths:
        raise BrokenDocumentError(f"{name} has no main document inside", remedy=_AGAIN)
    raise UnsupportedDocumentError(f"{name} is a ZIP archive", remedy="unpack it first")


def _parse(archive: zipfile.ZipFile, path: str) -> etree._Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    return etree.fromstring(archive.read(path), parser)


def _relations(archive: zipfile.ZipFile, part: str) -> Iterator[tuple[str, str]]:
    """The type and the target path of each relation of a part (of the package, for "")."""
    folder, _, file = part.rpartition("/")
    path = join(folder, "_rels", f"{file}.rels")
    if path not in archive.namelist():
        return
    for relation in _parse(archive, path):
        if relation.get("TargetMode") != "External":
            target = relation.get("Target", "")
            absolute = target if target.startswith("/") else join("/", dirname(part), target)
            yield relation.get("Type", ""), normpath(absolute).lstrip("/")


class _Reader:
    """Walks the parts of one document in reading order, numbering as it goes."""

    def __init__(self, archive: zipfile.ZipFile, main: str) -> None:
        self._archive = archive
        self._main = main
        self._parts: dict[str, list[str]] = {}
        for kind, target in _relations(archive, main):
            self._parts.setdefault(kind.rpartition("/")[2], []).append(target)
        self._numbering = Numbering(self._root("numbering"), self._root("styles"))

    def text(self) -> str:
        body = child(_parse(self._archive, self._main), "body")
        blocks = [
            *self._furniture("header"),
            *(self._blocks(body) if body is not None else ()),
            *self._notes("footnotes"),
            *self._notes("endnotes"),
            *self._furniture("footer"),
        ]
        return "\n\n".join(block for block in blocks if block.strip())

    def _root(self, kind: str) -> etree._Element | None:
        paths = self._parts.get(kind)
        return _parse(self._archive, paths[0]) if paths else None

    def _furniture(self, kind: str) -> list[str]:
        """Headers or footers, each text once however many sections repeat it."""
        texts = [
            "\n".join(filter(str.strip, self._blocks(_parse(self._archive, path))))
            for path in sorted(self._parts.get(kind, ()))
        ]
        return list(dict.fromkeys(texts))

    def _notes(self, kind: str) -> Iterator[str]:
        root = self._root(kind)
        for note in root if root is not None else ():
            if attribute(note, "type") in (None, "normal"):
                yield from self._blocks(note)

    def _blocks(self, container: etree._Element) -> Iterator[str]:
        """The paragraphs and tables in a container, in order."""
        for element in container:
            match local_name(element):
                case "p":
                    yield from self._paragraph(element)
                case "tbl":
                    yield "\n".join(filter(str.strip, self._rows(element)))
                case tag if tag in _TRANSPARENT:
                    yield from self._blocks(element)

    def _rows(self, container: etree._Element) -> Iterator[str]:
        for element in container:
            tag = local_name(element)
            if tag == "tr":
                properties = child(element, "trPr")
                if properties is None or child(properties, "del") is None:
                    yield self._row(element)
            elif tag in _TRANSPARENT:
                yield from self._rows(element)

    def _row(self, row: etree._Element) -> str:
        cells = [list(self._blocks(cell)) for cell in _cells(row)]
        if len(cells) == 1:
            return "\n".join(filter(str.strip, cells[0]))
        texts = (" ".join(" ".join(blocks).split()) for blocks in cells)
        return "\t".join(texts).rstrip("\t")

    def _paragraph(self, paragraph: etree._Element) -> Iterator[str]:
        """The paragraph with its number, and after it what stands in text boxes anchored to it."""
        parts: list[str] = []
        boxes: list[etree._Element] = []
        label = self._numbering.label(paragraph)
        _inline(paragraph, parts, boxes)
        text = "".join(parts)
        yield label + text if text.strip() else ""
        for box in boxes:
            yield from self._blocks(box)


def _cells(container: etree._Element) -> Iterator[etree._Element]:
    for element in container:
        tag = local_name(element)
        if tag == "tc":
            yield element
        elif tag in _TRANSPARENT:
            yield from _cells(element)


def _inline(container: etree._Element, parts: list[str], boxes: list[etree._Element]) -> None:
    for element in container:
        match local_name(element):
            case "t":
                parts.append(element.text or "")
            case "tab" | "ptab":
                parts.append("\t")
            case "br" | "cr":
                parts.append("\n")
            case "noBreakHyphen":
                parts.append("\u2011")
            case "sym":
                code = (attribute(element, "char") or "FFFD").upper()
                parts.append(_SYMBOLS.get(code) or chr(int(code, 16)))
            case "drawing" | "pict" | "object":
                boxes += [
                    box
                    for box in element.iter("{*}txbxContent")
                    if not any(local_name(above) == "Fallback" for above in box.iterancestors())
                ]
            case "r" if _is_hidden(element):
                pass
            case tag if tag in _TRANSPARENT:
                _inline(element, parts, boxes)


def _is_hidden(run: etree._Element) -> bool:
    properties = child(run, "rPr")
    vanish = child(properties, "vanish") if properties is not None else None
    return vanish is not None and attribute(vanish, "val") not in ("0", "false", "off")
