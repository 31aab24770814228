"""Documents made in memory, byte by byte, so that a test says all that is in them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import pytest

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"

Line = tuple[float, float, str]


@dataclass
class PdfPage:
    """Lines of 12 point Helvetica at (x, y) from the bottom left; a picture over the whole page;
    the value of a form field at the foot of the page."""

    lines: Sequence[Line] = ()
    picture: bool = False
    rotation: int = 0
    field_value: str = ""


@dataclass
class PdfSpec:
    pages: Sequence[PdfPage] = field(default_factory=list)
    encrypted: bool = False


def _build_pdf(spec: PdfSpec) -> bytes:
    objects: dict[int, bytes] = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        3: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        4: _stream(
            b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray"
            b" /BitsPerComponent 8",
            b"\x80",
        ),
    }
    kids, fields = [], []
    for index, page in enumerate(spec.pages):
        number = 10 + 2 * index
        kids.append(f"{number} 0 R")
        content = b"q 595 0 0 842 0 0 cm /Im Do Q\n" if page.picture else b""
        for x, y, text in page.lines:
            shown = text.encode("cp1252").replace(b"\\", b"\\\\")
            shown = shown.replace(b"(", b"\\(").replace(b")", b"\\)")
            content += b"BT /F 12 Tf %g %g Td (%s) Tj ET\n" % (x, y, shown)
        extra = b""
        if page.field_value:
            fields.append(f"{500 + index} 0 R")
            extra = b" /Annots [%d 0 R]" % (500 + index)
            objects[500 + index] = (
                b"<< /Type /Annot /Subtype /Widget /FT /Tx /T (f%d) /V (%s) /F 4"
                b" /Rect [72 50 300 70] /AP << /N %d 0 R >> >>"
                % (index, page.field_value.encode(), 700 + index)
            )
            objects[700 + index] = _stream(
                b"<< /Type /XObject /Subtype /Form /BBox [0 0 228 20]"
                b" /Resources << /Font << /F 3 0 R >> >>",
                b"BT /F 12 Tf 2 5 Td (%s) Tj ET" % page.field_value.encode(),
            )
        objects[number] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Rotate %d /Contents %d 0 R%s"
            b" /Resources << /Font << /F 3 0 R >> /XObject << /Im 4 0 R >> >> >>"
            % (page.rotation, number + 1, extra)
        )
        objects[number + 1] = _stream(b"<<", content)
    if fields:
        form = f"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [{' '.join(fields)}] >> >>"
        objects[1] = form.encode()
    objects[2] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    trailer = b"/Root 1 0 R"
    if spec.encrypted:
        secret = b"<%s>" % (b"5a" * 32)
        objects[5] = b"<< /Filter /Standard /V 1 /R 2 /P -4 /O %s /U %s >>" % (secret, secret)
        trailer += b" /Encrypt 5 0 R /ID [<00> <00>]"
    out = bytearray(b"%PDF-1.7\n")
    offsets = {}
    for number, body in sorted(objects.items()):
        offsets[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 1\n0000000000 65535 f \n"
    for number, offset in offsets.items():
        out += b"%d 1\n%010d 00000 n \n" % (number, offset)
    out += b"trailer\n<< /Size %d %s >>\nstartxref\n%d\n%%%%EOF\n" % (
        max(objects) + 1,
        trailer,
        start,
    )
    return bytes(out)


def _stream(head: bytes, data: bytes) -> bytes:
    return head + b" /Length %d >>\nstream\n%s\nendstream" % (len(data), data)


@pytest.fixture
def make_pdf() -> Callable[..., bytes]:
    """Pages, each a list of (x, y, text) or a `PdfPage`, to the bytes of a PDF."""

    def make(*pages: PdfPage | Sequence[Line], encrypted: bool = False) -> bytes:
        made = [page if isinstance(page, PdfPage) else PdfPage(page) for page in pages]
        return _build_pdf(PdfSpec(made, encrypted))

    return make


@pytest.fixture
def pdf_page() -> type[PdfPage]:
    return PdfPage


@pytest.fixture
def make_docx() -> Callable[..., bytes]:
    """The XML inside `w:body`, and of other parts by kind, to the bytes of a DOCX file."""

    def make(body: str, **parts: str) -> bytes:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(
                "[Content_Types].xml",
                '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
            )
            archive.writestr(
                "_rels/.rels",
                f'<Relationships xmlns="{_PACKAGE}"><Relationship Id="r1" '
                f'Type="{_R}/officeDocument" Target="word/document.xml"/></Relationships>',
            )
            archive.writestr(
                "word/document.xml",
                f'<w:document xmlns:w="{_W}"><w:body>{body}</w:body></w:document>',
            )
            relations = ""
            for kind, content in parts.items():
                root = {"header": "hdr", "footer": "ftr"}.get(kind, kind)
                archive.writestr(
                    f"word/{kind}.xml", f'<w:{root} xmlns:w="{_W}">{content}</w:{root}>'
                )
                relations += f'<Relationship Id="{kind}" Type="{_R}/{kind}" Target="{kind}.xml"/>'
            archive.writestr(
                "word/_rels/document.xml.rels",
                f'<Relationships xmlns="{_PACKAGE}">{relations}</Relationships>',
            )
        return buffer.getvalue()

    return make
