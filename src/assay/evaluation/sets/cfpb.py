"""CFPB complaints: which product a consumer complains of (MIT; narratives are public data).

Rows: `text`, `product` (one of five). The narratives were lower-cased and stripped of stop words
upstream, so that no sentence marks what is evidence: any quotation of the complaint is.
"""

from __future__ import annotations

from assay.documents import Document
from assay.evaluation.base import Ask, Counts, Finding, PlainQuestion, one_value
from assay.evaluation.labelled_texts import LabelledTexts

PRODUCTS = (
    "credit_card",
    "credit_reporting",
    "debt_collection",
    "mortgages_and_loans",
    "retail_banking",
)
_PLAIN = PlainQuestion(
    "Which product is this complaint of a consumer about?", {"enum": [*PRODUCTS, None]}
)


class Cfpb(LabelledTexts):
    def judge(self, ask: Ask, document: Document, finding: Finding) -> Counts:  # noqa: ARG002
        """Right if the product is the one that the complainant chose, and something is quoted."""
        right = finding.value == ask.gold and bool(finding.places)
        return one_value(right=right, answered=finding.value is not None, expected=True)


SET = Cfpb("cfpb", "classify_complaint", "product", _PLAIN)
