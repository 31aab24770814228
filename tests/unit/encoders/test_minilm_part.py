"""A part of the sentence encoder."""

import numpy as np
import pytest

from assay.encoders import MiniLmShape, load_minilm_part

SHAPE = MiniLmShape(num_layers=1, num_words=24_000, max_tokens=32)


@pytest.fixture(scope="module")
def part():
    return load_minilm_part(SHAPE)


def test_it_counts_all_that_stands_ready(part):
    layer = 4 * (384 * 384 + 384) + 2 * 384 * 1536 + 1536 + 384 + 4 * 384
    around = (24_000 + 32 + 2) * 384 + 2 * 384
    assert part.num_parameters == layer + around


def test_a_text_becomes_a_vector_of_length_one_and_a_long_one_is_cut(part):
    vector = part.embed("who signed the lease")
    assert vector.shape == (part.size,)
    assert float(np.linalg.norm(vector)) == pytest.approx(1.0, abs=1e-5)
    long = "lease " * 40
    assert (part.embed(long) == part.embed(long + "tenant")).all()


def test_words_that_are_left_out_are_spelled_with_pieces(part):
    """“mortgagee” is in no vocabulary whole, “zephyr” only in the part of it that is left out."""
    assert (part.embed("zephyr") != part.embed("[UNK]")).any()
    assert max(part._tokenizer.encode("zephyr lessee indemnity").ids) < SHAPE.num_words
