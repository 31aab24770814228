"""IncrementalDecoder and stop strings."""

import pytest

from assay.engine.text import IncrementalDecoder, find_stop

PIECES = [b"a", "甲".encode()[:1], "甲".encode()[1:], b"\xff", b"z", "é".encode()[:1]]


def test_a_character_over_two_tokens_belongs_to_the_one_that_ends_it():
    decoder = IncrementalDecoder(PIECES.__getitem__)
    assert [decoder.feed(token) for token in (0, 1, 2, 4)] == ["a", "", "甲", "z"]
    assert decoder.text == "a甲z"


def test_bytes_that_spell_nothing_are_replaced():
    decoder = IncrementalDecoder(PIECES.__getitem__)
    decoder.feed(3)
    decoder.feed(4)
    assert decoder.text == "\ufffdz"


def test_an_unfinished_character_is_told_at_the_end():
    decoder = IncrementalDecoder(PIECES.__getitem__)
    assert decoder.feed(5) == ""
    assert decoder.flush() == "\ufffd"
    assert decoder.text == "\ufffd"


@pytest.mark.parametrize(
    ("text", "num_new", "stops", "place"),
    [
        ("one\ntwo", 1, ("\n",), None),
        ("one\n", 1, ("\n",), 3),
        ("abcEND", 1, ("END",), 3),
        ("abcEND", 3, ("END", "cE"), 2),
        ("abc", 3, (), None),
        ("ENDx", 1, ("END",), None),
    ],
)
def test_a_stop_string_is_found_where_it_ends_in_the_new_text(text, num_new, stops, place):
    assert find_stop(text, num_new, stops) == place
