"""What the packaged model and the rules answer on the examples: every field of every unit.

An answer is held against the words that it must have in it, in the order of the unit's list where
it has one; of a clause's sentences one must have them. What a document does not say must be absent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from assay.analysis import Analysis, Analyzer
from assay.types import Status

pytestmark = [pytest.mark.model, pytest.mark.slow]

EXAMPLES = Path(__file__).parents[2] / "examples"
FOUND = frozenset({Status.OK, Status.PARTIAL, Status.AMBIGUOUS})

#: By unit and field, what the answer must have: a text, an equal value, or those of a list.
Answers = Mapping[tuple[str, str], Any]

SUPPLY: Answers = {
    ("extract_party", "parties"): [
        {"name": "HARROWGATE CASTINGS LIMITED", "role": "Supplier"},
        {"name": "LINDQVIST ROTOR SYSTEMS GMBH", "role": "Buyer"},
    ],
    ("extract_date", "agreement"): {"iso": "2025-03-14"},
    ("extract_date", "effective"): {"iso": "2025-04-01"},
    ("extract_date", "expiry"): {"iso": "2028-03-31"},
    ("extract_clause", "governing_law"): {"jurisdiction": "England and Wales"},
    ("extract_clause", "termination"): "may terminate this Agreement for convenience",
    ("extract_clause", "confidentiality"): "keep the other Party's Confidential Information secret",
    ("extract_clause", "assignment"): "Neither Party may assign",
    ("extract_clause", "liability_cap"): "shall not exceed the greater of\nGBP 1,500,000",
    ("extract_clause", "liquidated_damages"): "as liquidated damages and not as a penalty",
    ("extract_clause", "force_majeure"): "prevented or delayed by a Force Majeure Event",
    ("extract_clause", "renewal"): "renews automatically for successive periods",
    ("extract_penalty", "clauses"): [
        {"id": "4.4", "amount": "0.5%", "currency": "GBP", "trigger": ["late_delivery"]},
    ],
    ("extract_payment_terms", "terms"): "shall pay each undisputed invoice within forty-five",
    ("extract_payment_terms", "due_within"): {"duration": "P45D"},
    ("extract_currency", "amounts"): [
        {"amount": "12400", "currency": "GBP"},
        {"amount": "286500", "currency": "GBP"},
        {"amount": "1500000", "currency": "GBP"},
        {"amount": "5000000", "currency": "GBP"},
    ],
}
CONTRACT_ZH: Answers = {
    ("extract_party", "parties"): [
        {"name": "苏州澜汐精密机械有限公司", "role": "甲方"},
        {"name": "青岛恒岳数控装备股份有限公司", "role": "乙方"},
    ],
    ("extract_date", "agreement"): {"iso": "2025-06-18"},
    ("extract_date", "effective"): {"iso": "2025-07-01"},
    ("extract_date", "expiry"): {"iso": "2028-06-30"},
    ("extract_clause", "governing_law"): {"jurisdiction": "中华人民共和国"},
    ("extract_clause", "termination"): "一方严重违约",
    ("extract_clause", "confidentiality"): "负有保密义务",
    ("extract_clause", "assignment"): "转让给第三方",
    ("extract_clause", "liability_cap"): "赔偿责任总额不超过合同总价款的100%",
    ("extract_clause", "liquidated_damages"): "支付违约金",
    ("extract_clause", "force_majeure"): "不能预见、不能避免且不能克服",
    ("extract_clause", "renewal"): "自动续展一年",
    ("extract_penalty", "clauses"): [
        {"id": "6.1", "amount": "0.05%", "currency": "CNY", "trigger": ["late_delivery"]},
        {"id": "6.2", "amount": "0.03%", "currency": "CNY", "trigger": ["late_payment"]},
    ],
    ("extract_payment_terms", "terms"): "甲方向乙方支付合同总价款的30%",
    ("extract_payment_terms", "due_within"): {"duration": "P10D", "business_days": True},
    ("extract_currency", "amounts"): [
        {"amount": "9860000", "currency": "CNY"},
        {"amount": "2958000.00", "currency": "CNY"},
        {"amount": "3944000.00", "currency": "CNY"},
        {"amount": "2465000.00", "currency": "CNY"},
        {"amount": "493000.00", "currency": "CNY"},
    ],
}
INVOICE: Answers = {
    ("extract_payment_terms", "terms"): "45 days after the date of the invoice",
    ("extract_payment_terms", "due_within"): {"duration": "P45D"},
    ("extract_currency", "amounts"): [{"amount": "96636.40"}],
    ("extract_percentage", "percentages"): [
        {"percent": "0"},
        {"percent": "1.5"},
        {"percent": "4"},
    ],
}
CLAIMS_LETTER: Answers = {
    ("extract_clause", "governing_law"): {"jurisdiction": "England and Wales"},
    ("extract_payment_terms", "terms"): "by bank transfer within ten working days",
    ("extract_payment_terms", "due_within"): {"duration": "P10D", "business_days": True},
    ("extract_percentage", "percentages"): [{"percent": "20"}],
}
CUSTOMER: Answers = {
    ("extract_currency", "amounts"): [
        {"amount": amount, "currency": "EUR"}
        for amount in ("1849.00", "1199.00", "650", "79.00", "240.00", "1928.00")
    ],
}
ANSWERS: dict[str, Answers] = {
    "supply_agreement.pdf": SUPPLY,
    "contract_zh.txt": CONTRACT_ZH,
    "invoice.pdf": INVOICE,
    "claims_letter.docx": CLAIMS_LETTER,
    "angry_customer.eml": CUSTOMER,
}
_OF_AN_AGREEMENT = [
    ("extract_date", "agreement"),
    ("extract_date", "effective"),
    ("extract_clause", "termination"),
    ("extract_clause", "confidentiality"),
    ("extract_clause", "assignment"),
    ("extract_clause", "liability_cap"),
    ("extract_clause", "liquidated_damages"),
    ("extract_clause", "force_majeure"),
    ("extract_clause", "renewal"),
]


@pytest.fixture(scope="module")
def analyses() -> Iterator[dict[str, Analysis]]:
    """Every example, analysed by every unit that is asked about any of them, with one model."""
    units = sorted({unit for answers in ANSWERS.values() for unit, _ in answers})
    with Analyzer() as analyzer:
        yield {name: analyzer.analyze(EXAMPLES / name, units=units) for name in ANSWERS}


@pytest.mark.parametrize(
    ("name", "unit", "field"),
    [(name, *key) for name, answers in ANSWERS.items() for key in answers],
)
def test_a_field_has_the_answer_that_a_reader_gives(
    analyses: dict[str, Analysis], name: str, unit: str, field: str
) -> None:
    result = analyses[name].results[unit]
    assert result.fields[field].status in FOUND
    answer, wanted = result.value[field], ANSWERS[name][unit, field]
    if isinstance(wanted, list):
        assert [_common(item, like) for item, like in zip(answer, wanted, strict=True)] == wanted
    elif isinstance(wanted, dict):
        assert _common(answer, wanted) == wanted
    elif isinstance(answer, list):
        assert any(wanted in item for item in answer)
    else:
        assert wanted in answer


@pytest.mark.parametrize("name", ["invoice.pdf", "claims_letter.docx", "angry_customer.eml"])
@pytest.mark.parametrize(("unit", "field"), _OF_AN_AGREEMENT)
def test_what_only_an_agreement_has_is_absent_elsewhere(
    analyses: dict[str, Analysis], name: str, unit: str, field: str
) -> None:
    """No clause and no date of an agreement is made of an invoice's or a letter's words."""
    assert analyses[name].results[unit].fields[field].status is Status.ABSENT


@pytest.mark.parametrize("name", ANSWERS)
def test_every_quotation_is_where_it_says(analyses: dict[str, Analysis], name: str) -> None:
    """In each field, code point by code point."""
    analysis = analyses[name]
    text = analysis.document.text
    quotations = [item for result in analysis.results.values() for item in result.evidence]
    assert quotations
    for item in quotations:
        assert text[item.start : item.end] == item.quote


def _common(value: Mapping[str, Any], like: Mapping[str, Any]) -> dict[str, Any]:
    """What a value says on what is asked of it."""
    return {key: value[key] for key in like}
