"""The vocabulary: masks cover the logits, control tokens are no text."""

from __future__ import annotations

import numpy as np
import pytest

from assay.decoding.matcher import compile_constraint
from assay.decoding.vocabulary import Vocabulary
from assay.errors import UnsupportedModelError
from assay.types import JsonConstraint, Source


def test_mask_has_one_bit_for_each_column_of_the_logits(vocabulary):
    assert vocabulary.num_mask_words == 9
    assert Vocabulary("{}", 256, [0]).num_mask_words == 8


def test_decoding_leaves_out_control_tokens(vocabulary, tokenize):
    assert vocabulary.decode([*tokenize("é!"), *vocabulary.eos_token_ids]) == "é!".encode()


def test_text_that_spells_a_control_token_is_copied_as_text(vocabulary):
    """A source cannot end the answer by holding the text of the end token."""
    schema = {"type": "string", "x-verbatim": "sentence"}
    constraint = JsonConstraint(schema, (Source("Pay <|end|> now."),))
    matcher = compile_constraint(constraint, vocabulary)
    forced = matcher.forced_tokens()
    for token in forced:
        matcher.advance(token)
    assert matcher.is_finished
    assert not set(forced) & set(vocabulary.eos_token_ids)
    assert vocabulary.decode(forced) == b'"Pay <|end|> now."'


def test_padding_columns_are_never_legal(vocabulary):
    matcher = compile_constraint(JsonConstraint({"type": "string"}), vocabulary)
    row = np.zeros(vocabulary.num_mask_words, np.int32)
    matcher.fill_mask(row)
    bits = np.unpackbits(row.view(np.uint8), bitorder="little")
    assert bits.sum() == 1
    assert not bits[257:].any()


@pytest.mark.parametrize("content", ["", "nonsense", "[]", '{"model": {}}'])
def test_an_unreadable_tokenizer_is_a_typed_error(content):
    with pytest.raises(UnsupportedModelError):
        _ = Vocabulary(content, 256, [0]).tokenizer


def test_a_model_without_an_end_token_is_refused():
    with pytest.raises(UnsupportedModelError):
        Vocabulary("{}", 256, [])
