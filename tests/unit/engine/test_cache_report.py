"""What a finished request tells of the KV cache."""

from __future__ import annotations

import pytest
from paged_fake import PagedFakeRunner

from assay.engine.engine import Engine
from assay.kv_cache.manager import SparseKVManager
from assay.kv_cache.tiers.tiers import Tiers
from assay.reports import CacheReport, TokenSources
from assay.types import GenerationRequest, Message, SamplingParams

BLOCK = 4
PROMPT = list(range(1, 31))
SEGMENTS = [range(6, 14), range(14, 22)]


def make(num_blocks: int = 64, slices: str = "independent", **settings) -> Engine:
    runner = PagedFakeRunner(num_blocks, BLOCK, 50)
    manager = SparseKVManager(num_blocks, BLOCK, **settings)
    return Engine(
        runner,
        manager,
        token_bytes=lambda token_id: b"x",
        eos_token_ids=[],
        vocab_size=50,
        max_model_len=200,
        max_num_seqs=4,
        max_num_batched_tokens=64,
        slices=slices,
    )


def ask(engine: Engine, prompt: list[int] = PROMPT, segments=(), chosen=()) -> CacheReport:
    places = tuple((item.start, item.stop) for item in segments)
    message = Message("user", "x" * len(prompt), places, chosen=chosen)
    request = GenerationRequest((message,), sampling=SamplingParams(max_tokens=2))
    asked = engine.add_request(request, prompt, segments=segments)
    while engine.has_work:
        for finished in engine.step():
            if finished.request_id == asked:
                report = finished.generation.cache
    return report


def test_a_prompt_is_computed_once_and_then_its_whole_blocks_are_live() -> None:
    engine = make()
    first, again = ask(engine), ask(engine)
    assert first.prompt == TokenSources(num_computed=30)
    assert again.prompt == TokenSources(num_live=28, num_computed=2)
    assert (first.reading, first.num_tokens, first.kept) == ("plain", 32, ())


def test_blocks_that_gave_way_are_found_in_host_memory() -> None:
    engine = make(num_blocks=9, tiers=Tiers(32, host_bytes=1000))
    ask(engine)
    ask(engine, [40] * 30)
    sources = ask(engine).prompt
    assert sources.num_host > 0
    assert sources.num_tokens == 30


def test_a_segment_computed_on_behalf_of_a_prompt_is_computed_and_live_for_the_next() -> None:
    engine = make()
    first = ask(engine, segments=SEGMENTS[:1])
    both = ask(engine, segments=SEGMENTS)
    assert first.reading == "independent"
    assert first.segments == ((0, TokenSources(num_computed=8)),)
    assert both.segments == ((0, TokenSources(num_live=8)), (1, TokenSources(num_computed=8)))
    assert both.prompt.num_tokens == 30


def test_segments_of_a_plain_prompt_are_told_too() -> None:
    engine = make(slices="off")
    first, again = ask(engine, segments=SEGMENTS), ask(engine, segments=SEGMENTS)
    assert first.reading == again.reading == "plain"
    assert [sources for _, sources in first.segments] == [TokenSources(num_computed=8)] * 2
    assert [sources for _, sources in again.segments] == [TokenSources(num_live=8)] * 2


def test_segments_go_by_their_numbers_in_the_document() -> None:
    report = ask(make(), segments=SEGMENTS, chosen=(3, 7))
    assert [number for number, _ in report.segments] == [3, 7]


def test_queries_and_pairs_are_those_of_the_request_alone() -> None:
    engine = make()
    ask(engine)
    report = ask(engine)
    # Two tokens of the prompt that fill no block, and one of the answer.
    assert report.num_queries == 3
    assert report.num_attended_pairs == report.num_dense_pairs == 29 + 30 + 31


def test_a_request_cut_off_before_it_had_blocks_has_no_report() -> None:
    engine = make()

    class Done:
        is_accepting = is_finished = True

        def forced_tokens(self) -> list[int]:
            return []

    request = GenerationRequest((), sampling=SamplingParams(max_tokens=2))
    engine.add_request(request, PROMPT, Done())
    (finished,) = engine.step()
    assert finished.generation.cache is None


@pytest.mark.parametrize("part", ["num_live", "num_host", "num_disk", "num_computed"])
def test_sources_add_up(part) -> None:
    one, two = TokenSources(1, 2, 3, 4), TokenSources(**{part: 5})
    assert (one + two).num_tokens == 15
    assert getattr(one + two, part) == getattr(one, part) + 5
