"""The model's vocabulary as the constraint engine needs it: what each token spells.

Building the token trie takes some 0.2 s for 49,000 tokens, so it is built on first use, once.
Immutable from outside; may be used from several threads.
"""

from __future__ import annotations

import json
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
    def tokenizer_json(self) -> str:
        """As it was given: with it, another process builds the same vocabulary."""
        return self._tokenizer_json

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
                _unspell_control_tokens(self._tokenizer_json),
                n_vocab=self._vocab_size,
                eos_token=list(self._eos_token_ids),
            )
        except (ValueError, KeyError, TypeError, AttributeError, RuntimeError) as error:
            raise UnsupportedModelError(f"the tokenizer cannot be constrained: {error}") from error

    def decode(self, token_ids: Sequence[int]) -> bytes:
        """The bytes that the tokens spell: none for control tokens, and for others perhaps only
        part of a UTF-8 character."""
        tokenizer = self.tokenizer
        return bytes(
            tokenizer.decode_bytes([i for i in token_ids if not tokenizer.is_special_token(i)])
        )


def _unspell_control_tokens(tokenizer_json: str) -> str:
    """The tokenizer with its control tokens renamed to what no answer can hold.

    Otherwise a source that holds the text "<|im_end|>" would be tokenized, where it is forced, as
    the token that ends the answer. Ids do not change.
    """
    tokenizer = json.loads(tokenizer_json)
    renamed = {
        token["content"]: f"\x00{token['id']}\x00"
        for token in tokenizer.get("added_tokens") or ()
        if token["special"]
    }
    for token in tokenizer.get("added_tokens") or ():
        token["content"] = renamed.get(token["content"], token["content"])
    model = tokenizer["model"]
    if isinstance(model["vocab"], dict):
        model["vocab"] = {renamed.get(text, text): i for text, i in model["vocab"].items()}
    else:
        model["vocab"] = [[renamed.get(text, text), score] for text, score in model["vocab"]]
    if model.get("unk_token"):
        model["unk_token"] = renamed.get(model["unk_token"], model["unk_token"])
    tokenizer["post_processor"] = None
    return json.dumps(tokenizer)
