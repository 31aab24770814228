"""E-mail: headers as lines, the body that a reader sees, attachments by name."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from assay.documents import read_document
from assay.errors import EncryptedDocumentError


def message(body: str = "Dear Sir,\n\nI claim.\n", **headers: str) -> EmailMessage:
    made = EmailMessage()
    for key, value in ({"From": "Ann <a@b.org>", "Subject": "Claim"} | headers).items():
        made[key] = value
    made.set_content(body)
    return made


def text_of(made: EmailMessage | bytes) -> str:
    data = made if isinstance(made, bytes) else made.as_bytes()
    return read_document(data, name="a.eml").text


def test_headers_are_lines_before_the_body():
    data = message(To="c@d.org").as_bytes()
    assert text_of(b"Date: Mon, 1 Jan 2024 10:00 (CET)\n" + data) == (
        "From: Ann <a@b.org>\nTo: c@d.org\nDate: Mon, 1 Jan 2024 10:00 (CET)\n"
        "Subject: Claim\n\nDear Sir,\n\nI claim."
    )


def test_encoded_headers_and_bodies_are_decoded():
    made = message("Prämie — 100 €\n", Subject="索赔 — Café")
    assert text_of(made).endswith("Subject: 索赔 — Café\n\nPrämie — 100 €")


def test_the_plain_body_is_preferred_to_the_html_one():
    made = message()
    made.add_alternative("<p>Shown</p>", subtype="html")
    assert text_of(made).endswith("\n\nDear Sir,\n\nI claim.")


def test_a_body_in_html_alone_is_read():
    made = message(" \n")
    made.add_alternative("<p>One</p><p>Two</p>", subtype="html")
    assert text_of(made).endswith("\n\nOne\n\nTwo")


def test_attachments_are_listed_by_name():
    made = message()
    made.add_attachment(b"%PDF-", maintype="application", subtype="pdf", filename="索赔.pdf")
    made.add_attachment("secret", filename="notes.txt")
    text = text_of(made)
    assert "\nAttachments: 索赔.pdf, notes.txt\n\nDear" in text
    assert "secret" not in text


def test_forwarded_messages_are_appended():
    made = message()
    made.add_attachment(message("The first letter.\n", Subject="Before"))
    assert text_of(made).endswith("Subject: Before\n\nThe first letter.")


def test_chinese_bodies_are_read_whatever_their_header_says():
    body = "您好，本合同的付款日期是三月一日。"
    for charset in ("gb2312", "gb18030", "us-ascii", "no-such-charset"):
        head = f"From: a@b.org\nContent-Type: text/plain; charset={charset}\n"
        data = (head + "Content-Transfer-Encoding: 8bit\n\n").encode() + body.encode("gb18030")
        assert text_of(data).endswith(f"\n\n{body}")


def test_malformed_headers_do_not_stop_the_reading():
    text = text_of(b"From: <<<>\nDate: some day\nSubject: =?x?q?broken\n\nBody\n")
    assert "Date: some day" in text
    assert text.endswith("\n\nBody")


@pytest.mark.parametrize("kind", ["multipart/encrypted; boundary=b", "application/pkcs7-mime"])
def test_an_encrypted_message_is_said_to_be_one(kind):
    with pytest.raises(EncryptedDocumentError, match="encrypted message"):
        text_of(f"From: a@b.org\nContent-Type: {kind}\n\n--b\n\nx\n--b--\n".encode())


def test_a_file_without_headers_is_plain_text():
    document = read_document(b"Just a note\nwith two lines", name="a.eml")
    assert (document.text, document.media_type) == ("Just a note\nwith two lines", "text/plain")
