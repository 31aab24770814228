"""The tables, the object for other programs, and the picture."""

from __future__ import annotations

import importlib.util

import pytest
from judged import judged

from assay.evaluation import Counts
from assay.evaluation.report import Report

RIGHT, WRONG, MISSED = Counts(1, 1, 1), Counts(0, 1, 1), Counts(0, 0, 1)
JUDGEMENTS = [
    judged(RIGHT, case_id="1"),
    judged(WRONG, case_id="2", path="heuristic", num_ungrounded=1),
    judged(
        MISSED, case_id="1", unit="find_date.date", field="date", error="unknown_unit", path=None
    ),
    judged(MISSED, set_name="invoices", language="zh", error="token_limit", path=None),
]
BASELINE = [
    judged(RIGHT, case_id="1", system="baseline", path="baseline"),
    judged(WRONG, case_id="2", system="baseline", path="baseline", num_ungrounded=1),
    judged(WRONG, case_id="3", system="baseline", path="baseline", num_ungrounded=1),
    judged(MISSED, case_id="4", system="baseline", path="baseline", error="baseline_x"),
]


def test_the_object_has_the_sets_by_field_and_what_went_wrong() -> None:
    found = Report(JUDGEMENTS, BASELINE).as_json()
    assert list(found) == ["letters", "invoices", "baseline_ratio", "ungrounded", "errors"]
    town = found["letters"]["town"]
    assert (town["f1"], town["n"], town["exact"]) == (0.5, 2, 0.5)
    assert town["low"] <= 0.5 <= town["high"]
    assert found["letters"]["date"]["precision"] is None
    assert (found["ungrounded"], found["errors"]) == (1, 2)
    assert found["baseline_ratio"] == pytest.approx(0.5 / (2 / 7), abs=1e-3)


def test_without_a_baseline_there_is_no_ratio() -> None:
    assert Report(JUDGEMENTS).as_json()["baseline_ratio"] is None


def test_the_tables_name_fields_units_languages_paths_and_failures() -> None:
    text = "\n".join(Report(JUDGEMENTS, BASELINE).lines())
    for name in ("letters.town", "find_date.date", "zh", "letters.heuristic"):
        assert any(line.strip().startswith(name) for line in text.splitlines()), name
    assert "failed with token_limit: 1" in text
    assert "units that there are not (all their fields count 0): find_date" in text
    assert "values or quotations that are not in the document: 1" in text
    assert "the baseline's: 2 of 3" in text
    assert "mean F1 by the baseline's: 1.75" in text


@pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="needs matplotlib")
def test_the_picture_has_a_bar_for_each_field_of_either_system() -> None:
    from matplotlib import pyplot

    from assay.evaluation.picture import make_figure

    figure = make_figure(Report(JUDGEMENTS, BASELINE))
    (axes,) = figure.axes
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert labels == ["letters.town", "letters.date", "invoices.town"]
    widths = [bar.get_width() for bar in axes.patches]
    assert widths == pytest.approx([0.5, 0.0, 0.0, 2 / 7])
    pyplot.close(figure)
