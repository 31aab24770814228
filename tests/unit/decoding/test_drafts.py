"""Prompt lookup, and drafts under a constraint."""

import pytest

from assay.decoding.drafts import PromptLookup, legal_draft
from assay.decoding.matcher import compile_constraint
from assay.types import JsonConstraint, RegexConstraint, Source


def test_what_follows_the_last_place_is_proposed():
    lookup = PromptLookup([1, 2, 3, 4, 1, 2, 5, 6])
    assert lookup.following([1, 2], 3) == [5, 6]
    assert lookup.following([9, 2, 3], 8) == [4, 1, 2, 5, 6]


def test_a_longer_match_goes_before_a_later_one():
    lookup = PromptLookup([7, 1, 2, 3, 8, 1, 2, 4])
    assert lookup.following([7, 1, 2], 1) == [3]
    assert lookup.following([0, 1, 2], 1) == [4]


@pytest.mark.parametrize("last", [[], [2], [5, 6], [2, 1], [3, 9]])
def test_without_a_match_that_something_follows_there_is_no_draft(last):
    assert PromptLookup([1, 2, 3, 4, 5, 6]).following(last, 4) == []


def test_a_match_is_of_whole_tokens():
    """The bytes of two tokens may hold those of another pair, shifted."""
    lookup = PromptLookup([0x01000000, 0x02000000, 0x03000000, 4])
    assert lookup.following([0x00020000, 0x00030000], 4) == []


@pytest.fixture
def draft(vocabulary, tokenize):
    def make(constraint, written: str, guess: str, num_tokens: int = 20) -> str:
        matcher = compile_constraint(constraint, vocabulary)
        matcher.advance(*tokenize(written))
        before = matcher.forced_tokens()
        found = legal_draft(matcher, tokenize(guess), num_tokens)
        assert matcher.forced_tokens() == before, "the state has changed"
        assert len(found) <= num_tokens
        return vocabulary.decode(found).decode()

    return make


def test_a_draft_is_cut_at_the_first_token_that_is_not_legal(draft):
    assert draft(RegexConstraint("[a-e]+z"), "ab", "cdexyz") == "cde"
    assert draft(RegexConstraint("[a-e]+z"), "ab", "xyz") == ""
    assert draft(RegexConstraint("[a-e]+z"), "ab", "cde", num_tokens=2) == "cd"


def test_what_is_forced_on_the_way_is_part_of_a_draft(draft):
    assert draft(RegexConstraint("(a|b)--(a|b)--(a|b)!"), "", "a--b") == "a--b--"


def test_a_draft_ends_where_the_guess_does_not_say_what_is_forced(draft):
    assert draft(RegexConstraint("(a|b)--(a|b)--(a|b)!"), "", "a++b") == "a--"


def test_a_draft_leaves_something_to_decide(draft):
    """The last token of an answer is never drafted: nothing would be left to check it with."""
    assert draft(RegexConstraint("(a|b)(a|b)"), "", "ab") == "a"


def test_a_verbatim_value_is_drafted_as_far_as_its_source_goes(draft):
    schema = {"x-verbatim": "word", "type": "string"}
    constraint = JsonConstraint(schema, (Source("the seller pays the buyer"),))
    assert draft(constraint, '"the', " seller pays him") == " seller pays the"
