"""A unit's status is the honest sum of its fields'."""

from dataclasses import replace

import pytest

from assay.types import AnswerPath, ErrorInfo, FieldResult, Status, Usage
from assay.units.outcome import unit_result


def field(status, confidence=0.5, value="x"):
    error = ErrorInfo("capacity", "no room") if status is Status.ERROR else None
    found = value if status in (Status.OK, Status.AMBIGUOUS) else None
    return FieldResult(status, found, (), confidence, AnswerPath.MODEL, error)


OK, ABSENT, AMBIGUOUS, ERROR = (
    field(Status.OK, 0.9),
    field(Status.ABSENT, 0.4),
    field(Status.AMBIGUOUS, 0.6),
    field(Status.ERROR, 0.0),
)


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ([OK, OK], Status.OK),
        ([OK, ABSENT], Status.OK),
        ([ABSENT, ABSENT], Status.ABSENT),
        ([OK, AMBIGUOUS], Status.AMBIGUOUS),
        ([OK, ERROR], Status.PARTIAL),
        ([ABSENT, ERROR], Status.PARTIAL),
        ([ERROR, ERROR], Status.ERROR),
    ],
)
def test_statuses_add_up(fields, status):
    result = unit_result({str(i): item for i, item in enumerate(fields)}, Usage())
    assert result.status is status
    assert (result.error is not None) is (ERROR in fields)


def test_the_value_keeps_absent_fields_as_null():
    assert unit_result({"a": OK, "b": ABSENT}, Usage()).value == {"a": "x", "b": None}


def test_nothing_found_has_no_value():
    assert unit_result({"a": ABSENT}, Usage()).value is None


def test_the_confidence_is_the_least_of_the_answered_fields():
    result = unit_result({"a": OK, "b": AMBIGUOUS, "c": ABSENT}, Usage())
    assert result.confidence == 0.6


def test_what_is_withheld_is_said_of_a_unit_without_any_answer():
    withheld = replace(ABSENT, error=ErrorInfo("below_min_precision", "not sure enough"))
    assert unit_result({"a": withheld, "b": ABSENT}, Usage()).error.code == "below_min_precision"
    partly = unit_result({"a": withheld, "b": OK}, Usage())
    assert (partly.status, partly.error) == (Status.OK, None)
    assert partly.fields["a"].error is not None
