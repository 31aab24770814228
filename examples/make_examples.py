"""Makes the example documents from `sources/`. Companies and people are invented.

    python examples/make_examples.py [FOLDER]

The same sources give the same documents, byte by byte: no clock is read, and PDF streams are not
compressed. Needs reportlab and python-docx (the `dev` extra).
"""

from __future__ import annotations

import io
import sys
import zipfile
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from layout import agreement_pdf, invoice_pdf, letter_docx

SOURCES = Path(__file__).parent / "sources"
#: The earliest date a ZIP archive can hold.
ZIP_EPOCH = (1980, 1, 1, 0, 0, 0)


def email_bytes(body: str) -> bytes:
    """A message as a mail client sends it: plain text and HTML side by side, base64 or quoted."""
    message = EmailMessage(policy=SMTP)
    message["From"] = "Katarzyna Hoogendoorn-Wolny <k.hoogendoorn@wolny-mail.example>"
    message["To"] = "Kuchenwerk Direct Service <service@kuchenwerk-direct.example>"
    message["Subject"] = "FOURTH AND LAST complaint: order 70318-B, wrong AND broken cooker"
    message["Date"] = datetime(2025, 11, 19, 21, 42, 7, tzinfo=UTC)
    message["Message-ID"] = "<20251119214207.5590.1182@wolny-mail.example>"
    message.set_content(body)
    paragraphs = "".join(f"<p>{part.strip()}</p>\n" for part in body.split("\n\n"))
    message.add_alternative(f"<html><body>\n{paragraphs}</body></html>\n", subtype="html")
    message.set_boundary("=-=-5590-1182-20251119-=-=")
    return message.as_bytes()


def with_fixed_dates(archive: bytes) -> bytes:
    """The same ZIP archive, its members sorted and dated `ZIP_EPOCH`."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as old, zipfile.ZipFile(target, "w") as new:
        for name in sorted(old.namelist(), key=lambda item: (item != "[Content_Types].xml", item)):
            member = zipfile.ZipInfo(name, ZIP_EPOCH)
            member.external_attr = 0o644 << 16
            new.writestr(member, old.read(name), zipfile.ZIP_DEFLATED)
    return target.getvalue()


def make_all() -> dict[str, bytes]:
    """Every example document by file name."""

    def source(name: str) -> str:
        return (SOURCES / name).read_text(encoding="utf-8")

    chinese = source("contract_zh.txt")
    return {
        "supply_agreement.pdf": agreement_pdf(source("supply_agreement.txt")),
        "invoice.pdf": invoice_pdf(),
        "claims_letter.docx": with_fixed_dates(letter_docx(source("claims_letter.txt"))),
        "angry_customer.eml": email_bytes(source("angry_customer.txt")),
        "contract_zh.txt": chinese.encode("utf-8"),
        "contract_zh_gb18030.txt": chinese.encode("gb18030"),
    }


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for name, data in make_all().items():
        (folder / name).write_bytes(data)
        print(f"{folder / name}: {len(data):,} bytes")


if __name__ == "__main__":
    main()
