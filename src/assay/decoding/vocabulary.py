"""The model's vocabulary as the constraint engine needs it.

Building the token trie takes some 0.2 s for 49,000 tokens, so it is built on first use, once.
Immutable from outside; may be used from several threads.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

from assay.errors import UnsupportedModelError

if TYPE_CHECKING:
    from llguidance import LLTokenizer


class Vocabulary:
    """Token ids and the bytes that they spell.

    `tokenizer_json` is the content of a Hugging Face `tokenizer.json`. `vocab_size` is the number
    of columns of the logits, which may exceed the tokenizer's own count (padded models).
    `eos_token_ids` end an answer; at least one.
    """

    def __init__(self, tokenizer_json: str, vocab_size: int, eos_token_ids: Sequence[int]) -> None:
        if not eos_token_ids:
            raise UnsupportedModelError("the model names no token that ends an answer")
        self._tokenizer_json = tokenizer_json
        self._vocab_size = vocab_size
        self._eos_token_ids = tuple(eos_token_ids)
        self._lock = Lock()

    @property
    def vocab_size(self) -> int:
        return self._vocab_size

    @property
    def eos_token_ids(self) -> tuple[int, ...]:
        return self._eos_token_ids

    @property
    def num_mask_words(self) -> int:
        """The number of int32 words of a packed mask row: one bit a token, lowest bit first."""
        return (self._vocab_size + 31) // 32

    @property
    def tokenizer(self) -> LLTokenizer:
        """llguidance's tokenizer.

        Raises:
            UnsupportedModelError: the tokenizer is of a kind that llguidance does not read.
        """
        with self._lock:
            return self._tokenizer

    @cached_property
    def _tokenizer(self) -> LLTokenizer:
        from llguidance import LLTokenizer

        try:
            return LLTokenizer(
                self._tokenizer_json,
                n_vocab=self._vocab_size,
                eos_token=list(self._eos_token_ids),
            )
        except (ValueError, RuntimeError) as error:
            raise UnsupportedModelError(f"the tokenizer cannot be constrained: {error}") from error

    def encode(self, text: str) -> list[int]:
        """The tokens of `text` as plain text: nothing in it is read as a special token."""
        return list(self.tokenizer.tokenize_str(text))

    def decode(self, token_ids: Sequence[int]) -> bytes:
        """The bytes that the tokens spell; a token may spell part of a UTF-8 character."""
        return bytes(self.tokenizer.decode_bytes(list(token_ids)))
