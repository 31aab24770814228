"""Training a calibrator: it learns what signals are worth, and says so of cases it has not seen."""

import json
import random
from dataclasses import replace

import pytest
from evaluation_records import ask_record, rule_said

from assay.analysis.absence import Absence
from assay.analysis.confidence import load_calibrator
from assay.training.absence_fit import fit_absence
from assay.training.calibrator import make_card, save_trained, train_calibrator
from assay.training.calibrator_fit import Recipe, fit_calibrator, make_rows
from assay.training.held_out import NUM_FOLDS, fold_of
from assay.types import AnswerPath
from assay.units.answer import Signals

QUICK = Recipe(hidden=(2, 2), num_members=1, num_steps=100, rate=0.1)
RULE = Signals(AnswerPath.SPECIALIST, "unit.field", score=0.8)


def states(num, right_at, **options):
    """Answers of scores 0.3 and 0.9, right in these shares."""
    found = []
    for score, share in right_at.items():
        signals = Signals(AnswerPath.SPECIALIST, "unit.field", score=score, **options)
        found += [(signals, float(n < share * num), 1.0) for n in range(num)]
    return found


def fit(found, recipe=QUICK):
    return fit_calibrator(make_rows(found, 1e9), recipe, seed=0)


def test_it_says_how_often_such_answers_were_right():
    calibrator = fit(states(200, {0.3: 0.1, 0.9: 0.7}))
    signals = [Signals(AnswerPath.SPECIALIST, "unit.field", score=score) for score in (0.3, 0.9)]
    assert calibrator.confidence(signals[0]) == pytest.approx(0.1, abs=0.06)
    assert calibrator.confidence(signals[1]) == pytest.approx(0.7, abs=0.06)


def test_what_must_speak_for_an_answer_never_speaks_against_it():
    """Even where the data say that higher scores were worse."""
    calibrator = fit(states(200, {0.3: 0.9, 0.9: 0.1}))
    low, high = (Signals(AnswerPath.SPECIALIST, "unit.field", score=score) for score in (0.3, 0.9))
    assert calibrator.confidence(high) >= calibrator.confidence(low) - 1e-6


def test_few_answers_of_a_field_move_it_less_than_many():
    def shift(num):
        others = states(300, {0.8: 0.8})
        mine = Signals(AnswerPath.SPECIALIST, "unit.other", score=0.8)
        calibrator = fit([*others, *((mine, 0.0, 1.0) for _ in range(num))])
        return calibrator.confidence(RULE) - calibrator.confidence(mine)

    assert 0 < shift(2) < shift(60)


def test_a_field_counts_for_no_more_than_it_may():
    rows = make_rows(states(100, {0.3: 0.5, 0.9: 0.5}), max_weight=50)
    assert rows.weight.sum() == pytest.approx(50)


def test_the_same_rows_give_the_same_weights():
    found = states(50, {0.3: 0.2, 0.9: 0.8})
    assert fit(found).confidence(RULE) == fit(found).confidence(RULE)


def records(num=60):
    generator = random.Random(0)
    made = []
    for number in range(num):
        score = generator.choice([0.3, 0.9])
        step = rule_said(score, float(generator.random() < score))
        made.append(ask_record(step, case_id=f"made:{number}", is_scan=number % 2 == 0))
    return made


def test_what_is_trained_is_written_with_its_figures(tmp_path, monkeypatch):
    made, lines = records(), []
    monkeypatch.setattr("assay.training.calibrator.LOGISTIC", Recipe((0, 0), 1, 2))
    trained = train_calibrator(made, Recipe((2, 2), 1, 2), 0, lines.append)
    assert len(trained.unseen) == len(made)
    assert len(lines) == 2 * NUM_FOLDS + 1
    card = make_card(made, QUICK, 0, trained)
    assert card["data"] == {
        "made": {"num_cases": 60, "num_cases_with_model": 0, "num_questions": 60}
    }
    assert card["out_of_fold"]["scans"]["n"] == 30
    save_trained(tmp_path, made, QUICK, 0, trained)
    assert 0 < load_calibrator(tmp_path / "calibrator.npz").confidence(RULE) < 1
    assert json.loads((tmp_path / "abstention.json").read_text())["overall"]


def test_folds_keep_what_may_be_of_one_judgment_together():
    assert len({fold_of(f"lawbench:2-6:{number}") for number in range(15)}) == 1
    assert len({fold_of(f"cuad:{number}") for number in range(60)}) == NUM_FOLDS


def test_an_absence_is_as_sure_as_such_absences_were_right():
    always = [(Absence("a.never", None, 2), True)] * 40
    seldom = [(Absence("a.mostly", None, 2), n % 5 == 0) for n in range(40)]
    doubted = [
        (Absence("c.some", turned_down, 1), n < 60 * (1 - turned_down))
        for turned_down in (0.1, 0.4, 0.6)
        for n in range(60)
    ]
    weights = fit_absence([*always, *seldom, *doubted])
    assert weights.confidence(Absence("a.never", None, 2)) > 0.85
    assert weights.confidence(Absence("a.mostly", None, 2)) == pytest.approx(0.2, abs=0.1)
    assert weights.confidence(Absence("b.new", 0.4, 1)) < weights.confidence(
        Absence("b.new", 0.1, 1)
    )
    assert fit_absence([]).confidence(Absence("a", 0.2, 0)) == pytest.approx(0.8)


def test_evidence_that_no_answer_had_weighs_nothing():
    calibrator = fit(states(50, {0.3: 0.2, 0.9: 0.8}))
    routed = replace(RULE, route_margin=1.0)
    assert calibrator.confidence(routed) == calibrator.confidence(RULE)
