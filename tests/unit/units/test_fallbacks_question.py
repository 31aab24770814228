"""Questions on reports: tables read, cells found, operations named, sentences quoted."""

from decimal import Decimal

import pytest

from assay.units.catalogue import get_unit
from assay.units.fallbacks.operations import compute
from assay.units.fallbacks.question_answer import QuestionFallback, answer
from assay.units.fallbacks.tables import find_tables, read_figure
from assay.units.lifting import lift

REPORT = """ | 2021 | 2020
(in thousands) |  |\x20
Revenue | $1,250 | $1,000
Cost of sales | (600) | (500)
Margin | 52.0% | 50.0%
Total assets | 4,000 | 3,200

The board met twice. The increase in revenue was primarily due to new customers in Spain.

The company paid dividends of $12 million and $9 million in 2021 and 2020, respectively."""


def solved(question, *kinds, text=REPORT):
    kind_and_found = answer(text, question, kinds)
    assert kind_and_found
    _, found = kind_and_found
    quoted = [text[start:end] for start, end in found.spans]
    return quoted, found.scale, found.operation


@pytest.mark.parametrize(
    ("text", "number", "is_percent"),
    [
        ("$ 1,250", "1250", False),
        ("(600)", "-600", False),
        ("$(3,908)", "-3908", False),
        ("—", "0", False),
        ("18.6%", "18.6", True),
        ("(2.4)%", "-2.4", True),
    ],
)
def test_cells_read_as_figures(text, number, is_percent):
    """Currency signs, parentheses, dashes and percent signs belong to a figure."""
    assert read_figure(text) == (Decimal(number), is_percent)


@pytest.mark.parametrize("text", ["Revenue", "April 26, 2019", "1,250 shares", ""])
def test_words_are_no_figures(text):
    """A cell with words says no number."""
    assert read_figure(text)[0] is None


def test_table_knows_headers_groups_and_places():
    """Cells keep their offsets; rows of labels alone head the rows below them."""
    text = "Assets | 2021 | 2020\nCurrent: | | \nCash | 5 | 7\nOther | 1 | 2"
    (table,) = find_tables(text)
    assert [row.group for row in table.rows] == ["Current:", "Current:"]
    assert table.header_text(2) == "2020"
    cell = table.rows[0].cells[2]
    assert (text[cell.start : cell.end], cell.number) == ("7", Decimal(7))


def test_change_takes_the_later_year_less_the_earlier():
    """However the question orders them."""
    quoted, scale, operation = solved("What was the change in revenue from 2020 to 2021?", "change")
    assert (quoted, scale, operation) == (["$1,250", "$1,000"], "thousand", "change")


def test_growth_is_in_percent():
    """The scale of a percentage change is percent, whatever the table's."""
    quoted, scale, _ = solved("What is the percentage change in total assets in 2021?", "growth")
    assert (quoted, scale) == (["4,000", "3,200"], "percent")


def test_costs_in_parentheses_are_spoken_of_as_positive():
    """The average cost of sales is no negative number."""
    quoted, _, operation = solved("What is the average cost of sales?", "average")
    assert compute(operation, quoted) == "550.00"


def test_share_divides_the_named_rows():
    """The smaller is a share of the greater."""
    quoted, scale, _ = solved("What is revenue as a percentage of total assets in 2021?", "share")
    assert (quoted, scale) == (["$1,250", "4,000"], "percent")


def test_lookup_quotes_the_figure_with_its_scale():
    """A figure with its own percent sign needs no scale."""
    assert solved("What was the revenue in 2020?", "lookup")[:2] == (["1,000"], "thousand")
    assert solved("What was the margin in 2021?", "lookup")[:2] == (["52.0%"], None)


def test_which_year_quotes_the_year():
    """The year of the greatest or the least figure, from the header."""
    assert solved("In which year was revenue higher?", "which")[0] == ["2021"]
    assert solved("In which year was revenue lower?", "which")[0] == ["2020"]


def test_count_quotes_what_it_counts():
    """Each year beyond the threshold, in the scale of the table."""
    quoted, _, operation = solved("In how many years did revenue exceed $1.1 million?", "count")
    assert quoted == ["$1,250"]
    assert compute(operation, quoted) == "1"


def test_several_years_come_in_the_order_asked():
    """One figure a year."""
    assert solved("What was revenue in 2020 and 2021, respectively?", "list")[0] == [
        "1,000",
        "1,250",
    ]


def test_reason_is_what_follows_its_words():
    """A reason is quoted without the words that introduce it."""
    quoted = solved("What caused the increase in revenue?", "passage")[0]
    assert quoted == ["new customers in Spain"]


def test_figure_of_the_year_asked_is_taken_from_a_list():
    """ "A and B in 2021 and 2020, respectively": the place of the year is that of the figure."""
    quoted = solved("How much dividends did the company pay in 2020?", "passage")[0]
    assert quoted == ["$9 million"]


def test_next_kind_answers_where_the_first_finds_nothing():
    """A question read wrongly by the classifier may still be answered."""
    assert solved("What was the revenue in 2020?", "sum", "lookup")[2] == "quote"


@pytest.mark.parametrize(
    ("operation", "operands", "number"),
    [
        ("growth", ["0.4", "0.5"], "-20.00"),
        ("change", ["771", "$(2,129)"], "2900"),
        ("sum", ["0.1", "0.2"], "0.3"),
        ("ratio", ["1", "0"], None),
        ("change", ["1", "many"], None),
    ],
)
def test_operations_are_exact(operation, operands, number):
    """Decimal, rounded where it divides; nothing where it cannot be computed."""
    assert compute(operation, operands) == number


def test_number_is_computed_when_the_answer_is_lifted():
    """The fallback gives operands; the number follows from them."""
    draft = QuestionFallback().draft(
        REPORT, {"question": "What was the percentage change in revenue from 2020 to 2021?"}
    )
    assert draft is not None
    field = get_unit("answer_question").fields["answer"]
    value = lift(field.annotation, draft.value).value
    assert (value["number"], value["scale"], value["spans"]) == ("25.00", "percent", [])


JUDGMENT = "孟某于2019年3月2日与柏某签订《租赁合同》，约定月租金为3500元。2020年5月，柏某起诉。"


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ("双方约定的月租金是多少？", ["3500元"]),
        ("双方签订了什么合同？", ["孟某于2019年3月2日与柏某签订《租赁合同》"]),
    ],
)
def test_chinese_questions_are_answered_from_clauses(question, quoted):
    """Figures where the question asks for figures, else the rest of the clause most like it."""
    assert solved(question, text=JUDGMENT)[0] == quoted


def test_chinese_question_on_time_takes_the_date_of_the_likest_clause():
    """The date of signing is among what is quoted."""
    assert "2019年3月2日" in solved("孟某与柏某何时签订合同？", text=JUDGMENT)[0]
