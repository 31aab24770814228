"""The segments that a question needs come first."""

import pytest

from assay.routing import RelevanceIndex, score_shares, select_segments

SEGMENTS = [
    "This supply agreement is made between Acme and Bolt.",
    "The goods are delivered to the warehouse on Mondays.",
    "This agreement is governed by the laws of Norway.",
    "Invoices are payable within thirty days of receipt.",
    "本合同适用中华人民共和国法律。",
]


def best(keywords, **options):
    index = RelevanceIndex.build(SEGMENTS)
    return [item.index for item in select_segments(index, keywords, num_segments=2, **options)]


def test_the_segment_with_the_questions_words_is_first():
    assert best({"governed by": 1.0, "laws of": 1.0})[0] == 2
    assert best({"invoice": 1.0, "payable": 1.0})[0] == 3


def test_chinese_is_found_without_spaces():
    assert best({"适用法律": 1.0, "法律": 1.0}) == [4]


def test_nothing_is_chosen_when_no_word_stands_anywhere():
    assert best({"zebra": 1.0}) == []


def test_head_and_tail_pull_the_ends_of_a_document_forward():
    assert best({"zebra": 1.0}, head=2.0)[0] == 0
    assert best({"zebra": 1.0}, tail=2.0)[0] == len(SEGMENTS) - 1


def test_a_document_without_segments_has_nothing_to_choose():
    assert select_segments(RelevanceIndex.build([]), {"a": 1.0}, num_segments=3, head=1.0) == ()


def test_a_score_is_the_sum_of_its_reasons() -> None:
    index = RelevanceIndex.build(["The governing law is Dutch.", "Payment terms.", "Of the law."])
    keywords = {"governing law": 2.0, "payment": 1.0}
    options = {"head": 3.0, "tail": 1.0}
    shares = list(score_shares(index, keywords, **options))
    for item in select_segments(index, keywords, num_segments=3, **options):
        amounts = [share.amount for share in shares if share.index == item.index]
        assert sum(amounts) == pytest.approx(item.score)
    reasons = [share.reason for share in shares if share.index == 0]
    assert reasons == ["governing", "law", "“governing law”", "near the start", "near the end"]
