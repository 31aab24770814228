"""Confidence moves as a reader's would."""

from dataclasses import replace

import pytest

from assay.analysis.confidence import confidence_of, shipped_calibration
from assay.types import AnswerPath
from assay.units.answer import Signals

MODEL = Signals(AnswerPath.MODEL, "extract_x.y", probability=0.8, margin=0.6, relevance=6.0)
RULE = Signals(AnswerPath.SPECIALIST, "extract_x.y", score=0.8)


@pytest.mark.parametrize("signals", [MODEL, RULE])
@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"agreement": 1.0}, {"agreement": 0.0}),
        ({"num_silent": 0}, {"num_silent": 2}),
    ],
)
def test_agreement_raises_it_and_silence_lowers_it(signals, better, worse):
    assert confidence_of(replace(signals, **better)) > confidence_of(replace(signals, **worse))


def test_a_rule_measured_better_is_believed_more():
    assert confidence_of(replace(RULE, score=0.95)) > confidence_of(replace(RULE, score=0.5))


def test_a_model_that_is_surer_is_believed_more():
    assert confidence_of(replace(MODEL, probability=0.99)) > confidence_of(
        replace(MODEL, probability=0.1)
    )


@pytest.mark.parametrize("probability", [0.0, 1.0])
def test_it_stays_a_probability_at_the_ends(probability):
    assert 0.0 < confidence_of(replace(MODEL, probability=probability)) < 1.0


def test_a_field_that_was_measured_is_shifted():
    known = replace(MODEL, family="extract_date.agreement")
    assert confidence_of(known) > confidence_of(MODEL)


def test_the_rules_of_a_field_never_measured_are_as_sure_as_their_score() -> None:
    assert confidence_of(RULE) == pytest.approx(RULE.score)
    assert confidence_of(replace(RULE, agreement=0.0)) < RULE.score
    measured = next(iter(shipped_calibration().shifts["specialist"]))
    assert confidence_of(replace(RULE, family=measured)) != pytest.approx(RULE.score)
