"""HTML as a reader sees it: one line a block, table rows with tabs between cells, no scripts.

Parsed by libxml2, which mends broken markup. Items of ordered lists carry their number. Hidden
elements (`hidden`, `display:none`) are left out.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field

from lxml import etree

from assay.documents.document import Document
from assay.documents.encoding import decode
from assay.documents.numerals import letters, roman
from assay.documents.text import clean
from assay.errors import BrokenDocumentError
from assay.patterns import lazy_pattern

MEDIA_TYPE = "text/html"

_SKIPPED_TAGS = "head script style noscript template svg math object iframe select"
_SPACED_TAGS = """
p h1 h2 h3 h4 h5 h6 ul ol dl table blockquote pre section article hr figure
"""
_BLOCK_TAGS = """
html body address aside caption center dd details dialog div dt fieldset figcaption footer form
header legend li main menu nav option summary tbody td tfoot th thead title tr
"""
_SKIPPED = frozenset(_SKIPPED_TAGS.split())
_SPACED = frozenset(_SPACED_TAGS.split())
_BLOCKS = _SPACED | frozenset(_BLOCK_TAGS.split())
_PREFORMATTED = frozenset(("pre", "textarea"))
_SPACE = lazy_pattern(r"[ \t\n\r\f]+")
_CHARSET = lazy_pattern(
    rb"""<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?([\w.:-]+)""", re.I
)
_HIDDEN = lazy_pattern(r"display\s*:\s*none", re.I)
# What pages call Latin-1 and GB 2312 are these, by the WHATWG Encoding Standard.
_SUPERSETS = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}
# References such as &#146; mean Windows-1252, by the HTML standard.
_C1 = {
    code: bytes([code]).decode("cp1252")
    for code in range(0x80, 0xA0)
    if code not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}


def read(data: bytes, name: str) -> Document:
    """Reads a page.

    Raises:
        UnsupportedDocumentError, BrokenDocumentError: see `encoding.decode`, `html_to_text`.
    """
    return Document(name=name, text=html_to_text(_decode(data, name), name), media_type=MEDIA_TYPE)


def html_to_text(markup: str, name: str) -> str:
    """The text of a page or a fragment, which errors call `name`.

    Raises:
        BrokenDocumentError: the parser gave up, as it does on elements nested thousands deep.
    """
    data = clean(markup).encode()
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True
    )
    root = etree.fromstring(data, parser) if data.strip() else None
    fatal = next((entry for entry in parser.error_log if entry.level_name == "FATAL"), None)
    if fatal is not None:
        raise BrokenDocumentError(
            f"{name} is HTML that cannot be parsed: {fatal.message}",
            remedy="save it as PDF or text",
        )
    if root is None:
        return ""
    writer = _Writer()
    walk = etree.iterwalk(root, events=("start", "end"))
    for event, element in walk:
        if event == "end":
            writer.end(element.tag)
            writer.write(element.tail)
        elif _is_hidden(element):
            walk.skip_subtree()
        else:
            writer.start(element.tag, element)
            writer.write(element.text)
    return clean("".join(writer.parts).translate(_C1)).strip()


def _is_hidden(element: etree._Element) -> bool:
    return (
        element.tag in _SKIPPED
        or "hidden" in element.attrib
        or _HIDDEN.search(element.get("style", "")) is not None
    )


@dataclass(slots=True)
class _Writer:
    """Writes text with white space collapsed; what stands between two texts is decided late.

    `gap` is what the next text is preceded by: the widest that was asked for since the last one.
    """

    parts: list[str] = field(default_factory=list)
    gap: str = ""
    cells: list[int] = field(default_factory=list)
    lists: list[tuple[str, int]] = field(default_factory=list)
    num_preformatted: int = 0
    at_cell_start: bool = False
    label: str = ""

    def start(self, tag: str, element: etree._Element) -> None:
        if tag == "br":
            if not self.at_cell_start:
                self.gap = self.gap.strip(" ") + "\n"
        elif tag in ("td", "th") and self.cells:
            self.cells[-1] += 1
            if self.cells[-1] > 1:
                self.gap = self.gap.strip(" ") + "\t"
            self.at_cell_start = True
        elif tag in _BLOCKS and not self.at_cell_start:
            self._break(tag)
        if tag == "tr":
            self.cells.append(0)
        elif tag in ("ol", "ul"):
            first = element.get("start", "1")
            kind = element.get("type", "1") if tag == "ol" else ""
            self.lists.append((kind, int(first) if first.lstrip("-").isdigit() else 1))
        elif tag == "li" and self.lists:
            kind, number = self.lists[-1]
            value = element.get("value", "")
            number = int(value) if value.isdigit() else number
            self.lists[-1] = (kind, number + 1)
            self.label = _label(kind, number)
        elif tag in _PREFORMATTED:
            self.num_preformatted += 1

    def end(self, tag: str) -> None:
        if tag in ("td", "th") and self.cells:
            if not self.at_cell_start:
                self.gap = ""
            return
        if tag == "tr" and self.cells:
            self.cells.pop()
            self.gap = ""
            self.at_cell_start = False
        elif tag in ("ol", "ul") and self.lists:
            self.lists.pop()
        elif tag in _PREFORMATTED and self.num_preformatted:
            self.num_preformatted -= 1
        if tag in _BLOCKS and not self.at_cell_start:
            self._break(tag)

    def write(self, text: str | None) -> None:
        if not text:
            return
        if not self.num_preformatted:
            text = _SPACE.sub(" ", text)
            if text.startswith(" ") and not self.gap:
                self.gap = " "
            stripped = text.strip(" ")
            if not stripped:
                return
        else:
            stripped = text
        if self.parts:
            self.parts.append(self.gap)
        self.parts.append(self.label + stripped)
        self.at_cell_start = False
        self.label = ""
        self.gap = " " if not self.num_preformatted and text.endswith(" ") else ""

    def _break(self, tag: str) -> None:
        wanted = "\n\n" if tag in _SPACED else "\n"
        if self.gap.count("\n") < len(wanted):
            self.gap = wanted


def _label(kind: str, number: int) -> str:
    match kind:
        case "":
            return ""
        case "a":
            return f"{letters(number)}. "
        case "A":
            return f"{letters(number).upper()}. "
        case "i":
            return f"{roman(number).lower()}. "
        case "I":
            return f"{roman(number)}. "
        case _:
            return f"{number}. "


def _decode(data: bytes, name: str) -> str:
    """By the byte order mark, then what the page says of itself, then what the bytes look like."""
    declared = _CHARSET.search(data[:2048])
    marks = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    if declared and not data.startswith(marks):
        try:
            encoding = codecs.lookup(declared.group(1).decode("ascii")).name
            return data.decode(_SUPERSETS.get(encoding, encoding))
        except (LookupError, UnicodeDecodeError):
            pass  # What the page says is wrong: told from the bytes.
    return decode(data, name)
