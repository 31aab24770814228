"""Prompts that attach parts of a document's chain, against a dense cache. Float32, a tiny model."""

import pytest
import torch
from dense_cache import DenseCache, run
from tiny import tiny_tokenizer
from tiny_packed import pack_tiny

from assay.engine import load
from assay.engine.chaining import chain_prompt
from assay.engine.config import EngineConfig
from assay.engine.load import build_engine, make_chain_store
from assay.kv_cache.policies.retention import Retention
from assay.models.llama import LlamaModel
from assay.types import GenerationRequest, Message, PromptDocument, SamplingParams

DOCUMENT = PromptDocument(
    (
        "This agreement is made between Alder Mills and Birch Works.",
        "The buyer pays 40,000 euros within thirty days.",
        "逾期付款的,买方应支付利息。",
        "Either party may end this agreement with sixty days' notice.",
        "It is governed by the law of Norway.",
    )
)
SIZE = 4


def settings(**changed) -> EngineConfig:
    return EngineConfig.from_mapping(
        {
            "precision": "float32",
            "num_blocks": 400,
            "block_size": SIZE,
            "num_threads": 1,
            "kernels": "torch",
            "slices": "chained",
            **changed,
        }
    )


def message(chosen: list[int], question: str = "Who buys?") -> Message:
    content, places = "", []
    for number in chosen:
        text = DOCUMENT.segments[number]
        places.append((len(content), len(content) + len(text)))
        content += text + "\n"
    return Message("user", content + question, tuple(places), DOCUMENT, tuple(chosen))


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    return pack_tiny(tmp_path_factory.mktemp("model"))


class Asker:
    """An engine that is asked one prompt after another; checks its books after each."""

    def __init__(self, packed, **changed) -> None:
        config = settings(**changed)
        self.store = make_chain_store(packed, config)
        self.engine = build_engine(packed, config, tiny_tokenizer())

    def prompt(self, asked: Message, salt: str = "", **marks):
        sampling = SamplingParams(max_tokens=2)
        request = GenerationRequest((asked,), None, sampling, salt, **marks)
        prompt = tiny_tokenizer().encode_prompt(request.messages)
        return request, prompt, chain_prompt(self.store, tiny_tokenizer(), request, prompt)

    def ask(self, asked: Message, salt: str = "", **marks):
        request, prompt, chained = self.prompt(asked, salt, **marks)
        self.engine.add_request(request, prompt.token_ids, None, prompt.segments, chained)
        while self.engine.has_work:
            for finished in self.engine.step():
                generation = finished.generation
            self.engine.check_integrity()
        assert self.engine.num_held_blocks == 0
        return generation


def logprobs_by_definition(packed, chained) -> torch.Tensor:
    """What the model says next where the chain was computed window by window, each after the head,
    and the prompt's own tokens attend the attached blocks alone."""
    model = LlamaModel(packed.config, packed.weights, precision="float32")
    chain, attachment = chained.chain, chained.attachment()
    taken = {}
    head = range(chain.num_head_blocks)
    for window in chain.windows:
        blocks = [*head, *range(window.first, window.last)]
        ids = torch.tensor(chain.tokens_of(blocks))
        positions = torch.arange(len(ids))
        positions[len(head) * SIZE :] += window.offset
        cache = DenseCache(model.config, len(ids))
        run(model, cache, ids, torch.arange(len(ids)), positions)
        for place, block in enumerate(blocks):
            slots = slice(place * SIZE, (place + 1) * SIZE)
            kept = cache.keys[:, slots], cache.values[:, slots], positions[slots]
            taken.setdefault(block, kept)
    own = torch.tensor([*attachment.rest, *chained.tail])
    num_attached = len(attachment.blocks) * SIZE
    cache = DenseCache(model.config, num_attached + len(own))
    for place, block in enumerate(attachment.blocks):
        slots = slice(place * SIZE, (place + 1) * SIZE)
        cache.keys[:, slots], cache.values[:, slots], cache.positions[slots] = taken[block]
    rows = torch.arange(num_attached, num_attached + len(own))
    start = int(cache.positions[num_attached - 1]) + 1
    positions = torch.arange(start, start + len(own))
    return run(model, cache, own, rows, positions)[-1].log_softmax(-1)


@pytest.mark.parametrize("window_tokens", [2048, 32])
@pytest.mark.parametrize("chosen", [[0], [2], [1, 3], [0, 4], [3, 4], [0, 1, 2, 3, 4]])
def test_attached_blocks_are_what_they_are_defined_to_be(packed, chosen, window_tokens):
    asker = Asker(packed, chain_window_tokens=window_tokens)
    expected = logprobs_by_definition(packed, asker.prompt(message(chosen))[2])
    for _ in range(2):
        token = asker.ask(message(chosen)).tokens[0]
        assert token.token_id == int(expected.argmax())
        assert token.logprob == pytest.approx(float(expected.max()), abs=1e-4)


def test_all_attached_is_plain_prefill(packed):
    """Also in the tokens that follow, and whatever was asked of the document before."""
    everything = message([0, 1, 2, 3, 4])
    plain = Asker(packed, slices="off").ask(Message("user", everything.content))
    asker = Asker(packed)
    asker.ask(message([2]))
    chained = asker.ask(everything)
    for mine, theirs in zip(chained.tokens, plain.tokens, strict=True):
        assert mine.token_id == theirs.token_id
        assert mine.logprob == pytest.approx(theirs.logprob, abs=1e-4)
    assert chained.usage.num_cached_tokens > 0.7 * chained.usage.num_prompt_tokens


def test_nothing_of_a_document_is_computed_twice(packed):
    asker = Asker(packed)
    first = asker.ask(message([1])).usage
    assert first.num_cached_tokens == 0
    own = len(asker.prompt(message([3]))[2].tail)
    second = asker.ask(message([3], "Who ends it?")).usage
    assert second.num_prompt_tokens - second.num_cached_tokens <= own + SIZE + 10


def test_a_window_that_was_evicted_is_computed_again(packed):
    asker = Asker(packed)
    expected = asker.ask(message([1]))
    asker.engine.abort()
    again = asker.ask(message([1]))
    assert [item.token_id for item in again.tokens] == [item.token_id for item in expected.tokens]
    assert again.usage.num_cached_tokens == 0


def test_another_salt_finds_nothing(packed):
    asker = Asker(packed)
    asker.ask(message([1]))
    assert asker.ask(message([1]), salt="other").usage.num_cached_tokens == 0


def test_other_salts_share_the_public_preamble_and_nothing_behind_it(packed):
    asker = Asker(packed)
    num_public = asker.prompt(message([1]))[1].segments[0].start // SIZE * SIZE
    asker.ask(message([1]), salt="one", is_preamble_public=True)
    usage = asker.ask(message([1]), salt="other", is_preamble_public=True).usage
    assert usage.num_cached_tokens == num_public > 0
    assert asker.ask(message([1]), salt="third").usage.num_cached_tokens == 0


def test_a_chain_is_attached_from_disk_after_a_restart(packed, tmp_path):
    asked = message([1, 3])
    first = Asker(packed, disk_cache_dir=str(tmp_path))
    expected = first.ask(asked).tokens
    first.engine.close()
    again = Asker(packed, disk_cache_dir=str(tmp_path))
    found = again.ask(asked).tokens
    assert [token.token_id for token in found] == [token.token_id for token in expected]
    assert found[0].logprob == pytest.approx(expected[0].logprob, abs=1e-4)
    _, _, chained = again.prompt(asked)
    statistics = again.engine.cache_statistics
    assert statistics.num_disk == len(chained.attachment().blocks)
    assert statistics.num_computed < first.engine.cache_statistics.num_computed
    again.engine.close()


def test_a_window_over_attached_blocks_that_keeps_everything_changes_nothing(packed, monkeypatch):
    """Positions have gaps before the window and none behind it."""
    asked = message([0, 2, 4])
    expected = Asker(packed).ask(asked).tokens
    policy = Retention(1.0, num_recent=8, min_tokens=0)
    monkeypatch.setattr(load, "make_policy", lambda *_, **__: policy)
    asker = Asker(packed)
    windows = []
    look_after = asker.engine._keeper.look_after

    def watched(sequences):
        look_after(sequences)
        windows.extend(item.window for item in sequences if item.window is not None)

    monkeypatch.setattr(asker.engine._keeper, "look_after", watched)
    for _ in range(2):
        found = asker.ask(asked).tokens
        for ours, theirs in zip(found, expected, strict=True):
            assert ours.token_id == theirs.token_id
            assert ours.logprob == pytest.approx(theirs.logprob, abs=1e-4)
    assert len(windows) == 2


def test_what_is_computed_without_its_window_is_shared_with_nobody(packed):
    """Where a window does not fit the cache, the prompt's own blocks are not what their hashes
    name; those of the head are."""
    asker = Asker(packed, num_blocks=50)
    asked = message([3])
    _, _, chained = asker.prompt(asked)
    chain, blocks = chained.chain, chained.attachment().blocks
    assert len(chain.windows) == 1
    assert chain.num_blocks > 50 > len(blocks) + 8
    asker.ask(asked)
    has_block = asker.engine._manager.has_block
    found = {block for block in blocks if has_block(chain.hashes[block])}
    assert found == set(range(chain.num_head_blocks))
