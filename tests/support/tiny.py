"""A tiny byte-level tokenizer and the vocabulary over it, made in memory."""

from __future__ import annotations

from functools import cache

import tokenizers
from tokenizers import AddedToken, decoders, models, pre_tokenizers

from assay.decoding.vocabulary import Vocabulary
from assay.models.tokenizer import Tokenizer

EOS = "<|im_end|>"
START = "<|im_start|>"
MERGES = ["th", "he", "in", "er", "an", '":', '{"', '"}', "the", "and", 'Ġ"', "Ġthe", "pa"]

CHAT_TEMPLATE = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\n' + message['content'] }}"
    "{% if not loop.last or message['role'] != 'assistant' %}{{ '<|im_end|>' + '\n' }}{% endif %}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


@cache
def tiny_tokenizer_json() -> str:
    """All bytes, a few merges, and the two control tokens of ChatML."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {character: index for index, character in enumerate(alphabet)}
    merges = []
    for word in MERGES:
        # The longest known prefix, then the rest, which is known too.
        for cut in range(len(word) - 1, 0, -1):
            if word[:cut] in vocabulary and word[cut:] in vocabulary:
                merges.append((word[:cut], word[cut:]))
                vocabulary[word] = len(vocabulary)
                break
        else:
            raise AssertionError(f"{word} cannot be merged")
    tokenizer = tokenizers.Tokenizer(models.BPE(vocab=vocabulary, merges=merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens(
        [AddedToken(token, special=True, normalized=False) for token in (START, EOS)]
    )
    return str(tokenizer.to_str())


@cache
def tiny_tokenizer() -> Tokenizer:
    json = tiny_tokenizer_json()
    eos = tokenizers.Tokenizer.from_str(json).token_to_id(EOS)
    return Tokenizer(json, chat_template=CHAT_TEMPLATE, eos_token_ids=(eos,))


@cache
def tiny_vocabulary() -> Vocabulary:
    tokenizer = tiny_tokenizer()
    return Vocabulary(tiny_tokenizer_json(), tokenizer.vocab_size, tokenizer.eos_token_ids)
