"""How deep the rules of a grammar lead into each other."""

import pytest

from assay.decoding.matcher import compile_constraint
from assay.decoding.rule_depth import rule_depth
from assay.errors import GrammarTooComplexError
from assay.types import JsonConstraint, LarkConstraint, Source


def chain(length: int, body: str = '"x" a{}') -> str:
    rules = [f"a{i}: {body.format(i + 1)}\n" for i in range(length)]
    return "start: a0\n" + "".join(rules) + f'a{length}: "z"\n'


def test_a_chain_is_as_deep_as_it_is_long():
    assert rule_depth(chain(40)) == 42
    assert rule_depth('start: "a"\n') == 1


def test_rules_side_by_side_are_not_deep():
    names = [f"T{i}" for i in range(500)]
    lark = "start: " + " | ".join(names) + "\n" + "".join(f'{name}: "x"\n' for name in names)
    assert rule_depth(lark) == 2


def test_a_circle_ends():
    assert rule_depth('start: a\na: b | "x"\nb: a start\n') == 3


@pytest.mark.parametrize(
    "body",
    ['"b" c', '/b "/ c', 'c // b "\n', '"\\"" c "b"', '%json {"b": "b"} c'],
    ids=["string", "regex", "comment", "escape", "json"],
)
def test_names_in_strings_and_patterns_lead_nowhere(body):
    assert rule_depth(f'start: {body}\nb: d\nd: "e"\nc: "f"\n') == 2


def test_a_rule_over_several_lines_is_one():
    assert rule_depth('start: "x"\n  | "y"\n  | b\na: "y"\nb[capture]: a\n') == 3
    assert rule_depth('start: b{2}\nb.3 :\n  a\na[max_tokens=3]: "y"\n') == 3


@pytest.mark.parametrize(
    "constraint",
    [
        LarkConstraint(chain(4000)),
        LarkConstraint(chain(4000, '"x" a{0} | "y" a{0} a{0}')),
        LarkConstraint(chain(8000).replace("a", "A").replace("stArt", "start")),
        JsonConstraint(
            {
                "type": "object",
                "properties": {f"k{i}": {"x-verbatim": "word"} for i in range(700)},
                "additionalProperties": False,
            },
            (Source("some text"),),
        ),
        JsonConstraint(
            {
                "$defs": {
                    **{f"d{i}": {"$ref": f"#/$defs/d{i + 1}"} for i in range(600)},
                    "d600": {"type": "string", "x-verbatim": "word"},
                },
                "$ref": "#/$defs/d0",
            },
            (Source("some text"),),
        ),
    ],
    ids=["rules", "branching rules", "terminals", "properties", "references"],
)
def test_grammars_that_would_overflow_the_native_stack_are_refused(vocabulary, constraint):
    with pytest.raises(GrammarTooComplexError, match="deep"):
        compile_constraint(constraint, vocabulary)


def test_objects_of_hundreds_of_properties_are_taken(vocabulary):
    schema = {
        "type": "object",
        "properties": {f"k{i}": {"x-verbatim": "word"} for i in range(250)},
        "additionalProperties": False,
    }
    compile_constraint(JsonConstraint(schema, (Source("some text"),)), vocabulary)
