"""Verbatim leaves: only spans of a source, wherever in the schema they stand."""

from __future__ import annotations

import json

import pytest

from assay.decoding.grammar import to_lark
from assay.decoding.matcher import compile_constraint
from assay.errors import InvalidGrammarError, UnsupportedKeywordError
from assay.types import JsonConstraint, LarkConstraint, Source

WORD = {"type": "string", "x-verbatim": "word"}
NULL = {"type": "null"}
SOURCES = (
    Source('The "Buyer" shall pay\nUSD 1,250.00 to A\\B 😀.', (22,)),
    Source("第三条：本合同\u2028由“甲方”签署。"),
)


def dump(value):
    return json.dumps(value, ensure_ascii=False)


def obj(required=None, **properties):
    names = list(properties) if required is None else required
    return {"type": "object", "properties": properties, "required": names}


@pytest.mark.parametrize(
    "value",
    [
        "The",
        'The "Buyer"',
        '"',
        "pay\nUSD 1,250.00",
        "A\\B 😀.",
        "\\",
        "本合同\u2028由“",
        SOURCES[1].text,
    ],
)
def test_a_run_of_words_of_one_source_is_a_value(accepts, value):
    assert accepts(JsonConstraint(WORD, SOURCES), dump(value))


@pytest.mark.parametrize(
    "value",
    [
        "", " ", "Th", "he", "1,250", "250.00", "1", "The ", " shall", "pay\n", "\nUSD", "由 ",
        "the", "The shall", "😀.第三条", "Buyer\\", "\u2028由",
    ],
)  # fmt: skip
def test_nothing_else_is(accepts, value):
    assert not accepts(JsonConstraint(WORD, SOURCES), dump(value))


@pytest.mark.parametrize(
    ("value", "legal"), [("uye", True), ("e ", False), ("😀", True), ("n\nU", False)]
)
def test_char_spans_start_anywhere_but_at_whitespace(accepts, value, legal):
    leaf = {"type": "string", "x-verbatim": "char"}
    assert accepts(JsonConstraint(leaf, SOURCES), dump(value)) is legal


def test_sentence_spans_keep_to_the_boundaries(accepts):
    constraint = JsonConstraint({"type": "string", "x-verbatim": "sentence"}, SOURCES)
    assert accepts(constraint, dump('The "Buyer" shall pay'))
    assert accepts(constraint, dump("USD 1,250.00 to A\\B 😀."))
    assert accepts(constraint, dump(SOURCES[0].text))
    assert not accepts(constraint, dump("USD 1,250.00"))
    assert not accepts(constraint, dump('The "Buyer" shall pay\n'))


def test_a_sentence_is_forced_once_it_is_distinguished(vocabulary, tokenize):
    constraint = JsonConstraint({"type": "string", "x-verbatim": "sentence"}, SOURCES)
    matcher = compile_constraint(constraint, vocabulary)
    for token in tokenize('"T'):
        matcher.advance(token)
    forced = vocabulary.decode(matcher.forced_tokens()).decode()
    assert forced.startswith('he \\"Buyer\\" shall pay')


@pytest.mark.parametrize(
    ("bounds", "legal", "illegal"),
    [
        ({"maxLength": 3}, ["The", "由", "😀."], ["pay\nUSD", "shall"]),
        ({"minLength": 5}, ["shall", "第三条：本"], ["The", "第三条：", "\\"]),
        ({"maxLength": 1}, ["\\", "😀", "第"], ["The", "第三"]),
        ({"minLength": 2, "maxLength": 2}, ["第三", "to", "😀."], ["第", "The"]),
    ],
)
def test_length_bounds_count_characters(accepts, bounds, legal, illegal):
    constraint = JsonConstraint({**WORD, **bounds}, SOURCES)
    assert [v for v in legal if not accepts(constraint, dump(v))] == []
    assert [v for v in illegal if accepts(constraint, dump(v))] == []


def test_properties_come_in_declared_order_and_no_others(accepts):
    constraint = JsonConstraint(obj(a=WORD, b={"type": "integer"}), SOURCES)
    assert accepts(constraint, '{"a": "The", "b": 1}')
    assert not accepts(constraint, '{"b": 1, "a": "The"}')
    assert not accepts(constraint, '{"a": "The", "b": 1, "c": 2}')
    assert not accepts(constraint, '{"a": "The"}')


def test_an_optional_property_may_be_left_out_unless_it_can_be_null(accepts):
    schema = obj(["b"], a=WORD, b={"type": "boolean"}, c={"anyOf": [WORD, NULL]}, d=WORD)
    constraint = JsonConstraint(schema, SOURCES)
    assert accepts(constraint, '{"b": true, "c": null}')
    assert accepts(constraint, '{"a": "The", "b": true, "c": "to", "d": "pay"}')
    assert accepts(constraint, '{"b": true, "c": null, "d": "pay"}')
    assert not accepts(constraint, '{"b": true}')
    assert not accepts(constraint, '{, "b": true, "c": null}')


def test_an_optional_constant_is_always_there(accepts):
    constraint = JsonConstraint(obj(["a"], kind={"const": "k"}, a=WORD), SOURCES)
    assert accepts(constraint, '{"kind": "k", "a": "The"}')
    assert not accepts(constraint, '{"a": "The"}')


def test_odd_property_names_are_written_as_json(accepts):
    names = ['q"\\', "a\nb", "é\u2028", "\x7f\x01", "", "/~"]
    constraint = JsonConstraint(obj(**dict.fromkeys(names, WORD)), SOURCES)
    assert accepts(constraint, dump(dict.fromkeys(names, "The")))


@pytest.mark.parametrize(
    ("least", "most", "legal"),
    [
        (0, None, {0, 1, 2, 3, 5}),
        (2, 3, {2, 3}),
        (1, 1, {1}),
        (0, 0, {0}),
        (0, 1, {0, 1}),
        (3, None, {3, 5}),
    ],
)
def test_item_counts_are_kept(accepts, least, most, legal):
    schema = {"type": "array", "items": WORD, "minItems": least}
    if most is not None:
        schema["maxItems"] = most
    constraint = JsonConstraint(schema, SOURCES)
    assert {n for n in (0, 1, 2, 3, 5) if accepts(constraint, dump(["The"] * n))} == legal


def test_references_may_be_recursive(accepts):
    node = obj(["name"], name=WORD, parts={"type": "array", "items": {"$ref": "#/$defs/node"}})
    constraint = JsonConstraint({"$ref": "#/$defs/node", "$defs": {"node": node}}, SOURCES)
    assert accepts(
        constraint, '{"name": "The", "parts": [{"name": "to"}, {"name": "pay", "parts": []}]}'
    )
    assert not accepts(constraint, '{"name": "The", "parts": [{"name": "too"}]}')


@pytest.mark.parametrize("kind", ["anyOf", "oneOf"])
def test_alternatives_told_apart_by_a_constant(accepts, kind):
    one = obj(kind={"const": "party"}, name=WORD)
    two = obj(kind={"const": "sum"}, amount=WORD, currency={"enum": ["USD", "CNY"]})
    schema = {kind: [{"$ref": "#/$defs/one"}, {"$ref": "#/$defs/two"}, NULL]}
    constraint = JsonConstraint({**schema, "$defs": {"one": one, "two": two}}, SOURCES)
    assert accepts(constraint, '{"kind": "party", "name": "Buyer"}')
    assert accepts(constraint, '{"kind": "sum", "amount": "1,250.00", "currency": "CNY"}')
    assert accepts(constraint, "null")
    assert not accepts(constraint, '{"kind": "sum", "name": "Buyer"}')
    assert not accepts(constraint, '{"kind": "sum", "amount": "1,250.00", "currency": "EUR"}')


def test_a_verbatim_value_beside_other_strings(accepts):
    """The start of another string does not swallow the quote of a verbatim value."""
    schema = {"anyOf": [WORD, {"enum": ["Through", "n/a"]}, {"type": "integer"}]}
    constraint = JsonConstraint(schema, SOURCES)
    for value in ("The", "to", "Through", "n/a", 5):
        assert accepts(constraint, dump(value)), value
    assert not accepts(constraint, '"Thr"')


def test_a_list_of_types_may_hold_a_verbatim_string(accepts):
    constraint = JsonConstraint({**WORD, "type": ["string", "null", "integer"]}, SOURCES)
    for text in ('"The"', "null", "12"):
        assert accepts(constraint, text)
    assert not accepts(constraint, '"They"')


def test_other_leaves_keep_their_constraints(accepts):
    schema = obj(
        a=WORD,
        n={"type": "integer", "minimum": 3},
        s={"type": "string", "pattern": "^[a-z]+$", "maxLength": 3},
        d={"$ref": "#/definitions/day"},
        o=obj(x={"type": "boolean"}),
        m={"type": "object", "additionalProperties": {"type": "integer"}},
    )
    schema["definitions"] = {"day": {"type": "string", "format": "date"}}
    constraint = JsonConstraint(schema, SOURCES)
    answer = {"a": "The", "n": 3, "s": "abc", "d": "2024-02-29", "o": {"x": True}, "m": {"k": 1}}
    assert accepts(constraint, dump(answer))
    for wrong in ({"n": 2}, {"s": "abcd"}, {"d": "2023-02-29"}, {"o": {"x": 1}}, {"m": {"k": "v"}}):
        assert not accepts(constraint, dump(answer | wrong)), wrong
    assert not accepts(constraint, dump(answer | {"o": {"x": True, "y": 1}}))


@pytest.mark.parametrize("sources", [(), (Source(""),), (Source(" \n\u3000"), Source(""))])
def test_with_nothing_to_copy_only_absence_remains(accepts, vocabulary, sources):
    nullable = {"anyOf": [WORD, NULL]}
    schema = obj(["a", "c"], a=nullable, b=WORD, c={"type": "array", "items": WORD})
    matcher = compile_constraint(JsonConstraint(schema, sources), vocabulary)
    assert vocabulary.decode(matcher.forced_tokens()) == b'{"a": null, "c": []}'
    with pytest.raises(InvalidGrammarError, match="nothing to copy"):
        compile_constraint(JsonConstraint(obj(a=WORD), sources), vocabulary)


@pytest.mark.parametrize(
    ("keyword", "place", "schema"),
    [
        ("pattern", "the root", {**WORD, "pattern": "a"}),
        ("enum", "the root", {**WORD, "enum": ["a"]}),
        ("additionalProperties", "the root", {**obj(a=WORD), "additionalProperties": WORD}),
        ("patternProperties", "the root", {"type": "object", "patternProperties": {"a": WORD}}),
        ("prefixItems", "the root", {"type": "array", "prefixItems": [WORD]}),
        ("uniqueItems", "/items", {"type": "array", "items": {**WORD, "uniqueItems": True}}),
        ("minProperties", "/properties/a", obj(a={**obj(b=WORD), "minProperties": 1})),
        ("required", "the root", obj(["a", "z"], a=WORD)),
        ("allOf", "the root", {"allOf": [WORD, {"maxLength": 5}]}),
        ("oneOf", "the root", {"oneOf": [WORD, {"type": "string"}]}),
        ("properties", "the root", {"anyOf": [WORD, NULL], "properties": {}}),
        ("not", "/items", {"type": "array", "items": {**WORD, "not": {"const": "a"}}}),
        ("$id", "/properties/a", obj(a={"$id": "x", **WORD})),
    ],
)  # fmt: skip
def test_what_cannot_be_grounded_is_refused_by_name_and_place(keyword, place, schema):
    with pytest.raises(UnsupportedKeywordError) as caught:
        to_lark(JsonConstraint(schema, SOURCES))
    assert caught.value.message.startswith(f"{keyword} at {place} of the schema")


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "x-verbatim": "line"},
        {"type": "integer", "x-verbatim": "word"},
        {**WORD, "maxLength": 0},
        {**WORD, "maxLength": "5"},
        {"type": "array", "items": WORD, "minItems": -1},
        {"anyOf": [], "properties": {"a": WORD}},
        {"$ref": "#/$defs/none", "$defs": {"a": WORD}},
    ],
)
def test_malformed_schemas_are_refused(schema):
    with pytest.raises((InvalidGrammarError, UnsupportedKeywordError)):
        to_lark(JsonConstraint(schema, SOURCES))


def test_the_lark_text_alone_is_the_whole_constraint(accepts):
    """What is sent to another back end means the same there."""
    schema = obj(a=WORD, b={"type": "string", "maxLength": 2})
    sent = LarkConstraint(to_lark(JsonConstraint(schema, SOURCES)))
    assert accepts(sent, dump({"a": 'The "Buyer"', "b": "ab"}))
    assert not accepts(sent, dump({"a": "The Buyer", "b": "ab"}))


def sentences(count):
    pieces = [f"Clause {i} binds party {i % 7}." for i in range(count)]
    text = "  ".join(pieces)
    ends = tuple(i + 3 for i in range(len(text) - 3) if text[i : i + 3] == ".  ")
    return pieces, Source(text, ends)


def test_runs_of_sentences_cross_the_blocks_they_are_chained_in(accepts):
    pieces, source = sentences(200)
    constraint = JsonConstraint({"type": "string", "x-verbatim": "sentence"}, (source,))
    for start, stop in ((0, 1), (63, 64), (60, 124), (120, 130), (190, 200), (199, 200)):
        assert accepts(constraint, dump("  ".join(pieces[start:stop]))), (start, stop)
    assert not accepts(constraint, dump(pieces[3] + "  " + pieces[5]))
    assert not accepts(constraint, dump(pieces[3] + "  "))


def test_sentences_keep_to_their_length_bounds(accepts):
    pieces, source = sentences(20)
    leaf = {"type": "string", "x-verbatim": "sentence", "minLength": 30, "maxLength": 50}
    constraint = JsonConstraint(leaf, (source,))
    assert accepts(constraint, dump("  ".join(pieces[4:6])))
    assert not accepts(constraint, dump(pieces[4]))
    assert not accepts(constraint, dump("  ".join(pieces[4:7])))


def test_a_leaf_that_no_run_is_short_or_long_enough_for_is_impossible(accepts):
    source = Source("A rather long sentence. Another long one.", (24,))
    leaf = {"type": "string", "x-verbatim": "sentence"}
    for bounds in ({"maxLength": 16}, {"minLength": 100}):
        nullable = {"anyOf": [{**leaf, **bounds}, NULL]}
        assert accepts(JsonConstraint(nullable, (source,)), "null")
        with pytest.raises(InvalidGrammarError, match="nothing to copy"):
            accepts(JsonConstraint({**leaf, **bounds}, (source,)), "")


def test_a_very_long_sentence_costs_no_more_than_a_short_one(vocabulary, tokenize):
    """Forced as a whole from its first token, in a fraction of a second."""
    text = "Whereas " + "the parties agree, " * 1000 + "now."
    leaf = {"type": "string", "x-verbatim": "sentence"}
    matcher = compile_constraint(JsonConstraint(leaf, (Source(text),)), vocabulary)
    assert vocabulary.decode(matcher.forced_tokens()).decode() == dump(text)
