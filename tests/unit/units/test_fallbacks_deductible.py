"""What the insured bears of a loss."""

import pytest

from assay.units import get_unit
from assay.units.answer import from_candidates
from assay.units.fallbacks.deductible import DeductibleFallback, DeductibleHeuristic


@pytest.mark.parametrize(
    ("sentence", "said", "basis"),
    [
        ("A deductible of $2,500 applies to each claim.", {"amount": "$2,500"}, "per_claim"),
        ("The policy excess is GBP 250 for each and every loss.", {"amount": "GBP 250"}, "per_occ"),
        (
            "Losses are subject to a self-insured retention of $50,000 per occurrence.",
            {"amount": "$50,000"},
            "per_occurrence",
        ),
        ("The annual deductible is 2% of the sum insured.", {"percent": "2%"}, "per_year"),
        ("每次事故绝对免赔额为人民币2000元。", {"amount": "人民币2000元"}, "per_occurrence"),
        ("每次事故免赔率为10%，由被保险人自行承担。", {"percent": "10%"}, "per_occurrence"),
    ],
)
def test_the_sum_or_share_and_what_it_counts_on(sentence, said, basis) -> None:
    text = f"The insurer pays all other losses of the year.\n\n{sentence}\n"
    (found,) = DeductibleFallback().find(text)
    assert text[found.start : found.end] == sentence
    parts = {name: text[start:end] for name, (start, end) in found.parts.items()}
    assert {name: text for name, text in parts.items() if name != "basis"} == said
    assert found.labels["basis"].startswith(basis)


def test_a_short_line_of_a_schedule_counts() -> None:
    """ "Deductible: EUR 500" is no sentence, and says all there is to say."""
    (found,) = DeductibleFallback().find("SCHEDULE\n\nLimit: EUR 90,000\n\nDeductible: EUR 500\n")
    assert found.parts["amount"][1] - found.parts["amount"][0] == len("EUR 500")


@pytest.mark.parametrize(
    "sentence",
    [
        "The gift is tax-deductible up to $500.",
        "Costs in excess of $5,000 need consent.",
        "The deductible is stated in the schedule.",
    ],
)
def test_what_is_no_deductible_or_says_no_sum_is_not_one(sentence: str) -> None:
    assert DeductibleFallback().find(sentence) == ()


def test_of_several_sums_the_one_behind_the_word_counts() -> None:
    text = "Of a loss of $9,000 the deductible is $700, so that $8,300 is paid."
    (found,) = DeductibleFallback().find(text)
    assert text[slice(*found.parts["amount"])] == "$700"


def test_the_heuristic_needs_no_sum() -> None:
    (found,) = DeductibleHeuristic().find("The deductible is stated in the schedule.")
    assert not found.parts
    assert found.score < 0.3


def test_an_answer_has_label_sum_and_sentence_each_with_its_place() -> None:
    text = "A deductible of EUR 2,500 applies to each claim."
    field = get_unit("extract_deductible").fields["deductibles"]
    draft = from_candidates(field.annotation, DeductibleFallback().find(text), text, max_found=9)
    assert draft.value == [
        {"clause": text, "amount": "EUR 2,500", "percent": None, "basis": "per_claim"}
    ]
    assert {item.pointer for item in draft.standings} == {"/0/clause", "/0/amount", "/0/basis"}
