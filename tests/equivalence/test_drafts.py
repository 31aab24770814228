"""Drafts change no answer: what is accepted is what would have been chosen."""

import pytest
from tiny import tiny_tokenizer, tiny_vocabulary
from tiny_packed import pack_tiny

from assay.decoding.matcher import compile_constraint
from assay.decoding.vocabulary import Vocabulary
from assay.engine.config import EngineConfig
from assay.engine.engine import Engine
from assay.engine.load import build_engine
from assay.models.packed import load_packed
from assay.models.store import is_packed, model_path
from assay.types import (
    GenerationRequest,
    JsonConstraint,
    Message,
    RegexConstraint,
    SamplingParams,
    Source,
)

TEXT = (
    "This agreement is made between Alder Mills of the North Shore Limited (the buyer) and Birch "
    "Works and Sons of the South Shore Limited (the seller). The buyer pays the seller 40,000 "
    "euros within thirty days; 逾期付款的,买方应支付利息。"
)
PARTIES = JsonConstraint(
    {
        "type": "object",
        "properties": {
            "parties": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "name": {"type": "string", "x-verbatim": "word"},
                        "role": {"enum": ["the buyer", "the seller", None]},
                    },
                    "required": ["name", "role"],
                    "additionalProperties": False,
                },
                "maxItems": 3,
            }
        },
        "required": ["parties"],
        "additionalProperties": False,
    },
    (Source(TEXT),),
)
CONSTRAINTS = [None, PARTIES, RegexConstraint("(the (buyer|seller) (pays|and) ?){1,12}")]
QUESTIONS = ["Who buys, and who sells?", "Who pays whom?", "买方是谁?"]


def requests(max_tokens: int) -> list[GenerationRequest]:
    return [
        GenerationRequest(
            (Message("user", f"{TEXT * repeats}\n{question}"),),
            constraint=constraint,
            sampling=SamplingParams(max_tokens=max_tokens),
        )
        for repeats, question in enumerate(QUESTIONS, 1)
        for constraint in CONSTRAINTS
    ]


def answer(packed, tokenizer, vocabulary, config, asked) -> tuple[list, Engine, int]:
    """The answers, in order of the requests; the engine; and how many steps it took."""
    engine = build_engine(packed, config, tokenizer)
    answers = {}
    for request in asked:
        matcher = None
        if request.constraint is not None:
            matcher = compile_constraint(request.constraint, vocabulary)
        prompt = tokenizer.encode_chat(request.messages)
        answers[engine.add_request(request, prompt, matcher)] = None
    num_steps = 0
    while engine.has_work:
        for finished in engine.step():
            assert finished.error is None
            answers[finished.request_id] = finished.generation
        num_steps += 1
        engine.check_integrity()
    return list(answers.values()), engine, num_steps


def tokens_of(generation) -> list[tuple[int, bool]]:
    return [(token.token_id, token.forced) for token in generation.tokens]


PLAIN = EngineConfig(
    precision="float32", num_blocks=400, block_size=4, max_num_seqs=12, num_threads=1
)


def changed(**values) -> EngineConfig:
    return EngineConfig.from_mapping({**PLAIN.as_mapping(), **values})


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    return pack_tiny(tmp_path_factory.mktemp("model"))


@pytest.fixture(scope="module")
def expected(packed):
    return answer(packed, tiny_tokenizer(), tiny_vocabulary(), PLAIN, requests(60))[0]


@pytest.mark.parametrize(
    "config",
    [
        changed(max_draft_tokens=1),
        changed(max_draft_tokens=8),
        changed(max_draft_tokens=8, enable_prefix_caching=False, block_size=1, num_blocks=2000),
        changed(max_draft_tokens=6, enable_fast_forward=False),
        changed(max_draft_tokens=6, max_num_seqs=4, max_num_batched_tokens=24),
        changed(max_draft_tokens=8, num_blocks=190),
    ],
    ids=["one", "eight", "small blocks", "token by token", "small budget", "preempted"],
)
def test_drafted_is_undrafted(packed, expected, config):
    generations, engine, _ = answer(
        packed, tiny_tokenizer(), tiny_vocabulary(), config, requests(60)
    )
    assert [tokens_of(item) for item in generations] == [tokens_of(item) for item in expected]
    for drafted, plain in zip(generations, expected, strict=True):
        assert drafted.text == plain.text
        assert drafted.finish_reason == plain.finish_reason
        assert drafted.usage.num_decoded_tokens == plain.usage.num_decoded_tokens
        for one, other in zip(drafted.tokens, plain.tokens, strict=True):
            assert one.logprob == pytest.approx(other.logprob, abs=1e-3)
            assert one.margin == pytest.approx(other.margin, abs=1e-3)
    assert engine.num_drafted_tokens > 0


def test_answers_drawn_at_a_temperature_are_not_drafted(packed):
    asked = [
        GenerationRequest(item.messages, item.constraint, SamplingParams(60, 1.0, seed=3))
        for item in requests(60)
    ]
    plain = answer(packed, tiny_tokenizer(), tiny_vocabulary(), PLAIN, asked)[0]
    config = changed(max_draft_tokens=8)
    drafted, engine, _ = answer(packed, tiny_tokenizer(), tiny_vocabulary(), config, asked)
    assert [tokens_of(item) for item in drafted] == [tokens_of(item) for item in plain]
    assert engine.num_drafted_tokens == 0


@pytest.mark.model
@pytest.mark.slow
def test_a_real_model_answers_the_same_in_fewer_steps():
    path = model_path("smollm2")
    if not is_packed(path):
        pytest.skip("the model is not pulled")
    packed = load_packed(path)
    tokenizer = packed.tokenizer()
    vocabulary = Vocabulary(
        tokenizer.to_json(), packed.config.vocab_size, packed.config.eos_token_ids
    )
    asked = requests(40)[:4]
    config = EngineConfig(precision="float32", num_blocks=1000)
    plain, _, num_plain = answer(packed, tokenizer, vocabulary, config, asked)
    with_drafts = EngineConfig(precision="float32", num_blocks=1000, max_draft_tokens=8)
    drafted, engine, num_drafted = answer(packed, tokenizer, vocabulary, with_drafts, asked)
    assert [tokens_of(item) for item in drafted] == [tokens_of(item) for item in plain]
    assert engine.num_accepted_tokens > 0
    assert num_drafted < num_plain
