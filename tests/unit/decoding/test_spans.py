"""From an answer back to the sources."""

from __future__ import annotations

import json

import pytest

from assay.decoding.spans import locate_spans
from assay.types import JsonConstraint, Source

WORD = {"type": "string", "x-verbatim": "word"}


def obj(**properties):
    return {"type": "object", "properties": properties, "required": list(properties)}


def locate(schema, answer, *sources, tokens=None):
    text = json.dumps(answer, ensure_ascii=False)
    constraint = JsonConstraint(schema, tuple(map(Source, sources)))
    return locate_spans(constraint, text, tokens or [bytes([b]) for b in text.encode()])


def test_offsets_are_code_points_of_the_source():
    (span,) = locate(obj(a=WORD), {"a": 'say\n"é"'}, "😀😀", '😀 say\n"é" e\u0301')
    assert (span.pointer, span.source, span.start, span.end) == ("/a", 1, 2, 9)


def test_the_first_of_several_places_is_given_and_all_are_counted():
    (span,) = locate(obj(a=WORD), {"a": "art"}, "party", "art, part, art", "art")
    assert (span.source, span.start, span.num_occurrences) == (1, 0, 3)


def test_places_count_only_at_the_granularity_of_the_leaf():
    schema = obj(a={**WORD, "x-verbatim": "char"})
    (span,) = locate(schema, {"a": "art"}, "party", "art, part")
    assert (span.source, span.start, span.num_occurrences) == (0, 1, 3)


def test_overlapping_places_are_all_counted():
    (span,) = locate({**WORD, "x-verbatim": "char"}, "aa", "aaaa")
    assert (span.pointer, span.num_occurrences) == ("", 3)


def test_tokens_of_a_value_cover_its_quotes():
    tokens = [b'{"a":', b' "Th', b"e", b'", "b', b'": "', b"\xc3", b'\xa9"', b"}", b"<end>"]
    first, second = locate(obj(a=WORD, b=WORD), {"a": "The", "b": "é"}, "The é", tokens=tokens)
    assert (first.first_token, first.last_token) == (1, 4)
    assert (second.first_token, second.last_token) == (4, 7)


def test_only_verbatim_leaves_have_spans_in_the_order_of_the_answer():
    schema = obj(
        a={"type": "string"},
        b={"type": "array", "items": {"$ref": "#/$defs/item"}},
        c={"anyOf": [WORD, {"type": "null"}]},
        d={"anyOf": [WORD, {"type": "null"}]},
    )
    schema["$defs"] = {"item": obj(**{"x/y": WORD, "note": {"enum": ["The"]}})}
    answer = {"a": "The", "b": [{"x/y": "to", "note": "The"}] * 2, "c": None, "d": "The"}
    spans = locate(schema, answer, "The to")
    assert [span.pointer for span in spans] == ["/b/0/x~1y", "/b/1/x~1y", "/d"]


def test_the_alternative_that_the_value_satisfies_decides():
    choice = {"anyOf": [obj(k={"const": "a"}, v=WORD), obj(k={"const": "b"}, v={"type": "string"})]}
    assert [s.pointer for s in locate(choice, {"k": "a", "v": "The"}, "The")] == ["/v"]
    assert locate(choice, {"k": "b", "v": "The"}, "The") == ()


def test_a_constant_beside_a_verbatim_value_is_no_span_unless_it_stands_in_a_source():
    schema = {"anyOf": [WORD, {"const": "n/a"}]}
    assert locate(schema, "n/a", "The") == ()
    assert [span.start for span in locate(schema, "n/a", "x n/a")] == [2]


def test_an_answer_without_verbatim_leaves_has_no_spans():
    assert locate(obj(a={"type": "string"}), {"a": "The"}, "The") == ()


@pytest.mark.parametrize(
    ("schema", "text", "tokens"),
    [
        (WORD, '"The', [b'"The']),
        (WORD, '"They"', [b'"They"']),
        (WORD, '"The "', [b'"The "']),
        (WORD, '"The"', [b'"Th']),
        ({"anyOf": [WORD, {"type": "null"}]}, '"They"', [b'"They"']),
        ({"type": "array", "items": WORD}, "[" * 100_000 + "]" * 100_000, [b"[" * 200_000]),
    ],
    ids=["incomplete", "invented", "blank at the end", "tokens", "no alternative", "depth"],
)
def test_what_is_no_answer_under_the_constraint_is_refused(schema, text, tokens):
    with pytest.raises(ValueError, match=r"."):
        locate_spans(JsonConstraint(schema, (Source("The"),)), text, tokens)
