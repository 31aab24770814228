"""From the vocabulary in a GGUF file to a `tokenizer.json`.

Byte-level BPE ("gpt2") takes its pre-tokenizer by the name in `tokenizer.ggml.pre`; the regexes
are those of the tokenizers the names stand for. SentencePiece BPE ("llama") carries scores instead
of merges: the merges are every split of a piece into two pieces, best score first.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from assay.errors import CorruptModelError, UnsupportedModelError

_NORMAL, _CONTROL, _USER_DEFINED = 1, 3, 4

_LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
_QWEN2 = _LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
_TEKKEN = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
    r"|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def _byte_level(*, use_regex: bool) -> dict[str, Any]:
    return {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": True,
        "use_regex": use_regex,
    }


def _split(pattern: str) -> list[dict[str, Any]]:
    return [
        {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False},
        _byte_level(use_regex=False),
    ]


_DIGITS: list[dict[str, Any]] = [
    {"type": "Digits", "individual_digits": True},
    _byte_level(use_regex=True),
]
_GPT2 = [_byte_level(use_regex=True)]

# name in tokenizer.ggml.pre -> (pre-tokenizers, normalizer, whether whole words skip the merges)
_PRE_TOKENIZERS: dict[str, tuple[list[dict[str, Any]], dict[str, Any] | None, bool]] = {
    "default": (_GPT2, None, False),
    "gpt-2": (_GPT2, None, False),
    "smollm": (_DIGITS, None, False),
    "starcoder": (_DIGITS, None, False),
    "llama-bpe": (_split(_LLAMA3), None, True),
    "llama3": (_split(_LLAMA3), None, True),
    "llama-v3": (_split(_LLAMA3), None, True),
    "qwen2": (_split(_QWEN2), {"type": "NFC"}, False),
    "deepseek-r1-qwen": (_split(_QWEN2), None, False),
    "tekken": (_split(_TEKKEN), None, True),
}


def tokenizer_json(metadata: dict[str, Any], path: Path) -> str:
    """Builds the JSON of a `tokenizers.Tokenizer` that encodes like the model's own.

    Raises:
        CorruptModelError: the vocabulary or the merges are missing.
        UnsupportedModelError: a tokenizer model or pre-tokenizer that is not known.
    """
    model = metadata.get("tokenizer.ggml.model")
    tokens = metadata.get("tokenizer.ggml.tokens")
    if not tokens:
        raise CorruptModelError(f"{path}: metadata lacks tokenizer.ggml.tokens")
    if len(metadata.get("tokenizer.ggml.token_type", tokens)) != len(tokens):
        raise CorruptModelError(f"{path}: metadata lacks a type for each token")
    if model == "gpt2":
        built = _byte_level_bpe(metadata, path)
    elif model == "llama":
        built = _sentencepiece_bpe(metadata, path)
    else:
        raise UnsupportedModelError(f"{path}: tokenizer model {model!r} (supported: gpt2, llama)")
    built["version"] = "1.0"
    built["truncation"] = built["padding"] = None
    built["added_tokens"] = _added_tokens(metadata)
    built["post_processor"] = _post_processor(metadata, byte_level=model == "gpt2")
    return json.dumps(built, ensure_ascii=False)


def _byte_level_bpe(metadata: dict[str, Any], path: Path) -> dict[str, Any]:
    name = metadata.get("tokenizer.ggml.pre", "default")
    if name not in _PRE_TOKENIZERS:
        raise UnsupportedModelError(
            f"{path}: pre-tokenizer {name!r} (supported: {', '.join(_PRE_TOKENIZERS)})"
        )
    merges = metadata.get("tokenizer.ggml.merges")
    if merges is None:
        raise CorruptModelError(f"{path}: metadata lacks tokenizer.ggml.merges")
    steps, normalizer, ignore_merges = _PRE_TOKENIZERS[name]
    return {
        "normalizer": normalizer,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": steps},
        "decoder": _byte_level(use_regex=True),
        "model": {
            "type": "BPE",
            "vocab": {token: i for i, token in enumerate(metadata["tokenizer.ggml.tokens"])},
            "merges": merges,
            "ignore_merges": ignore_merges,
        },
    }


def _sentencepiece_bpe(metadata: dict[str, Any], path: Path) -> dict[str, Any]:
    tokens = metadata["tokenizer.ggml.tokens"]
    scores = metadata.get("tokenizer.ggml.scores")
    if scores is None or len(scores) != len(tokens):
        raise CorruptModelError(f"{path}: metadata lacks a score for each token")
    vocab = {token: i for i, token in enumerate(tokens)}
    kinds = metadata.get("tokenizer.ggml.token_type", [_NORMAL] * len(tokens))
    merges = []
    for token, token_id in vocab.items():
        # Control and byte tokens are spelled in letters too, and never come of merging letters.
        if kinds[token_id] != _NORMAL:
            continue
        for cut in range(1, len(token)):
            left, right = token[:cut], token[cut:]
            if left in vocab and right in vocab:
                merges.append((-scores[token_id], vocab[left], vocab[right], left, right))
    merges.sort()
    replace = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
    prefix = metadata.get("tokenizer.ggml.add_space_prefix", True)
    steps = [{"type": "Prepend", "prepend": "▁"}, replace] if prefix else [replace]
    strip = [{"type": "Strip", "content": " ", "start": 1, "stop": 0}] if prefix else []
    return {
        "normalizer": {"type": "Sequence", "normalizers": steps},
        "pre_tokenizer": None,
        "decoder": {
            "type": "Sequence",
            "decoders": [
                {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
                {"type": "ByteFallback"},
                {"type": "Fuse"},
                *strip,
            ],
        },
        "model": {
            "type": "BPE",
            "vocab": vocab,
            "merges": [[left, right] for *_, left, right in merges],
            "unk_token": tokens[metadata.get("tokenizer.ggml.unknown_token_id", 0)],
            "fuse_unk": True,
            "byte_fallback": True,
        },
    }


def _added_tokens(metadata: dict[str, Any]) -> list[dict[str, Any]]:
    kinds = metadata.get("tokenizer.ggml.token_type", [])
    return [
        {
            "id": token_id,
            "content": token,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": kind == _CONTROL,
        }
        for token_id, (token, kind) in enumerate(
            zip(metadata["tokenizer.ggml.tokens"], kinds, strict=False)
        )
        if kind in (_CONTROL, _USER_DEFINED)
    ]


def _post_processor(metadata: dict[str, Any], *, byte_level: bool) -> dict[str, Any] | None:
    """Adds the begin-of-sequence token where the file asks for one."""
    bos_id = metadata.get("tokenizer.ggml.bos_token_id")
    # SentencePiece models open with BOS unless told otherwise; byte-level ones do when told.
    if bos_id is None or not metadata.get("tokenizer.ggml.add_bos_token", not byte_level):
        return _byte_level(use_regex=True) if byte_level else None
    bos = metadata["tokenizer.ggml.tokens"][bos_id]
    first = {"SpecialToken": {"id": bos, "type_id": 0}}
    return {
        "type": "TemplateProcessing",
        "single": [first, {"Sequence": {"id": "A", "type_id": 0}}],
        "pair": [
            first,
            {"Sequence": {"id": "A", "type_id": 0}},
            {"Sequence": {"id": "B", "type_id": 0}},
        ],
        "special_tokens": {bos: {"id": bos, "ids": [bos_id], "tokens": [bos]}},
    }
