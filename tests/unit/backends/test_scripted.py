"""ScriptedBackend: how a script is given, and what it is held to."""

import asyncio

import pytest

from assay.backends.scripted import ScriptedBackend
from assay.errors import CapacityError, UnsupportedKeywordError
from assay.types import (
    Generation,
    GenerationRequest,
    JsonConstraint,
    Message,
    RegexConstraint,
    SamplingParams,
    Source,
    Usage,
)

PARTY = {
    "type": "object",
    "properties": {
        "party": {"type": ["string", "null"], "x-verbatim": "word"},
        "n": {"type": "integer"},
    },
    "required": ["party", "n"],
    "additionalProperties": False,
}
CONSTRAINT = JsonConstraint(PARTY, (Source("Alder Mills, then Birch Works, then Alder Mills."),))


def request(constraint=None, **sampling) -> GenerationRequest:
    return GenerationRequest(
        (Message("user", "Who buys?"),), constraint, SamplingParams(**sampling)
    )


def ask(backend: ScriptedBackend, asked: GenerationRequest) -> Generation:
    return asyncio.run(backend.generate(asked))


def test_a_list_is_answered_in_order_and_its_end_is_an_error():
    backend = ScriptedBackend(["one", "two"])
    assert [ask(backend, request()).text for _ in range(2)] == ["one", "two"]
    with pytest.raises(ValueError, match="no answer to call 3"):
        ask(backend, request())


def test_a_function_sees_the_request_and_requests_are_kept():
    backend = ScriptedBackend(lambda asked: asked.messages[0].content.upper())
    assert ask(backend, request()).text == "WHO BUYS?"
    assert backend.requests == [request()]


def test_an_error_in_the_script_is_raised():
    with pytest.raises(CapacityError, match="no room"):
        ask(ScriptedBackend([CapacityError("no room")]), request())


def test_a_whole_generation_is_given_as_it_is():
    given = Generation("x", (), "length", Usage(num_requests=1))
    assert ask(ScriptedBackend([given]), request(CONSTRAINT)) is given


def test_an_object_is_written_as_the_constraint_writes_it_and_located():
    generation = ask(ScriptedBackend([{"party": "Alder Mills", "n": 3}]), request(CONSTRAINT))
    assert generation.text == '{"party": "Alder Mills", "n": 3}'
    (span,) = generation.spans
    assert (span.start, span.end, span.num_occurrences) == (0, 11, 2)


def test_confidence_is_what_the_script_says():
    backend = ScriptedBackend(["one two"], logprob=-0.5, margin=0.25)
    tokens = ask(backend, request()).tokens
    assert [token.text for token in tokens] == ["one", " two"]
    assert {(token.logprob, token.margin) for token in tokens} == {(-0.5, 0.25)}


@pytest.mark.parametrize(
    ("constraint", "answer"),
    [
        (CONSTRAINT, {"party": "Cedar", "n": 3}),
        (CONSTRAINT, {"party": "lder Mills", "n": 3}),
        (CONSTRAINT, {"party": "Alder Mills"}),
        (CONSTRAINT, {"n": 3, "party": "Alder Mills"}),
        (CONSTRAINT, {"party": "Alder Mills", "n": "3"}),
        (CONSTRAINT, "Alder Mills"),
        (RegexConstraint("[0-9]+"), "12a"),
        (RegexConstraint("[0-9]+ euros"), "12"),
    ],
)
def test_an_answer_that_no_model_could_give_is_a_mistake_in_the_script(constraint, answer):
    with pytest.raises(ValueError, match="no model could give"):
        ask(ScriptedBackend([answer]), request(constraint))


def test_a_constraint_is_refused_as_a_model_would_refuse_it():
    constraint = JsonConstraint({"type": "string", "if": {"minLength": 3}, "then": {}})
    with pytest.raises(UnsupportedKeywordError):
        ask(ScriptedBackend(['"x"']), request(constraint))


def test_a_long_text_is_cut_at_max_tokens_and_not_held_to_the_constraint():
    generation = ask(
        ScriptedBackend([{"party": "Alder Mills", "n": 3}]), request(CONSTRAINT, max_tokens=4)
    )
    assert (generation.finish_reason, len(generation.tokens)) == ("length", 4)
