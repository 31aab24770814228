"""Which constraints are tried in a process of their own before they are compiled."""

import time

import pytest

from assay.decoding.matcher import compile_constraint
from assay.decoding.risk import is_at_risk, spelled_out
from assay.types import JsonConstraint, LarkConstraint, RegexConstraint, Source

WORD = {"type": "string", "x-verbatim": "word"}
SENTENCE = {"type": "string", "x-verbatim": "sentence"}


def closed(properties):
    return {"type": "object", "properties": properties, "required": list(properties)}


INVOICE = closed(
    {
        "number": {"type": "string", "pattern": "^[A-Z]{2,4}-[0-9]{1,10}$", "maxLength": 40},
        "date": {"type": "string", "format": "date"},
        "currency": {"enum": ["EUR", "USD", "GBP", "CNY"]},
        "total": {"type": "number", "minimum": 0, "multipleOf": 0.01},
        "lines": {
            "type": "array",
            "maxItems": 1000,
            "items": closed({"text": {"type": "string"}, "amount": {"type": "number"}}),
        },
        "paid": {"anyOf": [{"type": "boolean"}, {"type": "null"}]},
    }
)


@pytest.mark.parametrize(
    "constraint",
    [
        JsonConstraint(INVOICE),
        JsonConstraint({"oneOf": [closed({"kind": {"const": i}}) for i in range(40)]}),
        JsonConstraint(closed({f"field_{i}": {"type": "string"} for i in range(150)})),
        JsonConstraint(closed({"a": WORD, "b": WORD}), (Source("some words " * 2000),)),
        JsonConstraint(SENTENCE, tuple(Source(f"{day} May 2031") for day in range(31))),
        RegexConstraint(r"[A-Z]{2}\d{2}( ?[A-Z0-9]{4}){2,7}"),
        LarkConstraint('start: "yes" | "no" | /[0-9]{1,9}/'),
    ],
    ids=["invoice", "union", "wide", "words", "values", "regex", "lark"],
)
def test_ordinary_constraints_are_not_at_risk(constraint):
    assert not is_at_risk(constraint)


def twice(limit, lightest):
    """A pair: just under a limit, and twice as much."""
    return lightest(limit), lightest(2 * limit)


EDGES = {
    "values": twice(900, lambda n: JsonConstraint({"enum": list(range(n))})),
    "text": twice(90_000, lambda n: JsonConstraint({"const": "a" * n})),
    "names": twice(
        25,
        lambda n: JsonConstraint(
            {"type": "object", "patternProperties": {f"^{i:03d}_": {} for i in range(n)}}
        ),
    ),
    "intersections": twice(
        20,
        lambda n: JsonConstraint(
            {"allOf": [{"anyOf": [{"const": i} for i in range(n)]}, {"type": "integer"}]}
        ),
    ),
    "multiple": twice(9000, lambda n: JsonConstraint({"type": "integer", "multipleOf": n})),
    "repetitions": twice(
        15_000, lambda n: JsonConstraint({"type": "string", "pattern": f"^a{{{n}}}$"})
    ),
    "lengths": twice(
        40,
        lambda n: JsonConstraint(
            closed({f"p{i}": {"type": "string", "maxLength": 1_000_000 + i} for i in range(n)})
        ),
    ),
    "regex": twice(9_000, lambda n: RegexConstraint(f"(a{{{n // 10}}}){{10}}")),
    "rules": twice(1_500, lambda n: LarkConstraint(f'start: "{"a" * n}"')),
    "characters": twice(40_000, lambda n: JsonConstraint(WORD, (Source("a " * (n // 2)),))),
    "sources": twice(180, lambda n: JsonConstraint(WORD, (Source("a word"),) * n)),
    "sentences": twice(
        900, lambda n: JsonConstraint(SENTENCE, (Source("a " * n, tuple(range(2, 2 * n, 2))),))
    ),
    "bounds": twice(
        9,
        lambda n: JsonConstraint(
            closed({f"p{i}": {**WORD, "maxLength": 10 + i} for i in range(n)}),
            (Source("word " * 1000),),
        ),
    ),
    "leaves": twice(
        7,
        lambda n: JsonConstraint(
            closed({f"p{i}": WORD for i in range(n)}), (Source("word " * 9000),)
        ),
    ),
    "least": twice(
        150, lambda n: JsonConstraint({**WORD, "minLength": n}, (Source("some words " * 900),))
    ),
    "word": twice(1_900, lambda n: JsonConstraint(WORD, (Source(f"a word, {'ab' * (n // 2)}"),))),
}


@pytest.mark.parametrize(("below", "above"), EDGES.values(), ids=EDGES)
def test_each_measure_has_its_limit(below, above):
    assert not is_at_risk(below)
    assert is_at_risk(above)


@pytest.mark.parametrize("below", [below for below, _ in EDGES.values()], ids=EDGES)
def test_what_is_just_below_a_limit_compiles_in_a_fraction_of_a_second(vocabulary, below):
    started = time.thread_time()
    compile_constraint(below, vocabulary)
    assert time.thread_time() - started < 1.0


def test_schemas_and_operators_within_lark_are_at_risk():
    assert is_at_risk(LarkConstraint('start: %json {"type": "integer", "multipleOf": 1000003}'))
    assert is_at_risk(LarkConstraint("start: A\nA: /.*a.{12}/ & /.*b.{12}/"))


def cyclic():
    schema: dict = {"type": "array"}
    schema["items"] = schema
    return schema


@pytest.mark.parametrize(
    "schema",
    [
        cyclic(),
        {"multipleOf": 10**5000},
        {"multipleOf": float("nan"), "minItems": float("inf"), "maxItems": -(10**400)},
        {"pattern": 3, "format": [], "anyOf": 7, "patternProperties": [], "x-verbatim": {}},
        {1: {2: object()}},
        {"pattern": "(" * 1_000_000},
        {"pattern": "a{999999999}" * 100},
        {"properties": dict.fromkeys(map(str, range(300_000)), True)},
    ],
    ids=["cyclic", "large", "infinite", "types", "keys", "pattern", "counts", "properties"],
)
def test_it_is_cheap_and_fails_for_nothing(schema):
    started = time.thread_time()
    is_at_risk(JsonConstraint(schema))
    assert time.thread_time() - started < 0.5


@pytest.mark.parametrize(
    ("pattern", "length"),
    [
        ("abc", 3),
        ("a(bc{3}){2}", 9),
        (r"\d{4}-\d{2,3}", 8),
        (r"[^\]x{9}]{5}", 5),
        (r"\{{3}", 3),
        ("((a{1,100}){100}", 10_000),
        (")))(((", 3),
    ],
)
def test_counted_repetitions_are_written_out(pattern, length):
    assert spelled_out(pattern) == length
