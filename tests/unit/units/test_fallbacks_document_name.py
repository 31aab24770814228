"""What a document calls itself."""

import pytest

from assay.units.fallbacks.document_name import DocumentNameFallback, DocumentNameHeuristic


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Exhibit 10.5\n\nSOFTWARE LICENSE AGREEMENT\n\nAlder Inc. and Birch", "SOFTWARE LICENSE"),
        ("EXECUTION VERSION\n\nTHIS SUPPLY AND SERVICE AGREEMENT is made", "SUPPLY AND SERVICE"),
        ("ALDER LIMITED   DISTRIBUTION AGREEMENT\n\nmade on 3 May", "DISTRIBUTION AGREEMENT"),
        ('Lease\n\nThis Master Lease Agreement (the "Lease")', "Master Lease Agreement"),
        ("Annex 2 - Loan Agreement\n\nmade on 3 May", "Loan Agreement"),
        ("LOAN AND NOTE AGREEMENT\nLOAN AND NOTE AGREEMENT\n", "LOAN AND NOTE AGREEMENT"),
        ("CONFIDENTIAL\n\nSupply Agreement\n", "Supply Agreement"),
        ("CONFIDENTIAL DISCLOSURE AGREEMENT\nwith Alder", "CONFIDENTIAL DISCLOSURE AGREEMENT"),
        ("HC-INV-25-0442\nTAX INVOICE\n", "TAX INVOICE"),
        ("FORM OF\nGUARANTEE AND INDEMNITY DEED\n", "GUARANTEE AND INDEMNITY DEED"),
        ("\n设备采购合同\n\n甲方：某公司", "设备采购合同"),
        ("《技术服务协议》\n编号：7", "技术服务协议"),
    ],
)
def test_the_name_is_found_without_what_stands_before_it(text: str, name: str) -> None:
    """Exhibits, versions and companies are no part of it."""
    (found, *_) = DocumentNameFallback().find(text)
    said = text[found.start : found.end]
    assert said.startswith(name)
    assert said.count("AGREEMENT") <= 1


def test_another_agreement_that_is_mentioned_is_not_the_name() -> None:
    text = "The parties refer to the Master Services Agreement and to that Loan Agreement of May."
    assert DocumentNameFallback().find(text) == ()


def test_the_heuristic_takes_the_first_line_in_capitals() -> None:
    text = "page 1\nGENERAL TERMS OF SALE\nThe seller delivers.\nSECOND PART OF IT\n"
    (first, second) = DocumentNameHeuristic().find(text)
    assert text[first.start : first.end] == "GENERAL TERMS OF SALE"
    assert second.score < first.score
