"""Trigger words mean units, even misspelt; an operator's words must stand there as they are."""

import pytest

from assay.routing.matcher import match_triggers, stands_in

TRIGGERS = {
    "extract_party": ("party", "who signed", "甲方"),
    "extract_date": ("date", "effective"),
    "extract_clause": ("governing law", "termination"),
}


@pytest.mark.parametrize(
    ("request_text", "names"),
    [
        ("Who are the parties?", ("extract_party",)),
        ("termination and effective date please", ("extract_date", "extract_clause")),
        ("govening law", ("extract_clause",)),
        ("the governing law", ("extract_clause",)),
        ("efective day", ("extract_date",)),
        ("合同的甲方是谁", ("extract_party",)),
        ("what is the weather like", ()),
    ],
)
def test_words_mean_units_even_misspelt(request_text, names):
    assert match_triggers(request_text, TRIGGERS) == names


@pytest.mark.parametrize(
    ("phrase", "text", "stands"),
    [
        ("premium", "What PREMIUMS are due?", True),
        ("premium", "What premuim is due?", False),
        ("should we sign", "so, should we sign it?", True),
        ("should we sign", "should we all sign it?", False),
        ("保费", "每年保费多少", True),
        ("...", "what ... is it", False),
    ],
)
def test_an_operators_words_must_stand_as_they_are(phrase, text, stands):
    assert stands_in(phrase, text) is stands
