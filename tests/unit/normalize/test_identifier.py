"""Identifiers: found, told apart, and checked."""

import pytest

from assay.normalize.identifier import find_identifiers, read_identifier


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("DE89 3704 0044 0532 0130 00", "iban", "DE89370400440532013000"),
        ("GB82WEST12345698765432", "iban", "GB82WEST12345698765432"),
        ("5493001KJTIIGC8Y1R12", "lei", "5493001KJTIIGC8Y1R12"),
        ("US0378331005", "isin", "US0378331005"),
        ("DE136695976", "vat", "DE136695976"),
        ("FR 40 303265045", "vat", "FR40303265045"),
        ("ATU13585627", "vat", "ATU13585627"),
        ("BE0428759497", "vat", "BE0428759497"),
        ("IT00743110157", "vat", "IT00743110157"),
        ("NL004495445B01", "vat", "NL004495445B01"),
        ("PL8567346215", "vat", "PL8567346215"),
        ("GB980780684", "vat", "GB980780684"),
        ("91350100M000100Y43", "credit_code", "91350100M000100Y43"),
        ("11010519491231002X", "resident_id", "11010519491231002X"),
    ],
)
def test_reads_an_identifier(text: str, kind: str, value: str) -> None:
    """What checks is found without being named, with or without spaces."""
    found = [item for item in read_identifier(text).values if item.kind == kind]
    assert [(item.value, item.valid) for item in found] == [(value, True)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("IBAN: DE89 3704 0044 0532 0130 01", "DE89370400440532013001"),
        ("ISIN US0378331006", "US0378331006"),
        ("统一社会信用代码：91350100M000100Y44", "91350100M000100Y44"),
    ],
)
def test_a_named_one_that_does_not_check_is_marked(text: str, value: str) -> None:
    """A wrong account number is what a reader wants to know of."""
    (item,) = read_identifier(text).values
    assert (item.value, item.valid) == (value, False)


@pytest.mark.parametrize(
    "text", ["DE89 3704 0044 0532 0130 01", "US0378331006", "ORDER 12345678", "", "ABCDEF"]
)
def test_what_neither_checks_nor_is_named_is_none(text: str) -> None:
    """A run of capitals and digits is not yet an identifier."""
    assert not read_identifier(text).understood


def test_a_vat_number_without_a_known_check_must_be_named() -> None:
    """Its form alone proves nothing."""
    assert not read_identifier("HU12345678").understood
    (item,) = read_identifier("VAT No. HU12345678").values
    assert (item.value, item.valid) == ("HU12345678", None)


def test_identifiers_stand_where_they_say() -> None:
    """The words around them are not part of them."""
    text = "Pay to DE89 3704 0044 0532 0130 00 BIC COBADEFF, LEI 5493001KJTIIGC8Y1R12."
    assert [text[item.start : item.end] for item in find_identifiers(text)] == [
        "DE89 3704 0044 0532 0130 00",
        "5493001KJTIIGC8Y1R12",
    ]
