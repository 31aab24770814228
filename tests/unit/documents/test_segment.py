"""Segments: whole sentences, within their limits, nothing left out."""

from __future__ import annotations

import time

import pytest

from assay.documents import Document, segment_document
from assay.documents.segment import estimate_tokens
from assay.errors import ConfigError


def document(text: str) -> Document:
    return Document(name="a.txt", text=text, media_type="text/plain")


def words(text: str) -> int:
    return len(text.split())


SENTENCE = "The Seller shall deliver the goods within ten days."
NINE_WORDS = " ".join([SENTENCE] * 40)


def test_segments_are_whole_sentences_up_to_the_limit():
    made = document(NINE_WORDS)
    segments = segment_document(made, count_tokens=words, min_tokens=20, max_tokens=50)
    assert [len(segment.sentences) for segment in segments] == [5] * 8
    assert [segment.index for segment in segments] == list(range(8))
    for segment in segments:
        assert segment.start == segment.sentences[0][0]
        assert segment.end == segment.sentences[-1][1]
        assert all(made.text[start:end] == SENTENCE for start, end in segment.sentences)


def test_a_heading_starts_a_segment_once_the_one_before_is_long_enough():
    text = f"1. DELIVERY\n{NINE_WORDS[:103]}\n\n2. PAYMENT\n{SENTENCE}\n\n3. TERM\n{SENTENCE}"
    segments = segment_document(document(text), count_tokens=words, min_tokens=15, max_tokens=60)
    assert [segment.heading for segment in segments] == ["1. DELIVERY", "2. PAYMENT"]
    assert text[segments[1].start :].startswith("2. PAYMENT")


def test_a_heading_goes_with_what_it_heads():
    """Not left at the end of a segment when the clause below it does not fit any more."""
    text = " ".join([SENTENCE] * 3) + f"\n\n2. PAYMENT\n{' '.join([SENTENCE] * 4)}"
    segments = segment_document(document(text), count_tokens=words, min_tokens=30, max_tokens=36)
    assert text[segments[1].start :].startswith("2. PAYMENT\nThe Seller")
    assert [segment.heading for segment in segments] == [None, "2. PAYMENT", "2. PAYMENT"]


def test_boundaries_are_the_ends_of_sentences_and_where_a_clause_has_its_words():
    text = "7.2 (a) The Buyer pays. It pays now.\nSection 8. Term\n第三条 付款。"
    (segment,) = segment_document(document(text))
    ends = [offset for span in segment.sentences for offset in span]
    words_start = [text.index(word) for word in ("The Buyer", "Term", "付款")]
    assert segment.boundaries == tuple(sorted({*ends, *words_start}))


def test_a_short_rest_joins_the_segment_before():
    text = " ".join([SENTENCE] * 5) + "\n\n9. END\nShort."
    segments = segment_document(document(text), count_tokens=words, min_tokens=20, max_tokens=50)
    assert len(segments) == 1


def test_a_long_sentence_is_split_at_clauses_then_words_then_characters():
    clauses = "the Buyer, if it so wishes; the Seller, if it must: " * 4
    pieces = [
        clauses[start:end]
        for segment in segment_document(
            document(clauses), count_tokens=words, min_tokens=1, max_tokens=6
        )
        for start, end in segment.sentences
    ]
    assert pieces[0] == "the Buyer, if it so wishes;"
    assert all(words(piece) <= 6 and piece[-1] in ",;:" for piece in pieces)

    many = "word " * 100
    by_word = segment_document(document(many), count_tokens=words, min_tokens=1, max_tokens=7)
    assert {words(many[segment.start : segment.end]) for segment in by_word} == {7, 2}

    by_char = segment_document(document("x" * 1000), count_tokens=len, min_tokens=1, max_tokens=64)
    assert max(segment.end - segment.start for segment in by_char) <= 64
    assert sum(segment.end - segment.start for segment in by_char) == 1000


def test_the_limit_holds_for_the_counter_that_is_given():
    for counter in (words, len, estimate_tokens):
        for segment in segment_document(
            document(NINE_WORDS), count_tokens=counter, min_tokens=8, max_tokens=16
        ):
            sizes = [counter(NINE_WORDS[start:end]) for start, end in segment.sentences]
            assert sum(sizes) <= 16


def test_chinese_counts_more_tokens_a_character():
    assert estimate_tokens("合同" * 100) == pytest.approx(300, abs=2)
    assert estimate_tokens("word" * 100) == pytest.approx(100, abs=2)


@pytest.mark.parametrize(("low", "high"), [(0, 10), (20, 10), (-1, 5)])
def test_limits_that_contradict_each_other_are_refused(low, high):
    with pytest.raises(ConfigError):
        segment_document(document("Text"), min_tokens=low, max_tokens=high)


@pytest.mark.parametrize(
    "unit", ["!", "1.1 ", "(a) b\n", "A. ", ". ", "x     ", ",", "合同", ".'", "• ", "I.", "§ A "]
)
def test_time_is_linear_in_text_made_to_be_slow(unit):
    """Ten times the text takes about ten times as long: no rule looks back or ahead without end."""

    def seconds(num_chars: int) -> float:
        text = unit * (num_chars // len(unit))
        best = float("inf")
        for _ in range(2):
            start = time.process_time()
            segment_document(document(text))
            best = min(best, time.process_time() - start)
        return best

    assert seconds(20_000) < 30 * seconds(2_000) + 0.02
