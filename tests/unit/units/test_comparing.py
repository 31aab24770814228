"""Units that compare and validate: operands copied, results computed."""

import asyncio

import pytest

from assay.analysis import AsyncAnalyzer
from assay.backends.scripted import ScriptedBackend
from assay.errors import CapacityError
from assay.types import Status
from assay.units import Task, get_unit

POLICY = """Schedule. The annual premium is USD 1,840.00. The deductible is $500 per claim, and the
sum insured $250,000. Co-insurance of 20% applies. Claims are to be reported within 30 days.
The policy runs for one (1) year from 2024-03-01 and may be ended on two months' notice; the notice
given on 5 April 2024 was late."""
CHINESE = "本保险的免赔额为人民币500元，保险金额为25万元。保险期间为一年，等待期为90天。"


def run(name: str, text: str = POLICY, **arguments):
    task = Task(get_unit(name), arguments)

    async def work():
        async with AsyncAnalyzer(
            backend=ScriptedBackend(CapacityError("full") for _ in range(9))
        ) as analyzer:
            return await analyzer.analyze(text.encode(), units=[task])

    return asyncio.run(work()).results[name]


@pytest.mark.parametrize(
    ("what", "low", "high", "quote", "standing"),
    [
        ("deductible", None, "400", "$500", "above"),
        ("deductible", "500", "500", "$500", "within"),
        ("annual premium", "2000", None, "USD 1,840.00", "below"),
        ("sum insured", "1", None, "$250,000", "within"),
        ("co-insurance", "10", "25", "20%", "within"),
    ],
)
def test_a_number_is_held_against_limits(what, low, high, quote, standing):
    limits = {name: value for name, value in (("low", low), ("high", high)) if value}
    result = run("compare_numeric_range", what=what, **limits)
    assert result.value["standing"] == standing
    assert {item.quote for item in result.evidence} == {quote}
    assert {item.pointer for item in result.evidence} >= {"/standing"}


def test_limits_may_be_asked_in_chinese():
    result = run("compare_numeric_range", CHINESE, what="免赔额", high="1000")
    assert (result.value["standing"], result.evidence[0].quote) == ("within", "人民币500元")
    result = run("compare_numeric_range", CHINESE, what="保险金额", high="200000")
    assert (result.value["standing"], result.value["value"]["number"]) == ("above", "250000")


def test_what_is_not_there_is_absent_and_compared_with_nothing():
    result = run("compare_numeric_range", what="royalty", low="1")
    assert (result.status, result.value) == (Status.ABSENT, None)


@pytest.mark.parametrize(
    ("first", "second", "order"),
    [
        ("reported within", "policy runs", "shorter"),
        ("policy runs", "reported within", "longer"),
        ("policy runs", "policy runs", "equal"),
    ],
)
def test_periods_are_ordered(first, second, order):
    result = run("compare_periods", first=first, second=second)
    assert result.value["first_is"] == order


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("The notice is 60 days. The grace is two months.", "undecided"),
        ("The notice is 58 days. The grace is two months.", "shorter"),
        ("The notice is 63 days. The grace is two months.", "longer"),
        ("The notice is 12 months. The grace is one year.", "equal"),
        ("The notice is 366 days. The grace is one year.", "undecided"),
    ],
)
def test_months_are_as_long_as_months_can_be(text, order):
    assert run("compare_periods", text, first="notice", second="grace").value["first_is"] == order


def test_dates_that_are_written_otherwise_are_named():
    result = run("validate_date_format")
    assert (result.value["valid"], result.value["violations"]) == (False, ["5 April 2024"])
    result = run("validate_date_format", "Signed 2024-03-01, due 2024-04-01.")
    assert (result.value["valid"], result.value["violations"]) == (True, [])


@pytest.mark.parametrize(
    ("date_format", "text", "valid"),
    [
        ("D MMMM YYYY", "On 5 April 2024.", True),
        ("MM/DD/YYYY", "On 04/15/2024.", True),
        ("DD/MM/YYYY", "On 04/15/2024.", False),
        ("YYYY年M月D日", "签于2024年3月1日。", True),
    ],
)
def test_a_format_of_ones_own(date_format, text, valid):
    assert run("validate_date_format", text, format=date_format).value["valid"] is valid
