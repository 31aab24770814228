"""Cues of requests: mood, modal verbs, questions."""

import numpy as np
import pytest

from assay.units.fallbacks.request_cues import NUM_CUES, request_cues

STATEMENT = "He liked the garden."


@pytest.mark.parametrize(
    "asking",
    [
        "Please liked the garden.",
        "He liked the garden?",
        "Could you liked the garden.",
        "Let him know he liked the garden.",
        "Let's like the garden.",
        "Send the garden.",
        "Bob, send the garden.",
        "If you liked the garden.",
        "He must like the garden.",
    ],
)
def test_what_asks_differs_from_a_statement(asking):
    """Each way to ask sets a cue that a plain statement does not."""
    assert (request_cues(asking)[:-1] > request_cues(STATEMENT)[:-1]).any()


def test_noun_of_a_verbs_form_is_no_order():
    """An order opens a sentence or follows a mark; elsewhere the word may be a noun."""
    orders = slice(NUM_CUES - 3, NUM_CUES - 1)
    assert not request_cues("His call to the file was long.")[orders].any()
    assert list(request_cues("Call him.")[orders]) == [1, 0]
    assert list(request_cues("Bob, call him.")[orders]) == [0, 1]


def test_cues_are_from_0_to_1_whatever_the_text():
    """An empty text and a very long one too."""
    for text in ("", "word " * 500, "请回复"):
        cues = request_cues(text)
        assert cues.shape == (NUM_CUES,)
        assert np.all((cues >= 0) & (cues <= 1))
