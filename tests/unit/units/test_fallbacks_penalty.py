"""Penalties as objects: number, amount, currency and triggers, each leaf where it stands."""

import pytest

from assay.units import get_unit
from assay.units.fallbacks.base import Draft
from assay.units.fallbacks.penalty import PenaltyFallback, PenaltyHeuristic

_TEXT = """7. Payment

7.1 The price is USD 250,000.

7.2 For any late payment or breach of its representations under this Agreement the Buyer shall pay
a penalty equal to 10% of the price.

8. Delivery. For each week of delay the Supplier shall pay liquidated damages of EUR 1,500.
"""
_TEXT_ZH = """第七条 违约责任
7.2 乙方逾期交货的，每逾期一日，应按合同总价的万分之五向甲方支付违约金，但累计不超过10%。
7.3 甲方逾期付款的，应支付人民币5000元的违约金。
"""


def leaf(value, pointer):
    for part in pointer.strip("/").split("/"):
        value = value[int(part) if isinstance(value, list) else part]
    return value


def draft(text, fallback=None) -> Draft:
    found = (fallback or PenaltyFallback()).draft(text, {})
    assert found is not None
    return found


def test_a_penalty_has_its_number_amount_currency_and_triggers() -> None:
    """The currency is the document's where the sentence has none and all sums agree."""
    text = _TEXT.replace("EUR", "USD")
    assert draft(text).value[0] == {
        "id": "7.2",
        "amount": "10%",
        "currency": "USD",
        "trigger": ["late_payment", "breach_of_representations"],
    }


def test_where_sums_differ_in_currency_none_is_taken_from_elsewhere() -> None:
    first, second = draft(_TEXT).value
    assert first["currency"] is None
    assert second == {
        "id": "8",
        "amount": "EUR 1,500",
        "currency": "EUR",
        "trigger": ["late_delivery"],
    }


def test_beside_amounts_what_only_speaks_of_a_penalty_is_none() -> None:
    """By itself it counts, with its trigger."""
    bare = "Upon any default the Buyer shall pay the penalty, and not as liquidated damages.\n"
    assert len(draft(_TEXT + "\n9. " + bare).value) == 2
    (alone,) = draft(bare).value
    assert (alone["amount"], alone["trigger"]) == (None, ["other_breach"])


def test_chinese_penalties() -> None:
    assert [tuple(item.values()) for item in draft(_TEXT_ZH).value] == [
        ("7.2", "万分之五", "CNY", ["late_delivery"]),
        ("7.3", "人民币5000元", "CNY", ["late_payment"]),
    ]


@pytest.mark.parametrize("text", [_TEXT, _TEXT_ZH])
@pytest.mark.parametrize("fallback", [PenaltyFallback(), PenaltyHeuristic()])
def test_every_leaf_has_evidence(text: str, fallback) -> None:
    """Copied leaves are the text at their place; labels stand where words show them."""
    found = draft(text, fallback)
    assert {item.pointer for item in found.standings} == {
        f"/{index}/{name}"
        for index, penalty in enumerate(found.value)
        for name in ("id", "amount", "currency", *map("trigger/{}".format, range(9)))
        if (name.startswith("trigger") and int(name[8:]) < len(penalty["trigger"]))
        or penalty.get(name)
    }
    for item in found.standings:
        if item.pointer.endswith(("/id", "/amount")):
            assert text[item.start : item.end] == leaf(found.value, item.pointer)
    assert 0 < found.score < 1


@pytest.mark.parametrize(
    ("sentence", "trigger"),
    [
        ("A penalty of 5% is due for any breach of the duties of confidentiality.", "confiden"),
        ("On early termination the Tenant shall pay liquidated damages of EUR 900.", "early"),
        ("For a shortfall the Dealer shall pay liquidated damages of EUR 9.", "missed_minimum"),
        ("For defective goods the Seller shall pay a penalty of 3% of the price.", "defects"),
        ("Upon any default the Buyer shall pay a penalty of EUR 40.", "other_breach"),
        ("违反竞业限制的，乙方应支付违约金10万元。", "non_compete"),
    ],
)
def test_what_a_penalty_is_for(sentence: str, trigger: str) -> None:
    (penalty,) = draft(sentence).value
    (found,) = penalty["trigger"]
    assert trigger in found


def test_a_contract_without_penalties_has_none() -> None:
    text = "The Buyer pays within ten days without penalty. Taxes and penalties levied are its own."
    assert PenaltyFallback().draft(text, {}) is None


def test_a_penalty_without_an_amount_is_complained_about() -> None:
    (check,) = get_unit("extract_penalty").fields["clauses"].question.validators
    assert check([{"amount": None}], ())
    assert check([{"amount": "万分之五"}, {"amount": "10%"}], ()) is None
