"""How judges compare spans and texts."""

from __future__ import annotations

import pytest

from assay.evaluation import Counts, Finding, Place
from assay.evaluation.base import text_document
from assay.evaluation.matching import (
    is_placed,
    occurrences,
    overlap_f1,
    pair_up,
    quoted_texts,
    squash,
)


def test_half_of_the_shorter_span_has_to_be_shared() -> None:
    assert is_placed(Place(0, 10), [(5, 100)])
    assert not is_placed(Place(0, 10), [(6, 100)])
    assert is_placed(Place(0, 100), [(98, 102)])


def test_a_quotation_of_the_whole_gold_has_an_overlap_of_one() -> None:
    assert overlap_f1([Place(10, 20), Place(30, 40)], [[(10, 20)], [(30, 40)]]) == 1.0


def test_a_quotation_of_half_the_gold_earns_two_thirds() -> None:
    assert overlap_f1([Place(0, 10)], [[(0, 20)]]) == pytest.approx(2 / 3)


def test_quoting_everything_earns_little() -> None:
    assert overlap_f1([Place(0, 1000)], [[(0, 10)]]) < 0.02


def test_any_occurrence_of_the_gold_will_do() -> None:
    assert overlap_f1([Place(50, 60)], [[(0, 10), (50, 60)]]) == 1.0


def test_quotations_that_overlap_count_their_characters_once() -> None:
    assert overlap_f1([Place(0, 10), Place(5, 10)], [[(0, 10)]]) == 1.0


def test_no_quotation_earns_nothing() -> None:
    assert overlap_f1([], [[(0, 10)]]) == 0.0


def test_occurrences_are_found_over_line_breaks() -> None:
    text = "Oak Ltd and Oak\n  Ltd, not oak ltd"
    assert [text[start:end] for start, end in occurrences(text, "Oak Ltd")] == [
        "Oak Ltd",
        "Oak\n  Ltd",
    ]


def test_squashing_leaves_letters_and_digits() -> None:
    assert squash("ＡＢＣ, Inc. (№ 5)") == "abcincno5"


def test_each_answer_is_paired_with_a_gold_of_its_own() -> None:
    """A greedy choice would give "a" the gold that only "b" fits, and count one."""
    fits = {("a", 1), ("a", 2), ("b", 1)}
    counts = pair_up(["a", "b"], [1, 2], lambda answer, gold: (answer, gold) in fits)
    assert counts == Counts(2, 2, 2)


def test_only_places_that_say_the_same_support_a_text() -> None:
    document = text_document("note", "Paid by Elm to Ash.")
    value = [{"name": "Elm"}, {"name": "Ash"}, {"name": None}]
    places = (Place(8, 11, "/0/name"), Place(0, 4, "/1/name"))
    found = quoted_texts(Finding(value, places), document, "name")
    assert found == {"elm": [Place(8, 11, "/0/name")], "ash": []}
