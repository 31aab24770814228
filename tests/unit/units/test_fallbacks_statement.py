"""Statements held against a document."""

import numpy as np
import pytest

from assay.encoders import load_minilm
from assay.units.fallbacks.statement import VERDICTS, StatementFallback
from assay.units.fallbacks.statement_features import NUM_DESCRIBED, StatementReader

TEXT = (
    "This agreement is made between Orla Foods and Penn Mills. "
    "The Recipient shall keep all Confidential Information secret for five years. "
    "The Recipient shall return or destroy Confidential Information when this agreement ends. "
    "Invoices are paid within thirty days."
)


class CountingEncoder:
    """Vectors of the letters of a text; counts what it reads."""

    size = 26

    def __init__(self):
        self.num_texts = 0

    def embed(self, text):
        self.num_texts += 1
        counts = np.array([text.lower().count(chr(97 + n)) for n in range(26)], np.float32) + 0.01
        return counts / np.linalg.norm(counts)


@pytest.fixture(scope="module", autouse=True)
def loaded_encoder():
    load_minilm()


def test_sentence_most_like_the_statement_is_the_evidence():
    """Whatever the verdict, the sentence quoted is the one that says most of the statement."""
    statement = "Confidential Information shall be returned or destroyed when the agreement ends."
    draft = StatementFallback().draft(TEXT, {"statement": statement})
    assert draft is not None
    assert draft.value["evidence"].startswith("The Recipient shall return or destroy")
    assert draft.value["verdict"] == "entailed"
    assert 1 / len(VERDICTS) <= draft.score <= 1
    assert {item.pointer for item in draft.standings} == {"/verdict", "/evidence"}


def test_what_the_text_does_not_speak_of_is_not_mentioned():
    """A statement on another subject is neither right nor wrong."""
    draft = StatementFallback().draft(TEXT, {"statement": "Dogs may be kept in the orchard."})
    assert draft is not None
    assert draft.value["verdict"] == "not_mentioned"


def test_empty_document_says_nothing():
    """No sentence, no answer."""
    assert StatementFallback().draft("  \n", {"statement": "Rent is due."}) is None


def test_short_document_has_as_many_features_as_a_long_one():
    """What is missing counts as nought."""
    encoder = CountingEncoder()
    short = StatementReader("Rent is due.", encoder).compare("Rent is due.")
    long = StatementReader(TEXT, encoder).compare("Rent is due.")
    assert short is not None
    assert long is not None
    assert short.features.shape == long.features.shape
    assert len(long.spans) == NUM_DESCRIBED


def test_sentences_are_encoded_once():
    """A second statement costs its own vector, and no sentence's again."""
    encoder = CountingEncoder()
    reader = StatementReader(TEXT, encoder)
    reader.compare("Rent is due.")
    before = encoder.num_texts
    reader.compare("Rent is not due.")
    assert encoder.num_texts == before + 1
