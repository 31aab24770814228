"""Parties and governing law against the lawyers' answers."""

from __future__ import annotations

import pytest

from assay.documents import Document
from assay.evaluation import Counts, Finding, Place
from assay.evaluation.base import text_document
from assay.evaluation.contract_gold import read_label
from assay.evaluation.contract_names import judge_law, judge_parties

TEXT = (
    "Between Alder Foods, Inc. (Alder), BIRCH (HONG KONG) LTD (the Buyer) and Cedar Bank. "
    "Governed by the laws of the State of New York."
)
DOCUMENT = text_document("contract", TEXT)


def places(*quotes: str) -> tuple[Place, ...]:
    return tuple(
        Place(TEXT.index(quote), TEXT.index(quote) + len(quote), f"/{index}/name")
        for index, quote in enumerate(quotes)
    )


def parties(answer: str, *names: str) -> Counts:
    marked = ["Alder Foods, Inc.", "Alder", "BIRCH (HONG KONG) LTD", "Cedar Bank"]
    spans = [
        {"start": TEXT.index(text), "end": TEXT.index(text) + len(text), "text": text}
        for text in marked
    ]
    gold = read_label(TEXT, {"answer": answer, "spans": spans})
    value = [{"name": name, "role": None} for name in names]
    return judge_parties(gold, Finding(value or None, places(*names)), DOCUMENT)


ANSWER = 'Alder Foods Inc. ("Alder"); Birch (Hong Kong) Ltd ("Buyer")'


def test_parties_are_counted_one_by_one() -> None:
    assert parties(ANSWER, "Alder Foods, Inc.", "BIRCH (HONG KONG) LTD") == Counts(2, 2, 2)
    assert parties(ANSWER, "Alder Foods, Inc.", "Governed") == Counts(1, 2, 2)
    assert parties(ANSWER) == Counts(0, 0, 2)


def test_a_defined_term_is_no_name() -> None:
    assert parties(ANSWER, "Buyer") == Counts(0, 1, 2)


@pytest.mark.parametrize(
    "answer",
    [
        'Aldre Foods, Inc. ("Alder")',
        "Alder Foods, Inc.; ALDER FOODS INC",
        'Alder Foods, Inc. ("Alder"); Alder and Birch (individually a "Party")',
        '(Alder Foods, Inc. ("Alder")',
        "Alder Foods, Inc., a subsidiary of Dogwood Holdings and of Elm Partners LLP",
    ],
)
def test_slips_and_additions_of_lawyers_are_seen_through(answer: str) -> None:
    assert parties(answer, "Alder Foods, Inc.") == Counts(1, 1, 1)


def law(answer: str, jurisdiction: str | None, quote: str = "State of New York") -> Counts:
    start = TEXT.index("Governed")
    sentence = {"start": start, "end": len(TEXT), "text": TEXT[start:]}
    gold = read_label(TEXT, {"answer": answer, "spans": [sentence] if answer else []})
    place = Place(TEXT.index(quote), TEXT.index(quote) + len(quote), "/jurisdiction")
    value = {"clause": TEXT[start:], "jurisdiction": jurisdiction}
    return judge_law(gold, Finding(value, (place,)))


@pytest.mark.parametrize(
    ("answer", "jurisdiction"),
    [
        ("New York", "State of New York"),
        ("Illinois; New York", "New York"),
        ("Province of Ontario, Canada", "Ontario"),
        ("England", "English"),
        ("England", "England and Wales"),
        ("Netherlands", "the Netherlands"),
    ],
)
def test_a_jurisdiction_may_be_named_in_several_ways(answer: str, jurisdiction: str) -> None:
    assert law(answer, jurisdiction) == Counts(1, 1, 1)


@pytest.mark.parametrize(
    ("answer", "jurisdiction"),
    [("Virginia", "West Virginia"), ("Nova Scotia, Canada", "Canada"), ("New York", None)],
)
def test_another_jurisdiction_or_none_is_wrong(answer: str, jurisdiction: str | None) -> None:
    assert law(answer, jurisdiction) == Counts(0, 1, 1)


def test_a_jurisdiction_quoted_from_elsewhere_is_wrong() -> None:
    assert law("New York", "New York", quote="Cedar Bank") == Counts(0, 1, 1)


def test_the_document_is_what_names_are_quoted_from() -> None:
    """A name that the place does not say has no evidence."""
    gold = read_label(TEXT, {"answer": "Cedar Bank", "spans": []})
    finding = Finding([{"name": "Cedar Bank"}], places("Alder Foods, Inc."))
    assert judge_parties(gold, finding, Document("x", TEXT, "text/plain")) == Counts(0, 1, 1)
