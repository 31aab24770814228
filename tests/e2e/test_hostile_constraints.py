"""Constraints made to be slow, large or deep, asked of a back end that others use meanwhile."""

import asyncio

import pytest
from tiny_packed import pack_tiny

from assay.backends.local import LocalBackend
from assay.engine.config import EngineConfig
from assay.errors import ConstraintError, GrammarTooComplexError, UnsupportedKeywordError
from assay.types import (
    GenerationRequest,
    JsonConstraint,
    LarkConstraint,
    Message,
    RegexConstraint,
    SamplingParams,
    Source,
)

GRAMMAR_TIMEOUT_S = 0.3
TIMEOUT_S = 20
TEXT = {"type": "string"}
WORD = {"type": "string", "x-verbatim": "word"}


@pytest.fixture(scope="module")
def backend(tmp_path_factory):
    packed = pack_tiny(tmp_path_factory.mktemp("model"))
    config = EngineConfig(num_blocks=256, grammar_timeout_s=GRAMMAR_TIMEOUT_S)
    backend = LocalBackend(packed.path, config=config)
    backend.start()
    asyncio.run(backend.generate(ask("Ready?", RegexConstraint("yes"))))
    # Starts the process in which constraints are tried.
    asyncio.run(backend.generate(ask("Ready?", RegexConstraint("a" * 3000))))
    yield backend
    backend.close()


def ask(content, constraint):
    return GenerationRequest((Message("user", content),), constraint, SamplingParams(max_tokens=8))


def nested(step, depth, schema):
    for _ in range(depth):
        schema = step(schema)
    return JsonConstraint(schema)


def doubled(keyword, depth):
    """Each definition holds the one before twice: exponential when written out."""
    definitions = {"d0": {"type": "object", "properties": {"a": TEXT}, "required": ["a"]}}
    for i in range(1, depth):
        definitions[f"d{i}"] = {keyword: [{"$ref": f"#/$defs/d{i - 1}"}] * 2}
    return JsonConstraint({"$ref": f"#/$defs/d{depth - 1}", "$defs": definitions})


def crossed(num_choices):
    choices = [
        {"anyOf": [{"properties": {f"p{i}_{j}": TEXT}, "required": [f"p{i}_{j}"]} for j in "ab"]}
        for i in range(num_choices)
    ]
    return JsonConstraint({"type": "object", "allOf": choices})


def one_of(num_objects):
    tags = [{"k": {"const": f"{i}"}, "v": TEXT} for i in range(num_objects)]
    return JsonConstraint(
        {"oneOf": [{"type": "object", "properties": tag, "required": ["k"]} for tag in tags]}
    )


def many_patterns(num_patterns):
    names = {f"^{i:04d}_": TEXT for i in range(num_patterns)}
    return JsonConstraint({"type": "object", "patternProperties": names})


def brackets(num):
    return "(" * num + "a" + ")" * num


REFUSED = {
    "nested oneOf": (
        nested(lambda inner: {"oneOf": [inner, {"type": "null"}]}, 30_000, TEXT),
        GrammarTooComplexError,
    ),
    "oneOf of references": (doubled("oneOf", 30), UnsupportedKeywordError),
    "allOf of choices": (crossed(18), GrammarTooComplexError),
    "brackets in a regex": (RegexConstraint(brackets(30_000)), GrammarTooComplexError),
    "brackets in Lark": (LarkConstraint(f"start: {brackets(30_000)}"), GrammarTooComplexError),
    "brackets in a pattern": (
        JsonConstraint({"type": "string", "pattern": brackets(30_000)}),
        GrammarTooComplexError,
    ),
    "nested repetitions": (RegexConstraint("(a{1000}){1000}"), GrammarTooComplexError),
    "enum": (JsonConstraint({"enum": [f"value {i:07d}" for i in range(30_000)]}),
             GrammarTooComplexError),
    "multipleOf": (
        JsonConstraint({"allOf": [{"type": "integer", "multipleOf": n} for n in (997, 991, 983)]}),
        GrammarTooComplexError,
    ),
    "patternProperties": (many_patterns(600), GrammarTooComplexError),
    "sources": (JsonConstraint(WORD, (Source("a " * 50_000),) * 500), GrammarTooComplexError),
    "characters of many sources": (
        JsonConstraint({"x-verbatim": "char"}, (Source("twelve thousand " * 750),) * 40),
        GrammarTooComplexError,
    ),
    "one endless word": (JsonConstraint(WORD, (Source("ab" * 100_000),)), GrammarTooComplexError),
}  # fmt: skip


SLOW = ("patternProperties", "one endless word")  # those that only the time limit ends


@pytest.mark.parametrize("name", REFUSED)
def test_bombs_are_refused_and_small_requests_are_answered_meanwhile(backend, name):
    constraint, kind = REFUSED[name]

    async def run():
        bomb = asyncio.create_task(backend.generate(ask("Slow?", constraint)))
        await asyncio.sleep(0.02)
        small = await backend.generate(ask("Quick?", RegexConstraint("yes|no")))
        is_first = not bomb.done()
        with pytest.raises(ConstraintError) as caught:
            await asyncio.wait_for(bomb, TIMEOUT_S)
        return small, is_first, caught.value

    small, is_first, error = asyncio.run(run())
    assert small.text in ("yes", "no")
    assert is_first or name not in SLOW
    assert type(error) is kind


ACCEPTED = {
    "allOf of references": doubled("allOf", 30),
    "anyOf of references": doubled("anyOf", 30),
    "many items": JsonConstraint({"type": "array", "items": TEXT, "minItems": 1_000_000}),
    "a long string": JsonConstraint({"type": "string", "maxLength": 10**9}),
    "wide oneOf": one_of(100),
}


@pytest.mark.parametrize("constraint", ACCEPTED.values(), ids=ACCEPTED)
def test_what_only_looks_like_a_bomb_is_answered(backend, constraint):
    generation = asyncio.run(backend.generate(ask("Large?", constraint)))
    assert generation.text
