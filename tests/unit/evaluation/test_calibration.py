"""Figures of confidences: of honest ones, of boasts, and of what is gained by giving less."""

import pytest
from evaluation_records import outcome

from assay.evaluation.calibration import (
    brier,
    expected_error,
    figures_of,
    given,
    precision_at,
    reliability,
    risk_coverage,
)

#: Of 100 answers said to be right in 0.8, 80 are.
HONEST = [outcome(0.8, float(n < 80)) for n in range(100)]


def test_what_is_as_right_as_it_says_has_no_error():
    assert expected_error(HONEST) == pytest.approx(0.0)
    assert brier(HONEST) == pytest.approx(0.16)


def test_a_boast_is_off_by_what_it_boasts():
    boasts = [outcome(0.99, float(n < 60)) for n in range(100)]
    assert expected_error(boasts) == pytest.approx(0.39)


def test_errors_of_different_bins_do_not_make_up_for_each_other():
    mixed = [outcome(0.95, 0.0)] * 50 + [outcome(0.05, 1.0)] * 50
    assert sum(item.confidence - item.right for item in mixed) == pytest.approx(0.0)
    assert expected_error(mixed) == pytest.approx(0.95)


def test_bins_are_ten_and_hold_all():
    spread = [outcome(n / 200, 0.0) for n in range(201)]
    bins = reliability(spread)
    assert len(bins) == 10
    assert sum(item.count for item in bins) == 201


def test_the_surest_answers_come_first():
    answers = [outcome(0.2, 0.0), outcome(0.9, 1.0), outcome(0.6, 1.0)]
    assert risk_coverage(answers) == (
        [pytest.approx(1 / 3), pytest.approx(2 / 3), 1.0],
        [1.0, 1.0, pytest.approx(2 / 3)],
    )
    assert precision_at(answers, 0.67) == 1.0


def test_what_stays_below_its_floor_is_not_given():
    kept = given([outcome(0.2, 1.0, floor=0.25), outcome(0.3, 0.0, floor=0.25)])
    assert [item.confidence for item in kept] == [0.3]


def test_without_answers_there_is_nothing_to_be_off_by():
    assert figures_of([]) == {
        "ece": 0.0,
        "brier": 0.0,
        "precision_at_90_coverage": 0.0,
        "right": 0.0,
        "said": 0.0,
        "n": 0,
    }
