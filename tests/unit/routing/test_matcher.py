"""A request in words means the units whose words stand in it."""

import pytest

from assay.errors import NoMatchingUnitError
from assay.routing import match_triggers

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
    ],
)
def test_words_mean_units_even_misspelt(request_text, names):
    assert match_triggers(request_text, TRIGGERS) == names


def test_a_request_that_fits_nothing_is_told_so():
    with pytest.raises(NoMatchingUnitError, match="assay units"):
        match_triggers("what is the weather like", TRIGGERS)
