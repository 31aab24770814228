"""Trained models of kinds of clauses: what they say, how they are kept."""

from dataclasses import replace

import pytest

from assay.errors import CorruptModelError
from assay.units.fallbacks.clause_cues import CUES, KINDS
from assay.units.fallbacks.clause_features import number_names, read_features
from assay.units.fallbacks.clause_model import (
    ClauseModel,
    chosen,
    read_models,
    shipped_model,
    write_models,
)

_TEXT = (
    "9. Insurance\n\nThe Supplier shall maintain product liability insurance of $2,000,000 per "
    "occurrence. The insurance market is said to be hard."
)


def test_the_shipped_models_weigh_what_the_features_are_called() -> None:
    """No weight is for a cue that is no more."""
    trained = [kind for kind in KINDS if shipped_model(kind)]
    assert len(trained) == 13
    for kind in trained:
        model = shipped_model(kind)
        assert model is not None
        assert set(model.numbers) <= set(number_names(CUES[kind]))


def test_words_and_numbers_move_the_probability() -> None:
    first, _ = read_features(_TEXT, CUES["insurance"])
    plain = ClauseModel(0.0, {}, {})
    assert plain.probability("insurance", first) == 0.5
    for better in (replace(plain, words={"supplier": 1.0}), replace(plain, numbers={"weight": 1})):
        assert better.probability("insurance", first) > 0.5


def test_digits_are_all_alike_and_the_heading_is_told_apart() -> None:
    first, second = read_features(_TEXT, CUES["insurance"])
    assert {"#", "$ #", "h:insurance", "the supplier"} <= first.words
    assert first.weight > second.weight


def test_an_answer_has_all_sentences_that_belong_once_one_is_sure() -> None:
    """Or one that is as clear by its cues as any; else none."""
    strong, weak = read_features(_TEXT, CUES["insurance"])
    weak = replace(weak, weight=0.0)
    light = replace(strong, weight=1.0)
    assert [item for _, item in chosen([(0.5, light), (0.3, weak), (0.1, weak)])] == [light, weak]
    assert chosen([(0.3, light), (0.3, weak)]) == []
    assert [item for _, item in chosen([(0.01, strong), (0.3, weak)])] == [strong]
    assert chosen([]) == []


def test_an_answer_is_as_sure_as_its_likeliest_sentence() -> None:
    """The others come close behind it, in their order."""
    strong, weak = read_features(_TEXT, CUES["insurance"])
    (best, _), (other, _) = chosen([(0.9, strong), (0.4, weak)])
    assert best - 0.05 < other < best
    assert [round(chosen([(likely, strong)])[0][0], 3) for likely in (0.1, 0.5, 0.75, 0.99)] == [
        0.45,
        0.52,
        0.83,
        0.93,
    ]


def test_what_is_written_is_read_again(tmp_path) -> None:
    path = tmp_path / "clauses.json"
    write_models(path, {"insurance": ClauseModel(-1.25, {"weight": 0.5, "rank": 0.0}, {"a b": 1})})
    assert read_models(path) == {"insurance": ClauseModel(-1.25, {"weight": 0.5}, {"a b": 1})}


def test_a_broken_file_is_said_to_be_broken(tmp_path) -> None:
    path = tmp_path / "broken.json"
    path.write_text('{"insurance": {"bias": 1}}', encoding="utf-8")
    with pytest.raises(CorruptModelError, match=r"broken\.json"):
        read_models(path)
