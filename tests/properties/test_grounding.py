"""Whatever the model wants, what it may write is valid against the schema and grounded."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from assay.decoding.chunks import cuts
from assay.decoding.matcher import compile_constraint
from assay.decoding.spans import locate_spans
from assay.decoding.vocabulary import Vocabulary
from assay.types import JsonConstraint, Source

ENGLISH = (
    'The "Supplier" shall pay USD 1,250.00 to A\\B.\nInterest is 5% (five\tpercent). '
    "Cafe\u0301 👨‍👩‍👧!",
    "\u201cTerm\u201d: 2 years;\r\n\r\nsee C:\\temp\\new \u2028 end\u00a0",
)
CHINESE = (
    "甲方：北京“星河”公司。\n违约金为人民币1,000.50元，即合同总价的5％。　乙方\\丙方😀",
    "第三条\t本合同自2024年1月1日起生效。",
)


def source(text: str) -> Source:
    ends = [i + 1 for i, char in enumerate(text) if char in ".。;；\n" and i + 1 < len(text)]
    return Source(text, tuple(ends))


def schema(granularity: str) -> dict[str, Any]:
    leaf = {"type": "string", "x-verbatim": granularity}
    return {
        "type": "object",
        "properties": {
            "clause": {"anyOf": [leaf, {"type": "null"}]},
            "parties": {
                "type": "array",
                "items": {"$ref": "#/$defs/party"},
                "minItems": 1,
                "maxItems": 2,
            },
            "note": {"type": "string", "maxLength": 4},
            "kind": {"enum": ['a"b', "ä\n", 1.5, None]},
            "short": {**leaf, "type": ["string", "null"], "maxLength": 60},
        },
        "required": ["clause", "parties", "kind"],
        "additionalProperties": False,
        "$defs": {
            "party": {
                "type": "object",
                "properties": {"name": leaf, "is_first": {"type": "boolean"}},
                "required": ["name"],
                "additionalProperties": False,
            }
        },
    }


@cache
def vocabulary(kind: str) -> Vocabulary:
    """256 single bytes; or a byte-level BPE whose tokens straddle words, quotes and punctuation."""
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    tokenizer = Tokenizer(models.BPE())
    tokenizer.decoder = decoders.ByteLevel()
    if kind == "bytes":
        tokenizer.model = models.BPE({char: i for i, char in enumerate(sorted(alphabet))}, [])
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.add_special_tokens(["<eos>"])
    else:
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
        trainer = trainers.BpeTrainer(
            vocab_size=700,
            initial_alphabet=alphabet,
            special_tokens=["<eos>"],
            show_progress=False,
        )
        lines = [json.dumps({"clause": text}, ensure_ascii=False) for text in (*ENGLISH, *CHINESE)]
        tokenizer.train_from_iterator(
            [line[i : i + 12] for line in lines for i in range(len(line))], trainer
        )
    size = tokenizer.get_vocab_size()
    return Vocabulary(tokenizer.to_str(), size + 3, [tokenizer.token_to_id("<eos>")])


def write_at_random(constraint: JsonConstraint, vocabulary: Vocabulary, seed: int) -> list[int]:
    """An answer whose every token is drawn evenly from the legal ones."""
    rng = np.random.default_rng(seed)
    matcher = compile_constraint(constraint, vocabulary)
    row = np.zeros(vocabulary.num_mask_words, np.int32)
    tokens: list[int] = []
    while not matcher.is_finished:
        assert len(tokens) < 3000, "the answer does not end"
        forced = matcher.forced_tokens() if rng.random() < 0.7 else []
        if not forced:
            matcher.fill_mask(row)
            legal = np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little"))
            assert legal.size, "no token is legal"
            forced = [int(rng.choice(legal))]
        for token in forced:
            matcher.advance(token)
        tokens += forced
    return [token for token in tokens if token not in vocabulary.eos_token_ids]


def verbatim_values(answer: dict[str, Any]) -> dict[str, str]:
    """Pointer and value of each verbatim leaf, read off the answer by hand."""
    leaves = {"/clause": answer["clause"], "/short": answer.get("short")}
    leaves |= {f"/parties/{i}/name": item["name"] for i, item in enumerate(answer["parties"])}
    return {pointer: value for pointer, value in leaves.items() if value is not None}


@pytest.mark.parametrize("kind", ["bytes", "bpe"])
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    texts=st.sampled_from([ENGLISH, CHINESE]),
    granularity=st.sampled_from(["char", "word", "sentence"]),
    seed=st.integers(0, 2**32 - 1),
)
def test_every_verbatim_value_is_a_span_and_every_answer_is_valid(
    kind: str, texts: tuple[str, ...], granularity: str, seed: int
) -> None:
    """Random choices among the legal tokens give a valid answer made of located spans."""
    constraint = JsonConstraint(schema(granularity), tuple(map(source, texts)))
    words = vocabulary(kind)
    tokens = write_at_random(constraint, words, seed)
    text = words.decode(tokens).decode()
    answer = json.loads(text)
    jsonschema.Draft202012Validator(constraint.schema).validate(answer)
    pieces = [words.decode([token]) for token in tokens]
    spans = {span.pointer: span for span in locate_spans(constraint, text, pieces)}
    expected = verbatim_values(answer)
    assert spans.keys() == expected.keys()
    for pointer, value in expected.items():
        span = spans[pointer]
        origin = constraint.sources[span.source]
        assert origin.text[span.start : span.end] == value
        assert value == value.strip() != ""
        assert {span.start, span.end} <= cuts(origin, granularity)  # type: ignore[arg-type]
        spelled = b"".join(pieces[span.first_token : span.last_token]).decode(errors="replace")
        assert json.dumps(value, ensure_ascii=False) in spelled
