"""Whose law governs: the sentence, and the place in it."""

import pytest

from assay.units import get_unit
from assay.units.fallbacks.jurisdiction import GoverningLawFallback, GoverningLawHeuristic

_RIGHT = "This Agreement shall be governed by and construed in accordance with "


@pytest.mark.parametrize(
    ("sentence", "place"),
    [
        (_RIGHT + "the laws of the State of Utah, without regard to its conflicts.", "Utah"),
        (_RIGHT + "the laws of England and Wales.", "England and Wales"),
        (_RIGHT + "the law of the Commonwealth of Virginia.", "Virginia"),
        (_RIGHT + "the laws of the Republic of Estonia and no other.", "Republic of Estonia"),
        (_RIGHT + "English law.", "English"),
        (
            "This Deed is governed by, and is to be construed in accordance with, Irish law.",
            "Irish",
        ),
        (_RIGHT + "the laws of [Northern Ireland].", "Northern Ireland"),
        (_RIGHT + "the internal laws of New South Wales, Australia.", "New South Wales"),
        ("THIS LEASE SHALL BE GOVERNED BY THE LAWS OF THE STATE OF MAINE.", "MAINE"),
        ("The laws of Peru shall govern the validity of this Agreement.", "Peru"),
        (
            "This Agreement was made in the State of Ohio and shall be governed by and construed "
            "under the laws thereof.",
            "Ohio",
        ),
        ("本合同的订立、效力和解释适用中华人民共和国法律。", "中华人民共和国"),
        ("本协议受香港特别行政区法律管辖。", "香港特别行政区"),
    ],
)
def test_the_place_is_named_as_the_document_names_it(sentence: str, place: str) -> None:
    text = f"The price is due on delivery.\n\n{sentence}\n\nIt is signed in two copies."
    (found, *_) = GoverningLawFallback().find(text)
    assert text[found.start : found.end] == sentence
    begin, end = found.parts["jurisdiction"]
    assert text[begin:end] == place


def test_a_law_without_a_place_is_less_sure() -> None:
    """The sentence still counts; nothing is said of the place."""
    named, bare = (
        GoverningLawFallback().find(_RIGHT + law)[0]
        for law in ("the laws of Utah.", "the laws in force at the seat of the seller.")
    )
    assert not bare.parts
    assert bare.score < named.score


@pytest.mark.parametrize(
    ("law", "place"),
    [
        ("the laws of the United States of America and by the laws of the State of Utah.", "Utah"),
        ("the laws of the United States.", "United States"),
        ("the laws of the State of __________ without regard to conflicts.", None),
    ],
)
def test_the_narrower_place_is_named_and_a_blank_is_none(law: str, place: str | None) -> None:
    text = _RIGHT + law
    (found, *_) = GoverningLawFallback().find(text)
    named = found.parts.get("jurisdiction")
    assert (text[slice(*named)] if named else None) == place


def test_a_sentence_on_what_laws_allow_names_no_law_that_governs() -> None:
    text = "Nothing in this Agreement may be construed to allow a use that state laws forbid."
    assert GoverningLawFallback().find(text) == ()


def test_the_heuristic_names_the_place_too() -> None:
    (found, *_) = GoverningLawHeuristic().find(_RIGHT + "the laws of Utah.")
    assert "jurisdiction" in found.parts


@pytest.mark.parametrize(
    ("place", "is_right"),
    [("Utah", True), ("State of Utah", True), ("the laws", False), ("Nevada", False)],
)
def test_an_answer_that_is_no_place_of_the_sentence_is_complained_about(place, is_right) -> None:
    """A model may copy any words of the excerpt."""
    clause = _RIGHT + "the laws of the State of Utah."
    check, *_ = get_unit("extract_clause").fields["governing_law"].question.validators
    complaint = check({"clause": clause, "jurisdiction": place}, (clause, place))
    assert (complaint is None) == is_right
