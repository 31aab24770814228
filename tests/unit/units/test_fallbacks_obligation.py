"""Who must do what, and by when."""

import pytest

from assay.units.fallbacks.obligation import ObligationFallback, ObligationHeuristic

_OPENING = (
    'This AGREEMENT is made by and between Alder Inc. ("Alder") and Birch Ltd. ("Birch") on the '
    "date below.\n\n"
)


def duties(text, fallback=None):
    """Party, duty and deadline of each candidate, in document order."""
    found = (fallback or ObligationFallback()).find(text)
    names = ("party", "due")
    return [
        (text[item.start : item.end], *(text[slice(*item.parts.get(n, (0, 0)))] for n in names))
        for item in sorted(found, key=lambda item: item.start)
    ]


@pytest.mark.parametrize(
    ("sentence", "duty", "party", "due"),
    [
        (
            "Alder shall deliver the goods within thirty (30) days after the order.",
            "deliver the goods within thirty (30) days after the order",
            "Alder",
            "within thirty (30) days after the order",
        ),
        (
            "Birch agrees not to sell the goods abroad.",
            "not to sell the goods abroad",
            "Birch",
            "",
        ),
        (
            "Each party must return all papers no later than 3 May 2031.",
            "return all papers no later than 3 May 2031",
            "Each party",
            "no later than 3 May 2031",
        ),
        (
            "The Supplier is required to repair the machine promptly.",
            "repair the machine promptly",
            "The Supplier",
            "promptly",
        ),
        (
            "甲方应当在收到发票后三十日内支付货款。",
            "应当在收到发票后三十日内支付货款",
            "甲方",
            "应当在收到发票后三十日内",
        ),
        (
            "Birch shall be required to insure the goods.",
            "be required to insure the goods",
            "Birch",
            "",
        ),
        ("乙方不得向第三方披露该信息。", "不得向第三方披露该信息", "乙方", ""),
    ],
)
def test_a_duty_has_its_party_and_its_deadline(sentence, duty, party, due) -> None:
    """Prohibitions are duties too; the negation belongs to them."""
    assert duties(_OPENING + sentence) == [(duty, party, due)]


@pytest.mark.parametrize(
    "sentence",
    [
        "If Alder shall fail to pay, the price rises.",
        "The goods of Birch shall be stored in a dry place.",
        "Alder shall have the right to inspect the goods.",
        "Birch shall not be liable for loss of profit.",
        "This Agreement shall be governed by the laws of Utah.",
        "Any Notice shall be sent by post.",
        "Alder shall not be required to insure the goods.",
        "Birch will be fully and promptly indemnified by the carrier.",
        "卖方未开票的，买方有权顺延付款而不承担逾期责任。",
    ],
)
def test_nobody_is_bound_by_a_condition_a_right_or_a_definition(sentence: str) -> None:
    assert duties(_OPENING + sentence) == []


def test_a_party_is_surer_than_what_is_only_called_like_one() -> None:
    text = _OPENING + "Alder shall pay the price. The Customer shall collect the goods."
    alder, customer = sorted(ObligationFallback().find(text), key=lambda item: item.start)
    assert alder.score > customer.score


def test_the_heuristic_takes_any_subject() -> None:
    text = "The Bank shall close the account by 3 May 2031."
    assert duties(text) == []
    (found,) = duties(text, ObligationHeuristic())
    assert found[1] == "The Bank"
