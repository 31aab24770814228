"""The matcher: masks, forced runs, state, and every kind of constraint."""

from __future__ import annotations

import time

import numpy as np
import pytest

from assay.decoding.matcher import compile_constraint
from assay.errors import GrammarTooComplexError, InvalidGrammarError
from assay.types import JsonConstraint, LarkConstraint, RegexConstraint, Source

PERSON = {
    "type": "object",
    "properties": {"name": {"enum": ["Ann", "Bob"]}, "age": {"type": "integer"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}


def legal(matcher, vocabulary):
    row = np.zeros(vocabulary.num_mask_words, np.int32)
    matcher.fill_mask(row)
    return set(np.flatnonzero(np.unpackbits(row.view(np.uint8), bitorder="little")).tolist())


def test_keys_and_punctuation_are_forced(vocabulary, tokenize):
    matcher = compile_constraint(JsonConstraint(PERSON), vocabulary)
    assert vocabulary.decode(matcher.forced_tokens()) == b'{"name": "'
    for token in tokenize('{"name": "B'):
        matcher.advance(token)
    assert vocabulary.decode(matcher.forced_tokens()) == b'ob", "age": '


def test_forced_tokens_are_not_taken_until_advanced(vocabulary):
    matcher = compile_constraint(JsonConstraint(PERSON), vocabulary)
    assert matcher.forced_tokens() == matcher.forced_tokens() != []


def test_mask_holds_exactly_the_legal_tokens(vocabulary, tokenize):
    matcher = compile_constraint(LarkConstraint('start: "ab" | "cd"'), vocabulary)
    assert legal(matcher, vocabulary) == set(tokenize("ac"))


def test_end_is_legal_exactly_when_the_answer_is_complete(vocabulary, tokenize):
    matcher = compile_constraint(RegexConstraint("ab*"), vocabulary)
    end = set(vocabulary.eos_token_ids)
    assert not legal(matcher, vocabulary) & end
    assert not matcher.is_accepting
    matcher.advance(*tokenize("a"))
    assert legal(matcher, vocabulary) == end | set(tokenize("b"))
    assert matcher.is_accepting
    assert not matcher.is_finished
    matcher.advance(*end)
    assert matcher.is_finished


def test_illegal_token_changes_nothing(vocabulary, tokenize):
    matcher = compile_constraint(RegexConstraint("ab"), vocabulary)
    with pytest.raises(ValueError, match="not legal"):
        matcher.advance(*tokenize("b"))
    for token in tokenize("ab"):
        matcher.advance(token)
    assert matcher.is_finished


@pytest.mark.parametrize("pattern", ["ab", "ab+"])
def test_rollback_takes_back_tokens_and_the_end(vocabulary, tokenize, pattern):
    """One token, the end included, counts for one, whether or not more could have followed."""
    matcher = compile_constraint(RegexConstraint(pattern), vocabulary)
    for token in [*tokenize("ab"), vocabulary.eos_token_ids[0]]:
        matcher.advance(token)
    matcher.rollback(2)
    assert not matcher.is_accepting
    assert legal(matcher, vocabulary) == set(tokenize("b"))
    matcher.advance(*tokenize("b"))
    assert matcher.is_accepting


def test_tokens_advanced_together_are_taken_up_to_the_first_that_is_not_legal(vocabulary, tokenize):
    matcher = compile_constraint(RegexConstraint("abc"), vocabulary)
    with pytest.raises(ValueError, match="not legal"):
        matcher.advance(*tokenize("abx"))
    assert legal(matcher, vocabulary) == set(tokenize("c"))
    matcher.advance(*tokenize("c"), *vocabulary.eos_token_ids)
    matcher.rollback(2)
    assert legal(matcher, vocabulary) == set(tokenize("c"))


def test_copy_goes_its_own_way(vocabulary, tokenize):
    matcher = compile_constraint(RegexConstraint("ab"), vocabulary)
    other = matcher.copy()
    other.advance(*tokenize("a"))
    assert legal(matcher, vocabulary) == set(tokenize("a"))
    assert legal(other, vocabulary) == set(tokenize("b"))


@pytest.mark.parametrize(
    "row", [np.zeros(8, np.int32), np.zeros(9, np.int64), np.zeros(18, np.int32)[::2]]
)
def test_mask_row_of_wrong_shape_or_type_is_refused(vocabulary, row):
    matcher = compile_constraint(RegexConstraint("a"), vocabulary)
    with pytest.raises(ValueError, match="mask row"):
        matcher.fill_mask(row)


@pytest.mark.parametrize(
    ("constraint", "hint"),
    [
        (RegexConstraint("("), "unclosed group"),
        (RegexConstraint("(?=a)b"), "look-around"),
        (RegexConstraint("\ud800"), "surrogate"),
        (LarkConstraint("start: missing"), 'unknown name: "missing"'),
        (LarkConstraint('start: "a'), "line 1"),
        (JsonConstraint({"type": "strin"}), "Invalid type: strin"),
        (JsonConstraint({"type": "integer", "minimum": 3, "maximum": 2}), "Unsatisfiable"),
        (JsonConstraint({"$ref": "#"}), "admits nothing"),
        (JsonConstraint({"$ref": "#/$defs/missing"}), "missing"),
        (JsonConstraint({"enum": [object()]}), "not JSON"),
    ],
)
def test_malformed_constraints_say_what_is_wrong(vocabulary, constraint, hint):
    with pytest.raises(InvalidGrammarError) as caught:
        compile_constraint(constraint, vocabulary)
    assert hint in str(caught.value)


def test_dead_end_within_an_answer_is_a_typed_error(vocabulary, tokenize):
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/loop"}},
        "required": ["a"],
        "additionalProperties": False,
        "$defs": {"loop": {"$ref": "#/$defs/loop"}},
    }
    matcher = compile_constraint(JsonConstraint(schema), vocabulary)

    def write(text):
        for token in tokenize(text):
            matcher.advance(token)
            legal(matcher, vocabulary)

    with pytest.raises(InvalidGrammarError, match="dead end"):
        write('{"a": ')


def nested(step, depth):
    schema = {"type": "string"}
    for _ in range(depth):
        schema = step(schema)
    return JsonConstraint(schema)


def cyclic():
    schema = {"type": "array"}
    schema["items"] = schema
    return JsonConstraint(schema)


def shared(depth):
    schema = {"type": "null"}
    for _ in range(depth):
        schema = {"anyOf": [schema, schema]}
    return JsonConstraint(schema)


def bounded_many_times():
    """Leaves with a bound of its own each, for which every run of sentences is spelled out."""
    leaves = {
        f"k{i}": {"type": "string", "x-verbatim": "sentence", "maxLength": 3000 + i}
        for i in range(100)
    }
    sentences = Source("some words " * 4000, tuple(range(44, 44_000, 44)))
    return JsonConstraint({"type": "object", "properties": leaves}, (sentences,))


@pytest.mark.parametrize(
    "constraint",
    [
        RegexConstraint("(" * 30_000 + "a" + ")" * 30_000),
        LarkConstraint("start: " + "(" * 30_000 + '"a"' + ")" * 30_000),
        LarkConstraint('start: "' + "a" * 300_000 + '"'),
        JsonConstraint({"type": "string", "pattern": "(" * 30_000 + "a" + ")" * 30_000}),
        nested(lambda inner: {"oneOf": [inner, {"type": "null"}]}, 30_000),
        nested(lambda inner: {"type": "array", "items": inner}, 5_000),
        shared(40),
        cyclic(),
        JsonConstraint({"x-verbatim": "word"}, (Source("a" * 2_000_000),)),
        JsonConstraint({"x-verbatim": "char"}, (Source("a" * 250_000),)),
        JsonConstraint({"x-verbatim": "word"}, (Source("字" * 250_000),)),
        JsonConstraint({"x-verbatim": "word"}, (Source("a"),) * 5000),
        JsonConstraint(
            {"x-verbatim": "sentence"}, (Source("a " * 50_000, tuple(range(2, 100_000, 2))),)
        ),
        bounded_many_times(),
        JsonConstraint(
            {"properties": {"a": {"x-verbatim": "word"}, "b": {"pattern": "(" * 300 + ")" * 300}}},
            (Source("word " * 2000),),
        ),
    ],
    ids=[
        "regex", "lark", "long lark", "pattern", "oneOf", "arrays", "shared", "cyclic", "source",
        "characters", "ideographs", "sources", "sentences", "bounds",
        "pattern and source",
    ],
)  # fmt: skip
def test_bombs_are_refused_at_once(vocabulary, constraint):
    started = time.perf_counter()
    with pytest.raises((GrammarTooComplexError, InvalidGrammarError)):
        compile_constraint(constraint, vocabulary)
    assert time.perf_counter() - started < 1.0


def test_counted_repetitions_cost_no_more_than_they_are_worth(vocabulary, tokenize):
    """A million states are not built for a pattern that asks for a million characters."""
    started = time.perf_counter()
    matcher = compile_constraint(RegexConstraint("(a{1000}){1000}"), vocabulary)
    assert legal(matcher, vocabulary) == set(tokenize("a"))
    assert time.perf_counter() - started < 1.0


def test_nothing_is_printed(vocabulary, capfd):
    with pytest.raises(InvalidGrammarError):
        compile_constraint(RegexConstraint("("), vocabulary)
    compile_constraint(JsonConstraint({"type": "string", "format": "date"}), vocabulary)
    assert capfd.readouterr() == ("", "")
