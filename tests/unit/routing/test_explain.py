"""Why a request was routed as it was."""

import pytest

from assay.routing import labelled_requests, load_router
from assay.routing.explain import explain_route


@pytest.fixture(scope="module")
def router():
    return load_router()


def test_the_word_that_means_the_unit_moves_it_most(router):
    explanation = explain_route(router, router.route("please list the deductible of this paper"))
    strongest = explanation.words[0]
    assert (strongest.word, strongest.target) == ("deductible", "extract_deductible")
    assert strongest.effect > 0.3
    assert len(explanation.words) == 7


def test_a_labelled_request_is_most_like_itself(router):
    text = labelled_requests()[0].text
    explanation = explain_route(router, router.route(text), num_examples=2)
    (first, likeness), (_, second) = explanation.examples
    assert first.text == text
    assert likeness == pytest.approx(1.0, abs=0.01)
    assert second < likeness


def test_chinese_is_told_by_pairs_of_characters(router):
    explanation = explain_route(router, router.route("免赔额是多少"))
    assert {item.word for item in explanation.words} == {"免赔", "额是", "多少"}
    shown = explanation.as_json()
    assert shown["words"][0]["effect"] != 0
    assert shown["examples"][0]["units"] == ["extract_deductible"]
