"""From judgements to precision, recall, F1 and their intervals."""

from __future__ import annotations

import pytest
from judged import judged

from assay.evaluation import Counts
from assay.evaluation.figures import (
    Figure,
    by_set_and_field,
    figure_of,
    group_figures,
    path_figures,
    ratio_to,
)


def test_failures_and_misses_lower_recall_and_wrong_answers_precision() -> None:
    figure = figure_of(
        [
            judged(Counts(2, 2, 3), case_id="1"),
            judged(Counts(0, 1, 1), case_id="2"),
            judged(Counts(0, 0, 1), case_id="3", path=None, error="token_limit"),
        ]
    )
    assert (figure.precision, figure.recall) == (pytest.approx(2 / 3), pytest.approx(2 / 5))
    assert figure.f1 == pytest.approx(0.5)
    assert (figure.n, figure.num_exact) == (3, 0)


def test_nothing_found_where_nothing_is_counts_as_perfect() -> None:
    figure = figure_of([judged(Counts(0, 0, 0))])
    assert (figure.precision, figure.recall, figure.f1) == (None, None, 1.0)
    assert figure.num_exact == 1


def test_an_interval_holds_the_figure_and_narrows_with_the_cases() -> None:
    def figure(num_cases: int) -> Figure:
        return figure_of([judged(Counts(i % 2, 1, 1), case_id=str(i)) for i in range(num_cases)])

    few, many = figure(10), figure(250)
    assert few.low < 0.5 < few.high
    assert many.low < 0.5 < many.high
    assert many.high - many.low < 0.3 * (few.high - few.low)
    assert (few.low, few.high) == (figure(10).low, figure(10).high)


def test_all_right_has_no_spread() -> None:
    figure = figure_of([judged(Counts(1, 1, 1), case_id=str(i)) for i in range(5)])
    assert (figure.low, figure.f1, figure.high) == (1.0, 1.0, 1.0)


def test_resamples_are_of_cases_and_not_of_their_parts() -> None:
    """Twenty values of one contract are one draw: a bad contract can be drawn not at all."""
    good = [judged(Counts(1, 1, 1), case_id="1") for _ in range(20)]
    bad = [judged(Counts(0, 1, 1), case_id="2") for _ in range(20)]
    figure = figure_of([*good, *bad])
    assert (figure.low, figure.high, figure.n) == (0.0, 1.0, 2)


def test_cases_of_two_sets_with_one_name_are_two() -> None:
    items = [judged(Counts(1, 1, 1)), judged(Counts(1, 1, 1), set_name="invoices")]
    assert figure_of(items).n == 2


def test_figures_are_grouped_by_set_field_and_anything_else() -> None:
    items = [
        judged(Counts(1, 1, 1)),
        judged(Counts(0, 1, 1), field="date"),
        judged(Counts(0, 1, 1), set_name="invoices", language="zh"),
    ]
    figures = by_set_and_field(items)
    assert {name: list(fields) for name, fields in figures.items()} == {
        "letters": ["town", "date"],
        "invoices": ["town"],
    }
    by_language = group_figures(items, lambda item: item.language)
    assert {name: figure.f1 for name, figure in by_language.items()} == {"en": 0.5, "zh": 0.0}


def test_paths_have_a_precision_and_a_share_of_what_is_right() -> None:
    items = [
        judged(Counts(3, 3, 3), path="model"),
        judged(Counts(1, 1, 1), path="heuristic"),
        judged(Counts(0, 1, 1), path="heuristic", case_id="2"),
        judged(Counts(0, 0, 1), path="heuristic", case_id="3"),
        judged(Counts(0, 0, 1), path=None),
    ]
    figures = path_figures(items)
    assert list(figures) == ["model", "heuristic"]
    assert (figures["model"].precision, figures["model"].share) == (1.0, 0.75)
    assert (figures["heuristic"].precision, figures["heuristic"].num_answered) == (0.5, 2)


def test_the_interval_of_a_path_is_that_of_its_precision() -> None:
    """Misses widen no interval: a path is right in all that it says."""
    items = [judged(Counts(1, 1, 1), case_id="1"), judged(Counts(0, 0, 1), case_id="2")]
    (figure,) = path_figures(items).values()
    assert (figure.low, figure.precision, figure.high) == (1.0, 1.0, 1.0)


def test_the_ratio_is_over_the_fields_that_both_answered() -> None:
    ours = by_set_and_field([judged(Counts(1, 1, 1)), judged(Counts(1, 1, 1), field="date")])
    baseline = by_set_and_field([judged(Counts(1, 2, 2))])
    assert ratio_to(ours, baseline) == 2.0
    assert ratio_to(ours, {}) is None
    assert ratio_to(ours, by_set_and_field([judged(Counts(0, 1, 1))])) is None
