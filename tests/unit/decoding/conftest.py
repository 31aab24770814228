"""A vocabulary of the 256 bytes and an end token: any text is written, nothing is merged."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from assay.decoding.matcher import compile_constraint
from assay.decoding.vocabulary import Vocabulary
from assay.types import Constraint

END = "<|end|>"


@pytest.fixture(scope="session")
def vocabulary() -> Vocabulary:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({char: i for i, char in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([END])
    return Vocabulary(tokenizer.to_str(), 260, [tokenizer.token_to_id(END)])


@pytest.fixture(scope="session")
def tokenize(vocabulary: Vocabulary) -> Callable[[str], list[int]]:
    return lambda text: list(vocabulary.tokenizer.tokenize_str(text))


@pytest.fixture(scope="session")
def accepts(
    vocabulary: Vocabulary, tokenize: Callable[[str], list[int]]
) -> Callable[[Constraint, str], bool]:
    """Whether a text is a complete answer under a constraint."""

    def check(constraint: Constraint, text: str) -> bool:
        matcher = compile_constraint(constraint, vocabulary)
        try:
            for token in tokenize(text):
                matcher.advance(token)
        except ValueError:
            return False
        return matcher.is_accepting

    return check
