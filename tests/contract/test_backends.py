"""What every back end promises, whatever answers behind it."""

import asyncio
import json

import pytest
from tiny_packed import pack_tiny

from assay.backends.local import LocalBackend
from assay.backends.scripted import ScriptedBackend
from assay.engine.config import EngineConfig
from assay.errors import (
    EngineStoppedError,
    InputError,
    InvalidGrammarError,
    PromptTooLongError,
    SamplingError,
)
from assay.types import (
    GenerationRequest,
    JsonConstraint,
    LarkConstraint,
    Message,
    RegexConstraint,
    SamplingParams,
    Source,
)

SOURCE = "Alder Mills sells. Birch Works buys, for 40,000 euros. 甲方应付款。"
SCHEMA = {
    "type": "object",
    "properties": {
        "party": {"type": "string", "x-verbatim": "word"},
        "role": {"enum": ["buyer", "seller"]},
    },
    "required": ["party", "role"],
    "additionalProperties": False,
}
GROUNDED = JsonConstraint(SCHEMA, (Source("Nothing of use."), Source(SOURCE)))


def script(request: GenerationRequest):
    if isinstance(request.constraint, JsonConstraint):
        return {"party": "Birch Works", "role": "buyer"}
    if isinstance(request.constraint, RegexConstraint):
        return "42 euros"
    if isinstance(request.constraint, LarkConstraint):
        return "ab"
    return "The buyer is Birch Works, and it pays within thirty days of each delivery."


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    return pack_tiny(tmp_path_factory.mktemp("model"))


@pytest.fixture(params=["scripted", "local"])
def backend(request):
    if request.param == "scripted":
        backend = ScriptedBackend(script, max_model_len=1024)
    else:
        packed = request.getfixturevalue("packed")
        backend = LocalBackend(
            packed.path, config=EngineConfig(num_blocks=128, precision="float32", num_threads=1)
        )
    yield backend
    backend.close()


def ask(constraint=None, content="Who is the buyer?", **sampling) -> GenerationRequest:
    params = SamplingParams(**{"max_tokens": 200, **sampling})
    return GenerationRequest((Message("user", content),), constraint, params)


def answer(backend, *requests):
    async def run():
        return await asyncio.gather(*map(backend.generate, requests))

    return asyncio.run(run())


def test_it_says_what_it_is(backend):
    assert backend.info.name in ("scripted", "local")
    assert backend.info.model
    assert backend.info.max_model_len == 1024


def test_tokens_are_counted(backend):
    assert backend.count_tokens("") == 0
    assert 0 < backend.count_tokens("The buyer.") < backend.count_tokens("The buyer. " * 5)


def test_an_answer_is_its_tokens_and_is_accounted_for(backend):
    (generation,) = answer(backend, ask(max_tokens=8))
    assert "".join(token.text for token in generation.tokens) == generation.text
    assert len(generation.tokens) <= 8
    usage = generation.usage
    assert usage.num_requests == 1
    assert usage.num_prompt_tokens >= backend.count_tokens("Who is the buyer?")
    assert usage.num_decoded_tokens + usage.num_forced_tokens == len(generation.tokens)


def test_an_answer_cut_by_max_tokens_says_so(backend):
    (generation,) = answer(backend, ask(GROUNDED, max_tokens=3))
    assert generation.finish_reason == "length"
    assert len(generation.tokens) == 3
    assert generation.spans == ()


def test_a_json_answer_is_valid_and_its_spans_stand_in_the_source(backend):
    (generation,) = answer(backend, ask(GROUNDED))
    assert generation.finish_reason == "stop"
    value = json.loads(generation.text)
    assert value["role"] in ("buyer", "seller")
    (span,) = generation.spans
    assert span.pointer == "/party"
    assert GROUNDED.sources[span.source].text[span.start : span.end] == value["party"]
    spelling = "".join(
        token.text for token in generation.tokens[span.first_token : span.last_token]
    )
    assert json.dumps(value["party"], ensure_ascii=False) in spelling


@pytest.mark.parametrize(
    ("constraint", "legal"),
    [
        (RegexConstraint("[0-9]{2} (euros|dollars)"), {"euros", "dollars"}),
        (LarkConstraint('start: "a" ("b" | "c")'), {"ab", "ac"}),
    ],
)
def test_a_regex_and_a_grammar_are_kept(backend, constraint, legal):
    (generation,) = answer(backend, ask(constraint))
    assert generation.finish_reason == "stop"
    assert generation.text.split(" ")[-1] in legal


def test_overlapping_calls_each_get_their_answer(backend):
    contents = [f"Question {index}?" for index in range(12)]
    together = answer(backend, *(ask(GROUNDED, content) for content in contents))
    for content, generation in zip(contents, together, strict=True):
        (alone,) = answer(backend, ask(GROUNDED, content))
        assert alone.text == generation.text


def test_a_seeded_answer_repeats(backend):
    request = ask(temperature=1.0, seed=11, max_tokens=12)
    first, again = answer(backend, request, request)
    assert first.text == again.text


@pytest.mark.parametrize(
    "values",
    [
        {"max_tokens": 0},
        {"temperature": -0.1},
        {"temperature": float("nan")},
        {"top_p": 0.0},
        {"top_p": 1.5},
        {"num_logprobs": -1},
        {"num_logprobs": 21},
        {"stop": ("",)},
    ],
)
def test_a_sampling_parameter_out_of_range_is_refused(backend, values):
    with pytest.raises(SamplingError, match=next(iter(values)).split("_")[0]):
        answer(backend, ask(**values))


def test_stop_strings_end_free_text_and_are_refused_with_a_constraint(backend):
    (whole,) = answer(backend, ask(max_tokens=12))
    stop = whole.text[4:6]
    (cut,) = answer(backend, ask(max_tokens=12, stop=(stop,)))
    assert cut.text == whole.text.partition(stop)[0]
    assert cut.finish_reason == "stop"
    with pytest.raises(SamplingError, match="stop strings"):
        answer(backend, ask(GROUNDED, stop=(stop,)))


def test_a_request_without_messages_is_refused(backend):
    with pytest.raises(InputError, match="message"):
        answer(backend, GenerationRequest(()))


def test_a_prompt_that_is_too_long_is_refused(backend):
    with pytest.raises(PromptTooLongError):
        answer(backend, ask(content="buyer " * 2000))


def test_a_constraint_that_cannot_be_used_fails_its_own_request_only(backend):
    async def run():
        return await asyncio.gather(
            backend.generate(ask(RegexConstraint("[0-9"))),
            backend.generate(ask(GROUNDED)),
            return_exceptions=True,
        )

    bad, good = asyncio.run(run())
    assert isinstance(bad, InvalidGrammarError)
    assert good.finish_reason == "stop"


def test_a_cancelled_call_ends_and_the_next_is_served(backend):
    async def run():
        task = asyncio.create_task(backend.generate(ask(max_tokens=500)))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await backend.generate(ask(GROUNDED))

    assert asyncio.run(run()).finish_reason == "stop"


def test_closed_it_refuses_and_closing_twice_is_safe(backend):
    answer(backend, ask(max_tokens=1))
    backend.close()
    backend.close()
    with pytest.raises(EngineStoppedError):
        answer(backend, ask())
