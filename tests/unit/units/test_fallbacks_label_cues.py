"""Labels by words that speak for them: sentiment, complaints, kinds of document."""

from pathlib import Path

import pytest

from assay.units.catalogue import get_unit

SOURCES = Path(__file__).parents[3] / "examples" / "sources"


def label(unit, text):
    (field,) = get_unit(unit).fields.values()
    found = field.question.fallbacks[-1].find(text)
    return (found[0].labels[""], text[found[0].start : found[0].end]) if found else None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We met at noon. The service was excellent and the staff friendly.", "positive"),
        ("The room was dirty. I am disappointed.", "negative"),
        ("The meeting is on Tuesday.", "neutral"),
        ("The food was not good.", "negative"),
        ("客服态度恶劣，我非常失望。", "negative"),
        ("物流很快，我很满意。", "positive"),
        ("这次服务我不满意。", "negative"),
    ],
)
def test_sentiment_is_that_of_the_words_that_weigh_most(text, expected):
    """Negated praise is blame, in both languages; no such words is neutral."""
    assert label("classify_sentiment", text)[0] == expected


def test_evidence_is_the_sentence_that_shows_it():
    """Not the whole text, nor its first sentence."""
    text = "We met at noon. The service was excellent. Then it rained."
    assert label("classify_sentiment", text)[1] == "The service was excellent."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I want to complain about my order. It arrived late.", True),
        ("My parcel is damaged and I want my money back.", True),
        ("我要投诉，商品至今没有发货。", True),
        ("A refund of the fee is due within ten days of termination.", False),
        ("Thank you for the invoice.", False),
    ],
)
def test_complaints_are_told_from_terms_that_use_their_words(text, expected):
    """A clause on refunds complains of nothing."""
    assert label("detect_complaint", text)[0] is expected


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("supply_agreement.txt", "contract"),
        ("contract_zh.txt", "contract"),
        ("claims_letter.txt", "insurance_claim"),
    ],
)
def test_documents_are_known_by_their_words(file, kind):
    """The project's own documents."""
    assert label("classify_document", (SOURCES / file).read_text(encoding="utf-8"))[0] == kind


def test_document_of_no_kind_is_not_forced_into_one():
    """Where nothing speaks for a kind there is no answer."""
    assert label("classify_document", "The cat sleeps.") is None


def test_angry_letter_is_a_complaint_and_negative():
    """The customer of the examples is not pleased."""
    text = (SOURCES / "angry_customer.txt").read_text(encoding="utf-8")
    assert label("detect_complaint", text)[0] is True
    assert label("classify_sentiment", text)[0] == "negative"


def test_contract_is_no_complaint():
    """Though it speaks of defects, refunds and disputes."""
    text = (SOURCES / "supply_agreement.txt").read_text(encoding="utf-8")
    assert label("detect_complaint", text)[0] is False
