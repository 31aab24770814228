"""Labels of texts, with the words that speak for them."""

from dataclasses import replace

import numpy as np
import pytest

from assay.encoders import Adapter, load_minilm
from assay.encoders.adapter import Delta
from assay.units.answer import from_candidates
from assay.units.catalogue import get_unit
from assay.units.fallbacks.labels import AnySentenceFallback, LabelFallback, SentenceFallback
from assay.units.fallbacks.request_cues import NUM_CUES
from assay.units.fallbacks.text_classifier import (
    NgramSpace,
    TextClassifier,
    load_classifier,
    save_classifier,
    words_of,
)

MAIL = "Thanks for the figures. Could you please send me the contract by Friday? It was cold here."
COMPLAINT = (
    "I moved house in spring. A collector keeps calling about a debt that is not mine and the debt "
    "collection agency will not validate it. My dog is brown."
)


@pytest.fixture(scope="module", autouse=True)
def loaded_encoder():
    load_minilm()


def text(candidate, source):
    return source[candidate.start : candidate.end]


def tiny():
    space = NgramSpace({"good": 0, "bad": 1, "very bad": 2}, np.ones(3, np.float32), 2)
    weights = np.array([[1, -1, -1], [-1, 1, 1]], np.float32)
    return TextClassifier(("good", "bad"), space, weights, np.zeros(2, np.float32), 0.0, 1.0, 0.5)


def test_words_keep_their_places_where_lowering_changes_length():
    """A letter that grows when lowered does not shift what follows it."""
    source = "İ Bad?"
    assert [source[word.start : word.end] for word in words_of(source)] == ["İ", "Bad", "?"]


def test_every_chinese_character_is_a_word():
    """Chinese has no spaces to part words by."""
    assert [word.text for word in words_of("请回复ok")] == ["请", "回", "复", "ok"]


def test_what_an_ngram_adds_is_shared_by_its_words():
    """The words of a phrase that speaks for a label speak for it, others do not."""
    words, added = tiny().evidence("A very bad day", 1)
    assert [word.text for word in words] == ["a", "very", "bad", "day"]
    assert added[2] > added[1] > 0
    assert added[0] == added[3] == 0


def test_classifier_is_the_same_after_a_round_trip(tmp_path):
    """What is written is what is read."""
    save_classifier(tmp_path / "tiny.npz", tiny())
    read = load_classifier("tiny", tmp_path)
    assert read.labels == ("good", "bad")
    np.testing.assert_allclose(read.probabilities("bad"), tiny().probabilities("bad"), atol=1e-3)


def test_cues_count_where_the_classifier_has_them(tmp_path):
    """Beside the n-grams: a question mark that no n-gram knows of changes the answer."""
    weights = np.zeros((2, 3 + NUM_CUES), np.float32)
    weights[1, 3:] = 1
    asks = replace(tiny(), weights=weights, cue_factor=0.5)
    save_classifier(tmp_path / "asks.npz", asks)
    for model in (asks, load_classifier("asks", tmp_path)):
        assert model.probabilities("Green?")[1] > model.probabilities("Green")[1] + 0.1


def test_adapter_changes_the_vector_of_its_classifier_alone(tmp_path):
    """It is stored with the classifier, and the shared encoder stays as it is."""
    rng = np.random.default_rng(0)
    down, up = (rng.normal(size=shape).astype(np.float32) for shape in ((1, 384), (384, 1)))
    weights = np.concatenate([tiny().weights, rng.normal(size=(2, 384))], axis=1).astype(np.float32)
    plain = replace(tiny(), weights=weights, vector_factor=1.0)
    adapted = replace(plain, adapter=Adapter({(5, "value"): Delta(down, up)}))
    save_classifier(tmp_path / "adapted.npz", adapted)
    before = plain.probabilities("bad")
    read = load_classifier("adapted", tmp_path).probabilities("bad")
    np.testing.assert_allclose(read, adapted.probabilities("bad"), atol=0.02)
    assert abs(read - before).max() > 0.05
    np.testing.assert_array_equal(plain.probabilities("bad"), before)


def test_request_is_found_with_its_sentence():
    """An e-mail that asks for something is a request; the evidence is where it asks."""
    (found,) = AnySentenceFallback("request").find(MAIL)
    assert found.labels == {"": True}
    assert text(found, MAIL).startswith("Could you please send")
    assert [text(item, MAIL) for item in SentenceFallback("request").find(MAIL)] == [
        text(found, MAIL)
    ]


def test_mail_without_request_says_so():
    """Nothing asked for is an answer, and no sentence is given as a request."""
    mail = "The meeting took place last week. He liked the garden."
    (found,) = AnySentenceFallback("request").find(mail)
    assert found.labels == {"": False}
    assert SentenceFallback("request").find(mail) == ()


def test_product_is_the_likeliest_label_with_the_sentence_that_says_most():
    """The evidence of a label is the sentence that speaks most for it."""
    best = LabelFallback("complaint").find(COMPLAINT)[0]
    assert best.labels == {"": "debt_collection"}
    assert "collection agency" in text(best, COMPLAINT)


def test_long_sentence_is_quoted_in_part():
    """Of a text without punctuation only a run of words is quoted."""
    source = "we met in town " * 60 + "debt collector calls about a debt " + "it rained a lot " * 60
    best = LabelFallback("complaint").find(source)[0]
    assert "debt collector" in text(best, source)
    assert best.end - best.start < 300


@pytest.mark.parametrize(("unit", "field"), [("classify_complaint", "product")])
def test_label_becomes_the_value(unit, field):
    """A candidate's label, not its words, is what the field says."""
    fallback = LabelFallback("complaint")
    annotation = get_unit(unit).fields[field].annotation
    draft = from_candidates(annotation, fallback.find(COMPLAINT), COMPLAINT, max_found=1)
    assert draft.value == "debt_collection"
