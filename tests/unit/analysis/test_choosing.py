"""What runs where nobody says what to run."""

import pytest

from assay.analysis.choosing import kind_of, suiting_tasks
from assay.documents import read_document

INVOICE = "INVOICE\nInvoice number: 17\nBill to: Birch Ltd.\nQty  Unit price\nAmount due: EUR 40.00"
CONTRACT = """SUPPLY AGREEMENT. This Agreement is made by and between Alder Inc. and Birch Ltd. The
parties agree that the governing law is that of Norway. In witness whereof they signed."""
CHINESE = "采购合同。甲方：苏州甲公司。乙方：青岛乙公司。本合同自签字之日起生效。违约责任：……"


def names(text: str) -> list[str]:
    return [task.name for task in suiting_tasks(read_document(text.encode()))]


@pytest.mark.parametrize(
    ("text", "kind"),
    [(INVOICE, "invoice"), (CONTRACT, "contract"), (CHINESE, "contract"), ("Good day.", "any")],
)
def test_kinds_are_told_by_their_words(text, kind):
    assert kind_of(text) == kind


def test_units_run_on_the_kinds_that_they_suit():
    assert names(INVOICE)[0] == names(CONTRACT)[0] == "classify_document"
    assert {"extract_total", "extract_issuer"} <= set(names(INVOICE))
    assert {"extract_clause", "extract_party"} <= set(names(CONTRACT))
    assert "extract_clause" not in names(INVOICE)
    assert "extract_total" not in names(CONTRACT)
    assert {"extract_party", "extract_date", "extract_currency"} <= set(names("Good day."))
