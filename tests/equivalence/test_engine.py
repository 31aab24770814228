"""What the engine does for speed changes no answer. Float32, greedy, a tiny random model."""

import pytest
from tiny import tiny_tokenizer, tiny_vocabulary
from tiny_packed import pack_tiny

from assay.decoding.matcher import compile_constraint
from assay.engine.config import EngineConfig
from assay.engine.engine import Engine
from assay.engine.load import build_engine
from assay.types import (
    GenerationRequest,
    JsonConstraint,
    Message,
    RegexConstraint,
    SamplingParams,
    Source,
)

TEXT = (
    "This agreement is made between Alder Mills (the buyer) and Birch Works (the seller). "
    "The buyer pays 40,000 euros within thirty days; 逾期付款的,买方应支付利息。"
)
SCHEMA = {
    "type": "object",
    "properties": {
        "party": {"type": "string", "x-verbatim": "word"},
        "role": {"enum": ["the buyer", "the seller", None]},
        "amounts": {"type": "array", "items": {"type": "integer", "minimum": 0}, "maxItems": 2},
    },
    "required": ["party", "role", "amounts"],
    "additionalProperties": False,
}
CONSTRAINTS = [
    None,
    JsonConstraint(SCHEMA, (Source(TEXT),)),
    RegexConstraint(r"[0-9]{1,3}(,[0-9]{3})* (euros|dollars) within (ten|thirty) days"),
]
QUESTIONS = ["Who buys?", "What is the price?", "Who sells, and when is it paid?", "买方是谁?"]
REQUESTS = [
    GenerationRequest(
        (Message("user", f"{TEXT * repeats}\n{question}"),),
        constraint=constraint,
        sampling=SamplingParams(max_tokens=60),
    )
    for repeats, question in enumerate(QUESTIONS)
    for constraint in CONSTRAINTS
]
PLAIN = EngineConfig(
    precision="float32",
    num_blocks=400,
    block_size=4,
    max_num_seqs=1,
    max_num_batched_tokens=4096,
    enable_prefix_caching=False,
    enable_fast_forward=False,
    num_threads=1,
)


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    return pack_tiny(tmp_path_factory.mktemp("model"))


def answer(packed, config: EngineConfig, requests=REQUESTS) -> tuple[list[list[int]], Engine]:
    """The answers' tokens, in order of the requests, all given to one engine at once."""
    engine = build_engine(packed, config, tiny_tokenizer())
    ids = {}
    for request in requests:
        matcher = None
        if request.constraint is not None:
            matcher = compile_constraint(request.constraint, tiny_vocabulary())
        prompt = tiny_tokenizer().encode_chat(request.messages)
        ids[engine.add_request(request, prompt, matcher)] = None
    while engine.has_work:
        for finished in engine.step():
            assert finished.error is None
            ids[finished.request_id] = [token.token_id for token in finished.generation.tokens]
    engine.check_integrity()
    return list(ids.values()), engine


@pytest.fixture(scope="module")
def expected(packed):
    """One at a time, token by token, each prompt whole and cold."""
    tokens, _ = answer(packed, PLAIN)
    assert len({tuple(item) for item in tokens}) > len(REQUESTS) // 2, "the model ignores prompts"
    return tokens


def changed(**values) -> EngineConfig:
    return EngineConfig.from_mapping({**PLAIN.as_mapping(), **values})


def test_batched_is_alone(packed, expected):
    assert answer(packed, changed(max_num_seqs=12, num_blocks=2000))[0] == expected


@pytest.mark.parametrize("budget", [7, 64])
def test_chunked_is_whole(packed, expected, budget):
    assert answer(packed, changed(max_num_batched_tokens=budget))[0] == expected


def test_cached_is_cold(packed, expected):
    tokens, engine = answer(packed, changed(enable_prefix_caching=True))
    assert tokens == expected
    assert engine._manager.pool.num_cached > 0


def test_answers_from_a_warm_cache_are_the_same_again(packed, expected):
    config = changed(enable_prefix_caching=True)
    twice, _ = answer(packed, config, REQUESTS * 2)
    assert twice == expected * 2


def test_fast_forwarded_is_token_by_token(packed, expected):
    assert answer(packed, changed(enable_fast_forward=True))[0] == expected


def test_preempted_is_undisturbed(packed, expected):
    tokens, engine = answer(
        packed, changed(num_blocks=190, max_num_seqs=12, enable_prefix_caching=False)
    )
    assert engine.scheduler.num_preemptions > 0
    assert tokens == expected


def test_everything_at_once_is_plain(packed, expected):
    tokens, _ = answer(
        packed,
        changed(
            num_blocks=190,
            max_num_seqs=12,
            max_num_batched_tokens=48,
            enable_prefix_caching=True,
            enable_fast_forward=True,
        ),
    )
    assert tokens == expected
