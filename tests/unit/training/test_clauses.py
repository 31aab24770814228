"""Models of kinds of clauses: fitted to marked sentences, measured on contracts not seen."""

from __future__ import annotations

import json

import pytest
from tiny_corpus import write_contracts

from assay.errors import DocumentNotFoundError
from assay.evaluation.base import Counts
from assay.training.clause_card import make_card
from assay.training.clause_fit import Recipe, fit_model
from assay.training.clauses import TrainedKind
from assay.training.contracts import LABELS, read_contracts, sentences_of


@pytest.fixture
def contracts(tmp_path):
    folder = write_contracts(tmp_path / "data", 8)
    path = folder / "cuad_dev.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row["text"] += "\nThe Seller shall obey all the laws on noise of its town at any time.\n"
        missing = set(LABELS.values()) - set(row["clauses"])
        row["clauses"] |= {label: {"answer": "", "spans": []} for label in missing}
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return read_contracts(folder)


def test_a_sentence_is_marked_where_lawyers_marked_it(contracts) -> None:
    sentences = list(sentences_of(contracts, "governing_law"))
    assert [item.is_marked for item in sentences] == [True, False] * 8
    assert len({item.contract for item in sentences}) == 8


def test_a_fitted_model_tells_marked_sentences_from_others(contracts) -> None:
    """With few words kept, those that weigh most; the same sentences give the same model."""
    sentences = list(sentences_of(contracts, "governing_law"))
    recipe = Recipe(strength=10.0, min_contracts=3, max_words=4)
    model = fit_model(sentences, "governing_law", recipe)
    assert len(model.words) == 4
    for item in sentences:
        assert (model.probability("governing_law", item.features) > 0.5) == item.is_marked
    assert fit_model(sentences, "governing_law", recipe) == model


def test_words_of_too_few_contracts_do_not_count(contracts) -> None:
    sentences = list(sentences_of(contracts, "governing_law"))
    model = fit_model(sentences, "governing_law", Recipe(min_contracts=3))
    assert "laws" in model.words
    assert "bavaria" not in model.words  # of one contract


def test_the_card_has_figures_for_each_kind(contracts) -> None:
    sentences = list(sentences_of(contracts, "governing_law"))
    model = fit_model(sentences, "governing_law", Recipe())
    trained = {"governing_law": TrainedKind(model, 16, 8, Counts(6, 7, 8), 0.1)}
    card = make_card(contracts, Recipe(), 3, trained)
    assert card["num_contracts"] == 8
    assert card["settings"]["seed"] == 3
    assert card["out_of_fold"]["governing_law"]["f1"] == card["mean_f1"] == 0.8
    assert "CC BY 4.0" in card["data"]


def test_a_folder_without_contracts_is_said_to_be_so(tmp_path) -> None:
    with pytest.raises(DocumentNotFoundError, match="cuad_dev"):
        read_contracts(tmp_path)
