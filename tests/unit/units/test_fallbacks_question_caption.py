"""What a table shows, as the text around it says."""

import pytest

from assay.units.fallbacks.question_caption import asks_what_table_shows, quote_caption
from assay.units.fallbacks.question_passage import quote_passage
from assay.units.fallbacks.question_words import Question

TABLE = " | 2019 | 2018\nRent | 1 | 2\n\nLeases run for years.\n\n"


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The following table shows rents by country (in thousands):", "rents by country"),
        ("The table below summarizes our leases.", "our leases"),
        ("Rents by country are as follows:", "Rents by country"),
        ("Details of our leases are presented in the following table:", "Details of our leases"),
        ("Other costs consisted of the following (in millions):", "Other costs"),
        ("Rents are paid each month.", None),
    ],
)
def test_caption_is_what_the_leading_sentence_says_of_the_table(sentence, expected):
    """Without the units in brackets; a sentence that leads to no table is none."""
    text = TABLE + sentence
    span = quote_caption(text)
    assert (text[slice(*span)] if span else None) == expected


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("What does the table show?", True),
        ("What information does the table present?", True),
        ("What does the table say was paid for rent in 2019?", False),
        ("What was the rent?", False),
    ],
)
def test_only_questions_on_the_table_itself_ask_for_its_caption(question, asks):
    """A question on what stands in the table is another."""
    assert asks_what_table_shows(Question(question)) is asks


def test_passage_answers_with_the_caption():
    """The question is answered where other questions on text are."""
    text = TABLE + "The following table shows rents by country:"
    (span,) = quote_passage(text, Question("What does the table show?")).spans
    assert text[slice(*span)] == "rents by country"
