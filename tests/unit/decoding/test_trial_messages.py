"""What crosses to the process that tries constraints, and back."""

import io
from types import MappingProxyType

import pytest

from assay.decoding.trial_messages import (
    constraint_from_json,
    constraint_to_json,
    encode,
    error_from_json,
    error_to_json,
    read_message,
    write_message,
)
from assay.errors import AssayError, InvalidGrammarError, UnsupportedKeywordError
from assay.types import JsonConstraint, LarkConstraint, RegexConstraint, Source


def sent(message):
    """What the other side reads of `message`."""
    pipe = io.BytesIO()
    write_message(pipe, encode(message))
    pipe.seek(0)
    return read_message(pipe)


@pytest.mark.parametrize(
    "constraint",
    [
        JsonConstraint(
            {"properties": {"b": {"const": 1e400}, "a": {"enum": ["甲", "\ud800"]}}},
            (Source("One. Two.\u2028", (5,)), Source("")),
        ),
        RegexConstraint(r"\d+\x00"),
        LarkConstraint('start: "{\n"'),
    ],
    ids=["json", "regex", "lark"],
)
def test_constraints_arrive_as_they_were(constraint):
    arrived = constraint_from_json(sent(constraint_to_json(constraint)))
    assert arrived == constraint
    if isinstance(constraint, JsonConstraint):
        assert list(arrived.schema["properties"]) == ["b", "a"]


def test_schemas_in_other_mappings_can_be_sent():
    schema = MappingProxyType({"enum": (1, 2)})
    arrived = constraint_from_json(sent(constraint_to_json(JsonConstraint(schema))))
    assert arrived.schema == {"enum": [1, 2]}


@pytest.mark.parametrize(
    "error",
    [InvalidGrammarError("bad"), UnsupportedKeywordError("if at /a", remedy="take it out")],
    ids=["plain", "with remedy"],
)
def test_errors_arrive_with_their_type_message_and_remedy(error):
    arrived = error_from_json(sent(error_to_json(error)))
    assert type(arrived) is type(error)
    assert (arrived.message, arrived.remedy) == (error.message, error.remedy)


def test_errors_that_are_not_ours_say_what_they_were():
    arrived = error_from_json(sent(error_to_json(ZeroDivisionError("by zero"))))
    assert type(arrived) is AssayError
    assert "ZeroDivisionError('by zero')" in str(arrived)


@pytest.mark.parametrize("length", [0, 3, 4, 9])
def test_a_message_that_breaks_off_is_the_end(length):
    pipe = io.BytesIO()
    write_message(pipe, encode({"constraint": {"pattern": "a"}}))
    assert read_message(io.BytesIO(pipe.getvalue()[:length])) is None
