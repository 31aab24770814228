"""Policies in the engine: what keeps everything answers as dense does, and takes no more than it
keeps. Float32, a tiny model."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tiny import tiny_tokenizer
from tiny_packed import pack_tiny

from assay.engine import load
from assay.engine.config import EngineConfig
from assay.engine.engine import Engine
from assay.kv_cache.policies.base import Policy
from assay.kv_cache.policies.local_global import CoverageRouter, LocalGlobal
from assay.kv_cache.policies.retention import Retention
from assay.types import GeneratedToken, GenerationRequest, SamplingParams

TEXT = "The buyer, Alder Mills, pays 40,000 euros within thirty days of the delivery. "
CONFIG = EngineConfig(
    precision="float32",
    num_blocks=260,
    block_size=4,
    max_num_batched_tokens=128,
    num_threads=1,
    kernels="torch",
    retention_interval=3,
)
EVERYTHING = [
    Retention(1.0, min_tokens=100),
    LocalGlobal(CoverageRouter(coverage=2.0), num_recent=128),
]


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory):
    return pack_tiny(tmp_path_factory.mktemp("model"))


def prompt_ids() -> list[int]:
    return tiny_tokenizer().encode(TEXT * 8)[:500]


def answer(
    packed, monkeypatch: pytest.MonkeyPatch, policy: Policy | None = None
) -> tuple[list[GeneratedToken], Engine, int]:
    """Ten tokens, the engine, and the most blocks that the request held."""
    if policy is not None:
        monkeypatch.setattr(load, "make_policy", lambda *_, **__: policy)
    engine = load.build_engine(packed, CONFIG, tiny_tokenizer())
    request = GenerationRequest((), sampling=SamplingParams(max_tokens=10))
    engine.add_request(request, prompt_ids())
    most = 0
    while engine.has_work:
        for finished in engine.step():
            tokens = finished.generation.tokens
        engine.check_integrity()
        most = max(most, engine.num_held_blocks)
    assert engine.num_held_blocks == 0
    return list(tokens), engine, most


@pytest.mark.parametrize("policy", EVERYTHING, ids=lambda policy: type(policy).__name__)
def test_what_keeps_everything_answers_as_dense(packed, monkeypatch, policy: Policy) -> None:
    dense, _, _ = answer(packed, monkeypatch)
    kept, engine, _ = answer(packed, monkeypatch, policy)
    assert [token.token_id for token in kept] == [token.token_id for token in dense]
    for ours, theirs in zip(kept, dense, strict=True):
        assert ours.logprob == pytest.approx(theirs.logprob, abs=1e-4)
    assert engine.pairs.num_attended == engine.pairs.num_dense


def test_what_is_left_out_takes_neither_memory_nor_work(packed, monkeypatch) -> None:
    _, engine, dense = answer(packed, monkeypatch)
    assert engine.pairs.num_attended == engine.pairs.num_dense
    # All heads local: sinks and the latest 128 tokens, and never more than a step's beside them.
    policy = LocalGlobal(CoverageRouter(coverage=0.0), num_recent=128)
    _, engine, local = answer(packed, monkeypatch, policy)
    assert dense > 500 // 4
    assert local <= (128 + 64 + 2 * 128) // 4 + 5
    assert engine.pairs.num_attended < 0.7 * engine.pairs.num_dense


def test_retention_holds_its_share_and_chooses_anew(packed, monkeypatch) -> None:
    policy = Retention(0.25, min_tokens=100)
    monkeypatch.setattr(load, "make_policy", lambda *_, **__: policy)
    engine = load.build_engine(packed, CONFIG, tiny_tokenizer())
    request = GenerationRequest((), sampling=SamplingParams(max_tokens=10))
    engine.add_request(request, prompt_ids())
    while not any(item.window for item in engine.scheduler.sequences()):
        engine.step()
    assert engine.num_held_blocks <= 0.25 * 500 / 4 + 3
    while engine.has_work:
        engine.step()
    assert engine._keeper.num_refreshed >= 2


@pytest.mark.parametrize(
    "changes", [{"max_num_batched_tokens": 33}, {"block_size": 2, "num_blocks": 600}]
)
def test_retention_does_not_depend_on_chunks_or_the_cache(packed, monkeypatch, changes) -> None:
    monkeypatch.setattr(load, "make_policy", lambda *_, **__: Retention(0.2, min_tokens=100))
    found = []
    for config in (CONFIG, replace(CONFIG, **{"max_num_seqs": 16, **changes})):
        engine = load.build_engine(packed, config, tiny_tokenizer())
        for _ in range(2):
            request = GenerationRequest((), sampling=SamplingParams(max_tokens=8))
            engine.add_request(request, prompt_ids())
            while engine.has_work:
                for finished in engine.step():
                    found.append([token.logprob for token in finished.generation.tokens])
    for other in found[1:]:
        assert other == pytest.approx(found[0], abs=1e-4)
