"""Confidence moves as a reader's would, whatever was fitted."""

import timeit
from dataclasses import replace

import numpy as np
import pytest

from assay.analysis.confidence import (
    Calibrator,
    Network,
    confidence_of,
    load_calibrator,
    save_calibrator,
    shift_keys,
    shipped_calibrator,
)
from assay.analysis.evidence import DIRECTIONS, evidence_of
from assay.errors import CorruptModelError
from assay.types import AnswerPath
from assay.units.answer import Signals

MODEL = Signals(
    AnswerPath.MODEL, "extract_x.y", probability=0.8, margin=0.6, relevance=6.0, num_decided=5
)
RULE = Signals(AnswerPath.SPECIALIST, "extract_x.y", score=0.8)


def small():
    """One member, which says nothing."""
    zeros, num_evidence = np.zeros, len(DIRECTIONS)
    network = Network(
        np.ones(num_evidence, np.float32),
        zeros((1, num_evidence), np.float32),
        zeros(1, np.float32),
        zeros((1, num_evidence, 2), np.float32),
        zeros((1, 2), np.float32),
        zeros((1, 2, 2), np.float32),
        zeros((1, 2), np.float32),
        zeros((1, 2), np.float32),
    )
    return Calibrator(network, {})


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


def test_a_scan_that_is_hard_to_read_is_believed_less():
    unclear = replace(RULE, quality=0.5, document_quality=0.8)
    assert confidence_of(unclear) < confidence_of(RULE)


@pytest.mark.parametrize("probability", [0.0, 1.0])
def test_it_stays_a_probability_at_the_ends(probability):
    assert 0.0 < confidence_of(replace(MODEL, probability=probability)) < 1.0


def test_a_field_that_was_measured_is_shifted_and_one_that_was_not_is_not():
    shifted = replace(small(), shifts={"specialist/extract_x.y": 1.0, "other.z": 5.0})
    assert small().confidence(RULE) == pytest.approx(0.5)
    assert shifted.confidence(RULE) == pytest.approx(1 / (1 + np.exp(-1.0)), abs=1e-6)
    assert shifted.confidence(MODEL) == pytest.approx(0.5)


def test_shifts_are_those_of_a_unit_and_of_its_field_on_all_paths_and_one():
    assert shift_keys(RULE) == (
        "extract_x",
        "extract_x.y",
        "specialist/extract_x",
        "specialist/extract_x.y",
    )


def test_evidence_of_other_paths_stands_at_zero():
    names = list(DIRECTIONS)
    rule = dict(zip(names, evidence_of(RULE), strict=True))
    model = dict(zip(names, evidence_of(MODEL), strict=True))
    assert rule["probability"] == rule["entropy"] == model["score"] == 0.0
    assert model["mean_logprob"] == pytest.approx(np.log(0.8) / 5)


def test_what_is_saved_is_loaded(tmp_path):
    shipped = shipped_calibrator()
    save_calibrator(tmp_path / "some.npz", shipped)
    again = load_calibrator(tmp_path / "some.npz")
    assert again.confidence(MODEL) == pytest.approx(shipped.confidence(MODEL), abs=1e-6)


def test_weights_for_other_evidence_are_refused(tmp_path, monkeypatch):
    save_calibrator(tmp_path / "some.npz", small())
    monkeypatch.setattr("assay.analysis.confidence.DIRECTIONS", {"another": 1})
    with pytest.raises(CorruptModelError, match="other evidence"):
        load_calibrator(tmp_path / "some.npz")


def test_an_answer_takes_a_tenth_of_a_millisecond_at_most():
    confidence_of(RULE)
    least = min(timeit.repeat(lambda: confidence_of(RULE), number=20, repeat=10)) / 20
    assert least < 1e-4
