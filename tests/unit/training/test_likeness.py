"""Texts that hardly differ."""

from assay.training.likeness import merged_groups, near_duplicates

TEXTS = (
    "Please send me the signed contract today.",
    "please send me the signed contract TODAY",
    "The garden is green.",
    "Please send me the signed contract tomorrow.",
    "",
)


def test_pairs_share_most_of_their_words():
    """Case and marks do not count; one word of seven may differ."""
    assert near_duplicates(TEXTS) == [(0, 1), (0, 3), (1, 3)]


def test_another_wording_is_no_duplicate():
    """Half the words in common is not enough."""
    assert near_duplicates(("send the file to him", "send the cheque to her")) == []


def test_groups_joined_by_a_pair_become_one():
    """What a chain of pairs joins is never on both sides of a fold."""
    first, second, third, fourth = merged_groups("abcd", [(0, 2), (2, 3)])
    assert first == third == fourth != second


def test_groups_without_pairs_stay_apart():
    """Each text by itself, but for groups that were given."""
    assert len(set(merged_groups("aab", []))) == 2
