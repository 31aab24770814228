"""Adapters of the sentence encoder: what is trained is what the encoder then does."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertModel

from assay.encoders.bert import BertEncoder, BertShape
from assay.training import adapters
from assay.training.adapters import AdapterFit, AdapterSettings, fitted


class TinyEncoder:
    """Reads a letter as a token."""

    def token_ids(self, text):
        return [ord(letter) % 30 for letter in text]


@pytest.fixture(scope="module")
def weights():
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=30,
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=12,
        intermediate_size=40,
        max_position_embeddings=16,
    )
    return {name: tensor.numpy() for name, tensor in BertModel(config).state_dict().items()}


@pytest.fixture(autouse=True)
def tiny(monkeypatch, weights):
    monkeypatch.setattr(adapters, "load_minilm", TinyEncoder)
    monkeypatch.setattr(adapters, "minilm_weights", lambda: weights)


SETTINGS = AdapterSettings(
    rank=2, first_layer=1, num_epochs=8, batch_size=4, rate=2e-2, dropout=0.0
)
TEXTS = ["aab", "aba", "baa", "abab", "xxy", "xyx", "yxx", "xyxy"]
GOLD = np.array([0, 0, 0, 0, 1, 1, 1, 1])


def test_adapter_does_in_the_encoder_what_it_did_in_training(weights):
    """The encoder with its deltas added gives the logits of training, to bf16."""
    fit = AdapterFit(TEXTS, 2, SETTINGS)
    model = fit.fit(GOLD, np.arange(8), seed=1)
    expected = fit.logits(model, np.arange(8))
    kept = fitted(model)
    encoder = BertEncoder(weights, BertShape(num_heads=12)).adapted(kept.adapter)
    for text, logits in zip(TEXTS, expected, strict=True):
        vector = encoder.embed(TinyEncoder().token_ids(text))
        np.testing.assert_allclose(kept.weights @ vector + kept.bias, logits, atol=0.03)
    assert list(expected.argmax(axis=1)) == list(GOLD)


def test_layers_below_the_first_stay_as_they_were(weights):
    """What is not trained has no delta."""
    model = AdapterFit(TEXTS, 2, SETTINGS).fit(GOLD, np.arange(8), seed=1)
    assert {layer for layer, _ in model.adapter().deltas} == {1}


def test_same_seed_same_adapter():
    """A run can be repeated, and another seed gives another."""
    fit = AdapterFit(TEXTS, 2, replace(SETTINGS, num_epochs=1))
    first, again, other = (fit.fit(GOLD, np.arange(8), seed=seed) for seed in (3, 3, 4))
    assert torch.equal(first.head.weight, again.head.weight)
    assert not torch.equal(first.head.weight, other.head.weight)
