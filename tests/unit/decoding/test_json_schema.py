"""JSON Schema without verbatim leaves: enforced to the letter or refused by name."""

from __future__ import annotations

import pytest

from assay.decoding.grammar import to_lark
from assay.errors import UnsupportedKeywordError
from assay.types import JsonConstraint


def closed(**properties):
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("schema", "valid", "invalid"),
    [
        (
            {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 3},
            ["[1, 2]", "[1, 2, 3]"],
            ["[1]", "[1, 2, 3, 4]", "[]"],
        ),
        (
            {"type": "string", "pattern": "^[a-z]+$", "maxLength": 3},
            ['"abc"'],
            ['"abcd"', '"A"', '""'],
        ),
        ({"type": "string", "maxLength": 2}, ['"😀é"', r'"\n\""'], ['"abc"', r'"\n\n\n"']),
        (
            {"enum": ['a"b', "c\nd", "x/y", "é\u2028", {"k": [1, None]}, 1.5]},
            [r'"a\"b"', r'"c\nd"', '"x/y"', '"é\u2028"', '{"k": [1, null]}', "1.5"],
            ['"c"', r'"x\/y"', r'"\u00e9"', '{"k":[1,null]}', "1.50"],
        ),
        (
            {
                "type": "object",
                "patternProperties": {"^v": {"type": "integer"}},
                "additionalProperties": False,
            },
            ['{"v1": 1}', "{}"],
            ['{"v1": "x"}', '{"w": 1}', r'{"\u0076": "x"}'],
        ),
        (
            {"type": "object", "properties": {"a": {"type": "integer"}}},
            ['{"a": 1, "b": "x"}', '{"b": 1}'],
            ['{"a": "x"}', r'{"\u0061": "x"}', '{"b": 1, "a": "x"}', '{"a": 1, "a": "x"}'],
        ),
        (
            {"type": "object", "properties": {"x/y": {"type": "integer"}}},
            ['{"x/y": 1}'],
            [r'{"x\/y": "no integer"}'],
        ),
        ({"type": "string", "format": "date"}, ['"2024-02-29"'], ['"2023-02-29"', '"1900-02-29"']),
        (
            {"type": "string", "format": "date", "pattern": "^2", "maxLength": 10},
            ['"2024-02-28"'],
            ['"1024-02-28"', '"2023-02-29"'],
        ),
        ({"type": "string", "format": "json-pointer"}, ['"/a~1b"', '""'], ['"a"', '"/~"']),
        ({"type": "string", "format": "time"}, ['"23:59:59Z"'], ['"22:59:60Z"']),
        ({"type": "string", "format": "hostname"}, ['"a-b.example"'], ['"xn--X"', '"-a"']),
        ({"type": "integer", "format": "int32"}, ["2147483647"], ["2147483648"]),
        ({"type": "string", "pattern": "^a.b$"}, ['"axb"'], [r'"a\rb"', r'"a\nb"', '"a\u2028b"']),
        ({"type": "string", "pattern": r"^\s[\s]$"}, ['" \u3000"'], ['" \x85"', '"\x85 "']),
        ({"type": "string", "pattern": r"^\W\D$"}, ['"-é"'], ['"é-"', '"-٣"', '"-3"']),
        ({"type": "string", "pattern": "^a\\x00?b$"}, ['"ab"'], [r'"a\u0000b"']),
        ({"type": "string", "pattern": "^a\\x00b$|^c$"}, ['"c"'], ['"ab"', r'"a\u0000b"']),
        ({"type": "string", "pattern": "^a[\\x7f]b$|^c$"}, ['"c"'], ['"ab"']),
        ({"type": "array", "items": {}, "uniqueItems": False}, ["[1, 1]"], ["1"]),
        (
            {"type": "object", "additionalProperties": {"type": "integer"}, "minProperties": 1},
            ['{"a": 1}'],
            ["{}", '{"a": "x"}'],
        ),
        (
            {"oneOf": [closed(k={"const": "a"}), closed(k={"const": "b"})]},
            ['{"k": "a"}', '{"k": "b"}'],
            ['{"k": "c"}'],
        ),
    ],
)
def test_valid_answers_are_written_and_invalid_ones_are_not(accepts, schema, valid, invalid):
    constraint = JsonConstraint(schema)
    assert [text for text in valid if not accepts(constraint, text)] == []
    assert [text for text in invalid if accepts(constraint, text)] == []


@pytest.mark.parametrize("space", [" ", "\n", "\t", "\n\n\n\n"])
def test_no_whitespace_is_written_beyond_the_canonical(accepts, space):
    """A model cannot flood an answer with blanks: none is legal besides one after , and :"""
    constraint = JsonConstraint(closed(a={"type": "integer"}, b={"type": "null"}))
    pieces = ["{", '"a":', " 1", ",", ' "b":', " null", "}"]
    assert accepts(constraint, "".join(pieces))
    for i in range(len(pieces) + 1):
        assert not accepts(constraint, "".join([*pieces[:i], space, *pieces[i:]]))


@pytest.mark.parametrize(
    ("keyword", "node"),
    [
        ("not", {"not": {"type": "string"}}),
        ("if", {"if": {"type": "string"}, "then": {"minLength": 2}}),
        ("uniqueItems", {"type": "array", "uniqueItems": True}),
        ("contains", {"type": "array", "contains": {"type": "null"}}),
        ("propertyNames", {"type": "object", "propertyNames": {"maxLength": 3}}),
        ("dependentRequired", {"dependentRequired": {"a": ["b"]}}),
        ("unevaluatedProperties", {"unevaluatedProperties": False}),
        ("$dynamicRef", {"$dynamicRef": "#a"}),
        ("contentEncoding", {"type": "string", "contentEncoding": "base64"}),
        ("format", {"type": "string", "format": "idn-email"}),
        ("format", {"type": "string", "format": "int32"}),
        ("$ref", {"$ref": "https://example.com/schema"}),
        ("const", {"const": "a\x00b"}),
        ("enum", {"enum": [{"k": ["\x7f"]}]}),
        ("minProperties", {"type": "object", "minProperties": 2}),
        ("oneOf", {"oneOf": [{"type": "string"}, {"maxLength": 3}]}),
    ],
)
def test_what_cannot_be_enforced_is_refused_by_name_and_place(accepts, keyword, node):
    schema = closed(**{"in": {"type": "array", "items": node}})
    with pytest.raises(UnsupportedKeywordError) as caught:
        accepts(JsonConstraint(schema), "")
    assert caught.value.message.startswith(f"{keyword} at /properties/in/items of the schema")


def test_names_and_data_are_not_taken_for_keywords(accepts):
    schema = closed(**{"not": {"enum": [{"if": 1, "format": "x"}]}, "if": {"const": {"not": 1}}})
    answer = '{"not": {"if": 1, "format": "x"}, "if": {"not": 1}}'
    assert accepts(JsonConstraint(schema), answer)


def test_unknown_words_are_annotations(accepts):
    schema = {"type": "integer", "x-unit": "EUR", "title": "t", "default": 5, "nullable": True}
    assert accepts(JsonConstraint(schema), "3")
    assert not accepts(JsonConstraint(schema), "null")


def test_the_schema_cannot_loosen_the_style():
    schema = {"type": "integer", "x-guidance": {"lenient": True, "whitespace_flexible": True}}
    lark = to_lark(JsonConstraint(schema))
    assert "lenient" not in lark
    assert '"whitespace_flexible": false' in lark
