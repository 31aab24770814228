"""Training the small classifiers and taggers of units."""

import json
from dataclasses import replace

import numpy as np
import pytest

from assay.encoders import Adapter, load_minilm
from assay.encoders.adapter import Delta
from assay.errors import DocumentNotFoundError
from assay.training import classifiers
from assay.training.adapters import AdapterSettings, FittedAdapter
from assay.training.classifiers import ClassifierSettings, Texts, fit_without, train_classifier
from assay.training.labelled_texts import SOURCES, read_texts
from assay.training.theft import TheftSettings, read_sentences


def toy(num=12):
    texts = [f"pay the bill {n}" for n in range(num)] + [f"sunny garden {n}" for n in range(num)]
    labels = ["money"] * num + ["nature"] * num
    return Texts(tuple(texts), tuple(labels), tuple(str(n) for n in range(2 * num)))


def test_classifier_learns_and_says_how_well():
    """Texts of two kinds are told apart, and the card's figures are of texts not seen."""
    classifier, card = train_classifier(toy(), ClassifierSettings(num_folds=3))
    assert classifier.labels == ("money", "nature")
    assert classifier.probabilities("a bill to pay")[0] > 0.7
    assert card["out_of_fold"]["accuracy"] == 1.0


def test_labels_without_rhyme_or_reason_score_as_chance():
    """Figures out of fold do not flatter: what cannot be learnt is not."""
    data = toy()
    shuffled = tuple("ab"[n % 2] for n in range(len(data.texts)))
    settings = ClassifierSettings(num_folds=3)
    _, card = train_classifier(Texts(data.texts, shuffled, data.groups), settings)
    assert card["out_of_fold"]["accuracy"] < 0.8


def test_adapter_is_mixed_in_as_far_as_it_helps(monkeypatch):
    """Where n-grams are kept weak the adapter's logits decide, out of fold and in what is kept."""
    load_minilm()
    monkeypatch.setattr(classifiers, "AdapterFit", KnowsByLength)
    monkeypatch.setattr(classifiers, "fitted", lambda model: model)
    texts = tuple(f"bill {n}" + "!" * (n % 2) for n in range(10, 40))
    labels = tuple("ab"[n % 2] for n in range(30))
    settings = ClassifierSettings(
        max_words=1, strength=1e-3, num_folds=3, adapter=AdapterSettings()
    )
    classifier, card = train_classifier(Texts(texts, labels, texts), settings)
    assert card["adapter_share"] > 0.5
    assert card["out_of_fold"]["accuracy"] == card["out_of_fold_alone"]["adapter"]["accuracy"] == 1
    assert classifier.adapter is KnowsByLength.fitted.adapter
    expected = card["adapter_share"] * KnowsByLength.fitted.bias
    assert classifier.bias[1] - classifier.bias[0] == pytest.approx(
        expected[1] - expected[0], abs=0.1
    )


class KnowsByLength:
    """Stands in for adapters: longer texts are of the second label."""

    fitted = FittedAdapter(
        Adapter({(5, "value"): Delta(np.ones((1, 384), "f4"), np.ones((384, 1), "f4"))}),
        np.zeros((2, 384)),
        np.array([0.0, 4.0]),
    )

    def __init__(self, texts, num_labels, settings):
        self.lengths = np.array([len(text) for text in texts])

    def fit(self, gold, chosen, seed):
        return self.fitted

    def logits(self, model, chosen):
        longer = self.lengths[chosen] > 7
        return np.where(longer[:, None], [-3.0, 3.0], [3.0, -3.0])


def test_near_duplicates_are_on_one_side_of_a_fold():
    """With copies on both sides figures would flatter; the card says how labels contradict."""
    kinds = [f"w{n // 2} x{n // 2} y{n // 2} z{n // 2}" for n in range(24)]
    texts = (*kinds, *(f"alone{n}" for n in range(6)))
    labels = (*("abc"[n // 2 % 3] for n in range(22)), *"abcabcab")
    data = Texts(texts, labels, tuple(str(n) for n in range(30)))
    settings = ClassifierSettings(num_folds=3, strength=100.0, by_likeness=True)
    _, card = train_classifier(data, settings)
    _, flattered = train_classifier(data, replace(settings, by_likeness=False))
    assert card["near_duplicates"] == {"pairs": 12, "labelled_otherwise": 1}
    assert card["out_of_fold"]["accuracy"] < flattered["out_of_fold"]["accuracy"]


def test_words_of_a_single_text_are_left_out():
    """An n-gram must stand in two texts."""
    classifier, _ = train_classifier(toy(), ClassifierSettings(num_folds=3))
    assert "garden" in classifier.space.columns
    assert "3" in classifier.space.columns
    assert "garden 3" not in classifier.space.columns


@pytest.mark.parametrize(
    ("derivation", "kind"),
    [
        ("380-399", "change"),
        ("-3-(-4)", "change"),
        ("((96-85)/85) * 100", "growth"),
        ("(2,807 / 2,790 - 1) * 100", "growth"),
        ("(121/154)-(73/90)", None),
        ("(1,153 + 1,429) / 2", "average"),
        ("$4,000+$17,000", "sum"),
        ("(13/59) * 100", "share"),
    ],
)
def test_kind_of_a_question_is_that_of_its_derivation(tmp_path, derivation, kind):
    """Whatever its spacing, currency signs and parentheses; a rare one is left out."""
    questions = [
        {"question": "Why?", "answer_type": "multi-span", "answer": ["a", "b"], "derivation": ""},
        {"question": "How?", "answer_type": "arithmetic", "derivation": derivation},
    ]
    row = {"id": "1", "questions": questions}
    (tmp_path / "tatqa_dev.jsonl").write_text(json.dumps(row), encoding="utf-8")
    labels = read_texts(tmp_path, SOURCES["question"]).labels
    assert labels == ("list", *([kind] if kind else []))


def test_repeated_entities_are_tagged_wherever_they_stand(tmp_path):
    """An entity without a place is tagged at each occurrence, the longest first."""
    gold = [
        {"type": "受害人", "text": "柏某", "start": None},
        {"type": "被盗物品", "text": "柏某的手机", "start": 3},
    ]
    row = {"id": "x:2-6:31", "task": "zh_theft_ner", "text": "柏某将柏某的手机", "gold": gold}
    (tmp_path / "lawbench_zh_dev.jsonl").write_text(json.dumps(row), encoding="utf-8")
    (sentence,) = read_sentences(tmp_path, TheftSettings())
    assert sentence.tags[:4] == ("B-victims", "I-victims", "O", "B-stolen_items")
    assert sentence.group == 2


def test_missing_data_is_named(tmp_path):
    """The error says which file is not there."""
    with pytest.raises(DocumentNotFoundError, match="cfpb_dev"):
        read_texts(tmp_path, SOURCES["complaint"])


def test_a_fold_s_classifier_has_not_seen_its_texts():
    """A word that only texts of one fold have is unknown to that fold's classifier."""
    texts = ["pay the bill", "pay the sum", "gala garden", "gala sun", "pay now", "gala now"] * 2
    labels = ["money" if text.startswith("pay") else "nature" for text in texts]
    folds = np.array([0, 1, 0, 1, 2, 2] * 2)
    data = Texts(tuple(texts), tuple(labels), tuple(map(str, range(12))))
    found = fit_without(data, ClassifierSettings(max_words=1), folds)
    assert sorted(found) == [0, 1, 2]
    assert "bill" not in found[0].space.columns
    assert "bill" in found[1].space.columns
    assert found[0].probabilities("pay the bill").argmax() == 0
