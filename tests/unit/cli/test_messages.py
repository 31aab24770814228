"""One line a complaint, with the file's name once."""

from __future__ import annotations

import pytest

from assay.cli.messages import report
from assay.errors import EmptyDocumentError


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("contract.pdf is empty", "assay: in/contract.pdf: is empty (look again)"),
        ("no such file: in/contract.pdf", "assay: in/contract.pdf: no such file (look again)"),
        ("page 3 is torn", "assay: in/contract.pdf: page 3 is torn (look again)"),
    ],
)
def test_a_complaint_names_the_file_once(capsys, message, line) -> None:
    error = EmptyDocumentError(message, remedy="look again")
    assert report(error, about="in/contract.pdf") == 2
    assert capsys.readouterr().err == line + "\n"


def test_an_error_of_the_system_is_input(capsys) -> None:
    assert report(OSError(5, "Input/output error", "disk.bin")) == 2
    assert capsys.readouterr().err == "assay: disk.bin: Input/output error\n"
