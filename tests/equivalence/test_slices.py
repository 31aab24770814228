"""Attached slices against the definition, worked out with a dense cache. Float32, a tiny model."""

import pytest
import torch
from dense_cache import DenseCache, run
from hypothesis import given, settings
from hypothesis import strategies as st
from tiny import tiny_tokenizer
from tiny_packed import pack_tiny

from assay.engine.config import EngineConfig
from assay.engine.load import build_engine
from assay.engine.runner import Runner
from assay.engine.schedule import Schedule, ScheduledSequence
from assay.kv_cache.slices import SlotCopy
from assay.kv_cache.storage import BlockStorage
from assay.models.llama import LlamaModel
from assay.models.tokenizer import Prompt
from assay.types import GenerationRequest, Message, SamplingParams

SEGMENTS = [
    "This agreement is made between Alder Mills and Birch Works.",
    "The buyer pays 40,000 euros within thirty days.",
    "逾期付款的,买方应支付利息。",
]
QUESTION = "Who buys?"
CONFIG = EngineConfig(
    precision="float32", num_blocks=400, block_size=4, num_threads=1, kernels="torch"
)


def message(segments: list[str], question: str = QUESTION) -> Message:
    content, places = "", []
    for segment in segments:
        places.append((len(content), len(content) + len(segment)))
        content += segment + "\n[…]\n"
    return Message("user", content + question, tuple(places))


def logprobs_by_definition(model: LlamaModel, prompt: Prompt, num_recomputed: int) -> torch.Tensor:
    """What the model says next where every segment was computed after the preamble alone, and
    then all but its first tokens taken over."""
    ids = torch.tensor(prompt.token_ids)
    whole = DenseCache(model.config, len(ids))
    preamble = prompt.segments[0].start
    computed = torch.ones(len(ids), dtype=torch.bool)
    for segment in prompt.segments:
        alone = torch.cat([ids[:preamble], ids[segment.start : segment.stop]])
        cache = DenseCache(model.config, len(alone))
        run(model, cache, alone, torch.arange(len(alone)))
        skipped = num_recomputed if segment.start > preamble else 0
        taken = torch.arange(segment.start + skipped, segment.stop)
        computed[taken] = False
        for kind in ("keys", "values"):
            getattr(whole, kind)[:, taken] = getattr(cache, kind)[:, preamble + skipped :]
    rows = torch.arange(len(ids))[computed]
    return run(model, whole, ids[rows], rows)[-1].log_softmax(-1)


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    return pack_tiny(tmp_path_factory.mktemp("model"))


def first_tokens(packed, messages, **settings):
    """Each prompt's first answer token with its logprob, one prompt after another; the engine."""
    engine = build_engine(
        packed, EngineConfig.from_mapping({**CONFIG.as_mapping(), **settings}), tiny_tokenizer()
    )
    found = []
    for item in messages:
        prompt = tiny_tokenizer().encode_prompt([item])
        request = GenerationRequest((item,), sampling=SamplingParams(max_tokens=1))
        engine.add_request(request, prompt.token_ids, None, prompt.segments)
        while engine.has_work:
            for finished in engine.step():
                found.append((finished.generation.tokens[0], finished.generation.usage))
        engine.check_integrity()
    return found, engine


@pytest.mark.parametrize("num_recomputed", [0, 3])
@pytest.mark.parametrize("order", [[0, 1, 2], [2, 0], [1]])
def test_attached_slices_are_what_they_are_defined_to_be(packed, order, num_recomputed):
    asked = message([SEGMENTS[i] for i in order])
    model = LlamaModel(packed.config, packed.weights, precision="float32")
    prompt = tiny_tokenizer().encode_prompt([asked])
    expected = logprobs_by_definition(model, prompt, num_recomputed)
    found, _ = first_tokens(packed, [asked, asked], num_recomputed_tokens=num_recomputed)
    for token, _ in found:
        assert token.token_id == int(expected.argmax())
        assert token.logprob == pytest.approx(float(expected.max()), abs=1e-4)


def test_a_segment_right_after_the_preamble_changes_nothing(packed):
    asked = [message(SEGMENTS[:1], question) for question in ("Who buys?", "Who pays?")]
    plain = [Message("user", item.content) for item in asked]
    with_slices, _ = first_tokens(packed, asked)
    without, _ = first_tokens(packed, plain)
    for (ours, _), (theirs, _) in zip(with_slices, without, strict=True):
        assert ours.token_id == theirs.token_id
        assert ours.logprob == pytest.approx(theirs.logprob, abs=1e-4)


def test_a_segment_is_reused_wherever_it_stands_and_counted_as_reused(packed):
    found, engine = first_tokens(packed, [message(SEGMENTS), message(SEGMENTS[::-1], "Who sells?")])
    (_, cold), (_, warm) = found
    num_segment_tokens = sum(map(len, tiny_tokenizer().encode_prompt([message(SEGMENTS)]).segments))
    assert cold.num_cached_tokens < engine._manager.block_size * 8
    assert warm.num_cached_tokens >= num_segment_tokens
    assert len(engine._manager.slices) == len(SEGMENTS)


def test_another_tenant_shares_no_slice(packed):
    engine = build_engine(packed, CONFIG, tiny_tokenizer())
    prompt = tiny_tokenizer().encode_prompt([message(SEGMENTS)])
    for salt in ("a", "b"):
        request = GenerationRequest(
            (message(SEGMENTS),), sampling=SamplingParams(max_tokens=1), cache_salt=salt
        )
        engine.add_request(request, prompt.token_ids, None, prompt.segments)
        while engine.has_work:
            for finished in engine.step():
                assert finished.generation.usage.num_cached_tokens < 8
    assert len(engine._manager.slices) == 2 * len(SEGMENTS)


@settings(max_examples=20, deadline=None)
@given(shift=st.integers(-50, 900), first_slot=st.integers(0, 7))
def test_turned_keys_are_those_computed_at_the_other_place(packed, shift, first_slot):
    """In the first layer, whose input knows no positions: keys are the same, and values."""
    model = LlamaModel(packed.config, packed.weights, precision="float32")
    storage = BlockStorage(packed.config, 12, 4, model.kv_dtype)
    runner = Runner(model, storage)
    token_ids = tiny_tokenizer().encode(SEGMENTS[0])[:16]
    here, there, moved = [0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]
    for table, offset in ((here, 50), (there, 50 + shift)):
        runner.run(Schedule((ScheduledSequence(token_ids, 0, table, 0, offset),)))
    num_tokens = 16 - first_slot
    copy = SlotCopy(here, first_slot, moved, first_slot, num_tokens, shift)
    storage.copy_slots([copy], model.rotary, "torch")
    kept = slice(first_slot, 16)
    for kind in (0, 1):
        first_layer = storage.blocks[:, 0, kind].transpose(1, 2)
        expected, found = (first_layer[blocks].flatten(0, 1)[kept] for blocks in (there, moved))
        assert torch.allclose(found, expected, atol=1e-4)
