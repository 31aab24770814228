"""What can be told of two schemas without an instance."""

from __future__ import annotations

import pytest

from assay.decoding.disjoint import admits_null, are_disjoint, types_of

ROOT = {
    "$defs": {
        "maybe": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "loop": {"$ref": "#/$defs/loop"},
        "a": {"type": "object", "properties": {"k": {"const": "a"}}, "required": ["k"]},
        "b": {"type": "object", "properties": {"k": {"enum": ["b", "c"]}}, "required": ["k"]},
        "free": {"type": "object", "properties": {"k": {"const": "f"}}},
        "free too": {"type": "object", "properties": {"k": {"const": "g"}}},
    }
}
REF = "#/$defs/"


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"type": "null"}, True),
        ({"type": ["string", "null"]}, True),
        ({"type": ["string", "null"], "enum": ["a"]}, False),
        ({"enum": ["a", None]}, True),
        ({"const": None}, True),
        ({"$ref": REF + "maybe"}, True),
        ({"$ref": REF + "loop"}, False),
        ({"allOf": [{"$ref": REF + "maybe"}]}, True),
        ({"allOf": [{"type": "null"}, {"type": "string"}]}, False),
        ({"type": "string"}, False),
        ({"type": "string", "anyOf": [{"type": "null"}]}, False),
        ({}, True),
        (True, True),
        (False, False),
    ],
)
def test_admits_null(schema, expected):
    assert admits_null(ROOT, schema) is expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({"type": "string"}, {"type": "null"}, True),
        ({"type": "integer"}, {"type": "number"}, False),
        ({"const": 1}, {"const": 1.0}, False),
        ({"const": 1.0}, {"type": "integer"}, False),
        ({"const": 1}, {"const": 2}, True),
        ({"const": "a"}, {"type": "string"}, False),
        ({"$ref": REF + "a"}, {"$ref": REF + "b"}, True),
        ({"$ref": REF + "a"}, {"$ref": REF + "a"}, False),
        ({"$ref": REF + "a"}, {"$ref": REF + "free"}, True),
        ({"$ref": REF + "free too"}, {"$ref": REF + "free"}, False),
        ({"type": "object"}, {"$ref": REF + "a"}, False),
        ({}, {"type": "string"}, False),
        (False, {}, True),
    ],
)
def test_disjoint_is_said_only_where_it_is_certain(first, second, expected):
    assert are_disjoint(ROOT, [first, second]) is expected


def test_constants_leave_their_types_open():
    assert types_of({"enum": ["a", 1.5, None, [], {}]}) == {
        "string", "number", "null", "array", "object",
    }  # fmt: skip
    assert types_of({"const": True}) == {"boolean"}
