"""Chunks: what a verbatim value is made of."""

from __future__ import annotations

import pytest

from assay.decoding.chunks import GRANULARITIES, chunks, cuts, holds_value
from assay.errors import InvalidGrammarError
from assay.types import Source


def words(text):
    return list(chunks(Source(text), "word"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("pay  USD\n5.", ["pay", "  ", "USD", "\n", "5", "."]),
        ("$1,250.00, or 1.5.", ["$", "1,250.00", ",", " ", "or", " ", "1.5", "."]),
        ("Party's (A)", ["Party", "'", "s", " ", "(", "A", ")"]),
        ("____ a_b", ["_", "_", "_", "_", " ", "a", "_", "b"]),
        ("甲方ABC公司1,000元。", ["甲", "方", "ABC", "公", "司", "1,000", "元", "。"]),
        ("カタ", ["カ", "タ"]),
        ("회사는 좋다", ["회사는", " ", "좋다"]),
        ("cafe\u0301 e\u0301te\u0301", ["cafe\u0301", " ", "e\u0301te\u0301"]),
        ("שָׁלוֹם", ["שָׁלוֹם"]),
        ("👨‍👩‍👧👍🏽", ["👨‍👩‍👧", "👍🏽"]),
        ("🇨🇳🇩🇪", ["🇨🇳", "🇩🇪"]),
        ("", []),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


def test_sentences_end_at_the_boundaries_with_whitespace_apart():
    source = Source(" One. \nTwo.  Three", (7, 13))
    assert chunks(source, "sentence") == (" ", "One.", " \n", "Two.", "  ", "Three")


def test_without_boundaries_the_text_is_one_sentence():
    assert chunks(Source("One. Two."), "sentence") == ("One. Two.",)


@pytest.mark.parametrize("granularity", GRANULARITIES)
def test_chunks_cut_the_text_without_gaps(granularity):
    source = Source(" “Term”:\t2 年;\r\n\u2028 C:\\x é\u0301 😀 \u00a0", (4, 9))
    assert "".join(chunks(source, granularity)) == source.text
    assert {0, len(source.text)} <= cuts(source, granularity)


@pytest.mark.parametrize("boundaries", [(3, 2), (-1,), (99,)])
def test_boundaries_out_of_order_or_range_are_refused(boundaries):
    with pytest.raises(InvalidGrammarError):
        chunks(Source("abcdef", boundaries), "sentence")


def test_a_lone_surrogate_is_refused():
    with pytest.raises(InvalidGrammarError, match="surrogate"):
        chunks(Source("a\ud800"), "char")


@pytest.mark.parametrize(
    ("pieces", "least", "most", "expected"),
    [
        (["ab", " ", "c"], 1, None, True),
        (["ab", " ", "cd"], 1, 1, False),
        (["ab", " ", "c"], 3, 3, False),
        (["ab", " ", "c"], 4, 4, True),
        (["ab", " ", "c"], 5, None, False),
        ([" ", "\n"], 1, None, False),
        ([], 1, None, False),
    ],
)
def test_whether_a_run_of_chunks_has_a_legal_length(pieces, least, most, expected):
    assert holds_value(pieces, least, most) is expected
