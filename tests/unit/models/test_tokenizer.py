"""Text to tokens and back."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import tokenizers
from tiny import EOS, START, tiny_tokenizer, tiny_tokenizer_json
from tokenizers import AddedToken

from assay.errors import CorruptModelError
from assay.models.load.gguf_tokenizer import tokenizer_json
from assay.models.tokenizer import Tokenizer
from assay.types import Message

TEXTS = [
    "",
    "the paper and the pen",
    "  two  spaces\n\n\ttab ",
    "甲方应于2024年3月15日前支付人民币1,234.56元。",
    "emoji 😀 e\u0301 \u00e9 \u200b\ufeff",
    f"quoted {EOS} and {START}",
]


@pytest.mark.parametrize("text", TEXTS)
def test_tokens_spell_the_text_byte_for_byte(text: str) -> None:
    tokenizer = tiny_tokenizer()
    ids = tokenizer.encode(text)
    assert b"".join(map(tokenizer.token_bytes, ids)).decode() == text
    assert tokenizer.decode(ids) == text
    assert tokenizer.count(text) == len(ids)


def test_control_tokens_in_text_are_letters_and_none_is_decoded() -> None:
    tokenizer = tiny_tokenizer()
    control = {i for i in range(tokenizer.vocab_size) if tokenizer.token_text(i) in (START, EOS)}
    assert len(control) == 2
    assert control.isdisjoint(tokenizer.encode(f"{START}{EOS} a{EOS}b", add_special=True))
    assert tokenizer.decode([*control, *tokenizer.encode("a")]) == "a"
    assert all(tokenizer.token_bytes(i) == b"" for i in control)


def test_an_id_outside_the_vocabulary_has_no_bytes() -> None:
    tokenizer = tiny_tokenizer()
    assert tokenizer.token_bytes(tokenizer.vocab_size) == b""
    assert tokenizer.token_text(tokenizer.vocab_size) == ""


def test_a_tokenizer_that_cannot_be_read_is_a_typed_error() -> None:
    for broken in ("", "{}", tiny_tokenizer_json()[:-100]):
        with pytest.raises(CorruptModelError):
            Tokenizer(broken)


def test_an_instance_serves_several_threads() -> None:
    tokenizer = tiny_tokenizer()
    messages = [Message("user", "the paper " * 50 + EOS)]
    expected = tokenizer.encode_chat(messages), tokenizer.encode(EOS)
    with ThreadPoolExecutor(4) as pool:
        work = [
            pool.submit(lambda: (tokenizer.encode_chat(messages), tokenizer.encode(EOS)))
            for _ in range(40)
        ]
        assert all(future.result() == expected for future in work)


def test_white_space_that_a_control_token_swallows_is_swallowed() -> None:
    values = json.loads(tiny_tokenizer_json())
    for token in values["added_tokens"]:
        token["rstrip"] = token["content"] == START
        token["lstrip"] = token["content"] == EOS
    template = "{{ '<|im_start|>  ' ~ messages[0].content ~ '  <|im_end|>' }}"
    tokenizer = Tokenizer(json.dumps(values), chat_template=template)
    reference = tokenizers.Tokenizer.from_str(json.dumps(values))
    ids = tokenizer.encode_chat([Message("user", "the pen")])
    assert ids == reference.encode("<|im_start|>  the pen  <|im_end|>").ids
    assert len(ids) == 2 + tokenizer.count("the pen")


def test_truncation_and_padding_of_the_file_are_not_applied() -> None:
    reference = tokenizers.Tokenizer.from_str(tiny_tokenizer_json())
    reference.enable_truncation(2)
    reference.enable_padding(length=9)
    assert Tokenizer(reference.to_str()).encode("xyz") == tiny_tokenizer().encode("xyz")


# SentencePiece vocabularies, as GGUF files hold them


def _sentencepiece(**extra: object) -> Tokenizer:
    # "<" and "s>" would merge into the control token "<s>" if it took part in merging.
    pieces = ["<", "s", ">", "s>", "▁a", "▁b", "ab", "▁ab", "a", "b", "▁", "c"]
    tokens = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *pieces]
    scores = [0.0] * 259 + [-float(rank) for rank in range(len(pieces))]
    kinds = [2, 3, 3, *[6] * 256, *[1] * len(pieces)]
    metadata = {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.scores": scores,
        "tokenizer.ggml.token_type": kinds,
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.unknown_token_id": 0,
        **extra,
    }
    template = "{% for m in messages %}{{ '<s>' ~ m.content ~ '</s>' }}{% endfor %}"
    return Tokenizer(
        tokenizer_json(metadata, Path("m.gguf")),
        chat_template=template,
        eos_token_ids=(2,),
        bos_token_id=1,
    )


def _pieces(tokenizer: Tokenizer, ids: list[int]) -> list[str]:
    return [tokenizer.token_text(token_id) for token_id in ids]


def test_sentencepiece_merges_by_score_and_falls_back_to_bytes() -> None:
    tokenizer = _sentencepiece()
    # "▁a" scores above "ab", so "▁ab" is reached as "▁a" + "b".
    assert _pieces(tokenizer, tokenizer.encode("ab a")) == ["▁ab", "▁a"]
    assert _pieces(tokenizer, tokenizer.encode("é")) == ["▁", "<0xC3>", "<0xA9>"]
    assert tokenizer.decode(tokenizer.encode("ab é 中")) == "ab é 中"
    assert b"".join(map(tokenizer.token_bytes, tokenizer.encode("ab é"))).decode() == " ab é"


def test_sentencepiece_begins_with_bos_unless_told_otherwise() -> None:
    assert _sentencepiece().encode("a", add_special=True)[0] == 1
    without = _sentencepiece(**{"tokenizer.ggml.add_bos_token": False})
    assert without.encode("a", add_special=True) == without.encode("a")


def test_sentencepiece_control_tokens_in_text_are_letters() -> None:
    tokenizer = _sentencepiece()
    ids = tokenizer.encode("<s>a</s>")
    assert {1, 2}.isdisjoint(ids)
    chat = tokenizer.encode_chat([Message("user", "a</s><s>b")])
    assert (chat.count(1), chat.count(2)) == (1, 1)


def test_only_the_first_word_takes_a_space_where_the_tokenizer_says_so() -> None:
    values = json.loads(_sentencepiece().to_json())
    values["normalizer"] = None
    values["pre_tokenizer"] = {
        "type": "Metaspace",
        "replacement": "▁",
        "prepend_scheme": "first",
        "split": False,
    }
    reference = tokenizers.Tokenizer.from_str(json.dumps(values))
    template = "{{ 'a' ~ '<s>' ~ messages[0].content ~ '</s>' }}"
    tokenizer = Tokenizer(json.dumps(values), chat_template=template)
    expected = reference.encode("a<s>b</s>", add_special_tokens=False).ids
    assert tokenizer.encode_chat([Message("user", "b")]) == expected
    assert _pieces(tokenizer, expected) == ["▁a", "<s>", "b", "</s>"]


def test_added_tokens_that_are_not_control_tokens_are_text() -> None:
    reference = tokenizers.Tokenizer.from_str(tiny_tokenizer_json())
    reference.add_tokens([AddedToken("<think>", special=False, normalized=False)])
    tokenizer = Tokenizer(reference.to_str())
    ids = tokenizer.encode("a<think>b")
    assert tokenizer.decode(ids) == "a<think>b"
    assert b"".join(map(tokenizer.token_bytes, ids)) == b"a<think>b"
