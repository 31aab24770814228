"""Which reader takes a file, and one clear error where none does."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import assay
from assay.documents import read_document
from assay.errors import (
    BrokenDocumentError,
    DocumentError,
    DocumentNotFoundError,
    EmptyDocumentError,
    EncryptedDocumentError,
    UnsupportedDocumentError,
)

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(64)


def test_a_path_is_read_and_named_by_its_file(tmp_path):
    path = tmp_path / "contract.txt"
    path.write_text("Agreement", encoding="utf-8")
    for source in (path, str(path)):
        document = read_document(source)
        assert (document.name, document.text) == ("contract.txt", "Agreement")
    assert read_document(path, name="other").name == "other"


def test_the_bytes_decide_before_the_name(make_pdf, make_docx):
    pdf = read_document(make_pdf([(72, 700, "Text")]), name="a.txt")
    assert pdf.media_type == "application/pdf"
    docx = read_document(make_docx("<w:p><w:r><w:t>Text</w:t></w:r></w:p>"), name="a.pdf")
    assert docx.media_type.endswith("wordprocessingml.document")
    assert read_document(b"<!DOCTYPE html><p>Text", name="a.txt").media_type == "text/html"
    mail = b"MIME-Version: 1.0\nMessage-ID: <1@b>\nFrom: a@b.c\n\nText"
    assert read_document(mail, name="a.txt").media_type == "message/rfc822"


def test_the_media_type_decides_between_kinds_of_text():
    fragment = b"<p>a</p><p>b</p>"
    assert read_document(fragment).text == "<p>a</p><p>b</p>"
    assert read_document(fragment, media_type="text/html; charset=utf-8").text == "a\n\nb"
    assert read_document(fragment, name="a.html").text == "a\n\nb"


def test_what_is_no_readable_file_is_not_found(tmp_path):
    with pytest.raises(DocumentNotFoundError, match="no such file"):
        read_document(tmp_path / "nothing.pdf")
    with pytest.raises(DocumentNotFoundError, match="folder"):
        read_document(tmp_path)
    with pytest.raises(DocumentNotFoundError, match="not a regular file"):
        read_document(os.devnull)
    with pytest.raises(DocumentNotFoundError):
        read_document("a\0b")


def test_a_file_without_permission_is_not_found(tmp_path, monkeypatch):
    path = tmp_path / "secret.txt"
    path.write_text("Secret", encoding="utf-8")

    def refuse(self):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(type(path), "read_bytes", refuse)
    with pytest.raises(DocumentNotFoundError, match="permission"):
        read_document(path)


@pytest.mark.parametrize(
    "data", [b"", b" \r\n\t ", b"\xef\xbb\xbf", b"<html><body> </body></html>"]
)
def test_nothing_to_read_is_empty(data):
    with pytest.raises(EmptyDocumentError):
        read_document(data)


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (OLE, UnsupportedDocumentError, "old Office file"),
        (OLE + "EncryptedPackage".encode("utf-16-le"), EncryptedDocumentError, "password"),
        (b"{\\rtf1 text}", UnsupportedDocumentError, "RTF"),
        (b"\x1f\x8b" + bytes(9), UnsupportedDocumentError, "gzip"),
        (b"\x7fELF" + bytes(9), UnsupportedDocumentError, "program"),
        (b"PK\x03\x04 and then nothing", BrokenDocumentError, "damaged"),
    ],
)
def test_formats_without_a_reader_are_named(data, error, words):
    with pytest.raises(error, match=words) as caught:
        read_document(data, name="a.doc")
    assert caught.value.remedy


@pytest.mark.parametrize("name", ["a.pdf", "a.docx", "A.PDF"])
def test_a_name_that_promises_another_format_is_broken(name):
    with pytest.raises(BrokenDocumentError, match="does not start like one"):
        read_document(b"Just some text", name=name)


@pytest.mark.parametrize(
    ("member", "words"),
    [("xl/workbook.xml", "Excel"), ("ppt/presentation.xml", "PowerPoint"), ("a.txt", "ZIP")],
)
def test_archives_that_are_no_word_document_are_named(member, words):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(member, "<x/>")
    with pytest.raises(UnsupportedDocumentError, match=words):
        read_document(buffer.getvalue())


def test_every_error_is_a_document_error_with_one_line():
    for data in (b"", OLE, b"\x00\x01\x02", b"%PDF-", b"PK\x03\x04"):
        with pytest.raises(DocumentError) as caught:
            read_document(data, name="a.bin")
        assert "\n" not in str(caught.value)


def test_readers_are_imported_when_they_are_needed():
    code = (
        "import sys, assay.documents as d; d.read_document(b'Text');"
        "print({'pypdfium2', 'lxml', 'email', 'torch', 'numpy'} & set(sys.modules))"
    )
    run = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env={"PYTHONPATH": str(Path(assay.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "set()"
