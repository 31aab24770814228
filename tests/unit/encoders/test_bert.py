"""The encoder's forward pass, and MiniLM from its package."""

import numpy as np
import pytest
import torch
from transformers import BertConfig, BertModel

from assay.encoders import load_minilm
from assay.encoders.bert import BertEncoder, BertShape


@pytest.fixture(scope="module")
def reference():
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=50,
        hidden_size=24,
        num_hidden_layers=2,
        num_attention_heads=3,
        intermediate_size=40,
        max_position_embeddings=16,
    )
    return BertModel(config).eval()


def test_states_are_those_of_the_reference(reference):
    """The same weights give the same states as the reference implementation, to float32."""
    weights = {name: tensor.numpy() for name, tensor in reference.state_dict().items()}
    ids = [3, 14, 15, 9, 26]
    with torch.no_grad():
        expected = reference(torch.tensor([ids])).last_hidden_state[0].numpy()
    states = BertEncoder(weights, BertShape(num_heads=3)).states(ids)
    np.testing.assert_allclose(states, expected, atol=2e-6)


@pytest.fixture(scope="module")
def encoder():
    return load_minilm()


def test_texts_of_one_meaning_lie_close(encoder):
    """A paraphrase is nearer than another subject, and vectors have length one."""
    texts = ["The bank charged me twice.", "I was billed two times.", "Cats like to sleep."]
    first, same, other = (encoder.embed(text) for text in texts)
    assert np.linalg.norm(first) == pytest.approx(1.0, abs=1e-5)
    assert first @ same > first @ other + 0.2
