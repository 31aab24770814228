"""The figure that a question asks for, among those of a sentence."""

import pytest

from assay.units.fallbacks.question_figure import DATE, figure_in, figures_of
from assay.units.fallbacks.question_words import Question


@pytest.mark.parametrize(
    ("question", "sentence", "expected"),
    [
        (
            "What is the expense of unvested shares?",
            "There was $210 of expense of unvested options and $95 of expense of unvested shares.",
            "$95",
        ),
        (
            "What is the expense of unvested options?",
            "There was $210 of expense of unvested options and $95 of expense of unvested shares.",
            "$210",
        ),
        (
            "What was the rent in 2018?",
            "Rent was $7 million, $8 million and $9 million in 2019, 2018 and 2017.",
            "$8 million",
        ),
        (
            "How much deferred income did Halm have?",
            "Halm had US$6 million of deferred income, which led to a charge of US$0.3 million.",
            "US$6 million",
        ),
        ("What is the market price?", "The market price was INR19, or £9.9 in all.", "INR19"),
        ("What percentage was the margin?", "The margin rose by $3 million to 41.5%.", "41.5%"),
        ("How long does it run?", "It runs at $30 thousand for 12 months.", "12 months"),
        (
            "What is the loss?",
            "For more than 12 months it had a loss of $6.4 million.",
            "$6.4 million",
        ),
        ("How much was paid?", "No figure here, as of May 2019.", None),
    ],
)
def test_figure_is_the_one_whose_words_are_asked(question, sentence, expected):
    """Of several figures that of the year, or the one nearest to the question's words."""
    span = figure_in(sentence, Question(question))
    assert (sentence[slice(*span)] if span else None) == expected


def test_names_of_standards_and_periods_are_no_figures():
    """What is written like a currency with a number need not be one."""
    sentence = "Under IFRS 16 and ASC 606, FY19 and Q3 gave 12.5%."
    assert [sentence[start:end] for start, end in figures_of(sentence)] == ["12.5%"]


def test_date_takes_its_whole_year():
    """A day before the month does not cut the year after it."""
    assert DATE.search("On 27 May 2019, we bought it.")[0] == "27 May 2019"
    assert DATE.search("On May 27, 2019 we bought it.")[0] == "May 27, 2019"
