"""When sequences get windows, and what they answer from then on, over a runner without a model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import torch
from paged_fake import PagedFakeRunner, logits_after

from assay.engine.engine import Engine
from assay.engine.windows import WindowKeeper
from assay.kv_cache.manager import SparseKVManager
from assay.kv_cache.policies.base import View
from assay.types import GenerationRequest, SamplingParams

VOCAB, EOS, BLOCK = 50, 0, 4
PROMPT = list(range(1, 38))


@dataclass(frozen=True)
class EveryOther:
    """Keeps the tokens of odd places, or of even ones whenever it is asked again."""

    acts_in_prefill: bool = False
    refreshes: bool = False
    keeps_all: bool = False
    num_recent: int = 6
    min_tokens: int = 0
    granule: int = 1

    def prepare(self, view: View) -> list[int]:
        return []

    def select(self, view: View, prepared: list[int]) -> torch.Tensor:
        prepared.append(view.num_candidates)
        places = torch.arange(view.first_token, view.first_token + view.num_candidates)
        return (places % 2 == len(prepared) % 2)[None, None]


def make(policy, *, num_blocks: int = 64, budget: int = 64, interval: int = 3, **settings):
    runner = PagedFakeRunner(num_blocks, BLOCK, VOCAB)
    lookahead = budget if policy.acts_in_prefill else None
    manager = SparseKVManager(num_blocks, BLOCK, lookahead=lookahead, **settings)
    engine = Engine(
        runner,
        manager,
        token_bytes=lambda token_id: b"x",
        eos_token_ids=[EOS],
        vocab_size=VOCAB,
        max_model_len=200,
        max_num_seqs=4,
        max_num_batched_tokens=budget,
        keeper=WindowKeeper(policy, manager, runner.pairs_of, interval=interval),
    )
    return engine, manager, runner


def add(engine: Engine, prompt: list[int] = PROMPT, max_tokens: int = 5) -> int:
    request = GenerationRequest((), sampling=SamplingParams(max_tokens=max_tokens))
    return engine.add_request(request, prompt)


def run(engine: Engine) -> list[int]:
    """The tokens of the one answer."""
    finished = []
    while engine.has_work:
        finished += engine.step()
        engine.check_integrity()
    assert engine.num_held_blocks == 0
    return [token.token_id for token in finished[0].generation.tokens]


def best(context: list[int]) -> int:
    return 1 + int(np.argmax(logits_after(context, VOCAB)[1:]))


@pytest.fixture(autouse=True)
def _never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model never chooses to stop."""
    import paged_fake

    def logits(token_ids, vocab_size):
        found = logits_after(token_ids, vocab_size)
        found[EOS] = -100
        return found

    monkeypatch.setattr(paged_fake, "logits_after", logits)


def test_from_the_second_token_on_answers_come_from_what_was_kept() -> None:
    engine, manager, _ = make(EveryOther())
    add(engine)
    # 37 tokens less 6, in whole blocks.
    end = 28
    expected = [best(PROMPT)]
    kept = [token for place, token in enumerate(PROMPT[:end]) if place % 2 == 1]
    while len(expected) < 5:
        expected.append(best(kept + PROMPT[end:] + expected))
    engine.step()
    (sequence,) = engine.scheduler.sequences()
    assert sequence.num_windowed_tokens == end
    assert sequence.window.num_pairs == 14
    # 10 tokens in blocks, and 14 pairs on 4 pages of one layer and head.
    assert (len(sequence.block_table), manager.windows.pages.num_blocks) == (3, 4)
    assert run(engine) == expected


def test_pairs_are_counted_as_they_are_attended() -> None:
    engine, _, _ = make(EveryOther())
    add(engine, max_tokens=3)
    run(engine)
    prefill = 37 * 38 // 2
    assert engine.pairs.num_dense == prefill + 38 + 39
    assert engine.pairs.num_attended == prefill + (14 + 10) + (14 + 11)


def test_in_prefill_old_tokens_go_before_new_ones_come() -> None:
    engine, _, runner = make(EveryOther(acts_in_prefill=True), budget=8)
    add(engine)
    held = 0
    while engine.has_work:
        engine.step()
        engine.check_integrity()
        held = max(held, engine.num_held_blocks)
    # Kept: 14 pairs, each batch of them on a page it shares with the last; recent: 6 and a chunk.
    assert held <= 4 + 5 < 10
    assert max(item.end for step in runner.schedules for item in step.sequences) <= 6 + 3 + 8


def test_what_is_chosen_anew_comes_from_blocks_that_are_still_cached() -> None:
    engine, manager, _ = make(EveryOther(refreshes=True), interval=2)
    add(engine, max_tokens=6)
    answer = run(engine)
    assert engine._keeper.num_refreshed >= 2
    other, _, _ = make(EveryOther(), interval=2)
    add(other, max_tokens=6)
    assert answer != run(other)
    assert manager.pool.num_cached > 0


def test_what_is_gone_from_the_cache_is_not_chosen_from() -> None:
    engine, manager, _ = make(EveryOther(refreshes=True), interval=2)
    add(engine, max_tokens=6)
    engine.step()
    manager.pool.forget()
    run(engine)
    assert engine._keeper.num_refreshed == 0


def test_without_room_for_a_window_a_sequence_stays_whole() -> None:
    engine, manager, _ = make(EveryOther(), num_blocks=11)
    add(engine, max_tokens=2)
    engine.step()
    (sequence,) = engine.scheduler.sequences()
    assert sequence.window is None
    assert manager.windows.num_refused == 1
    assert run(engine) == [best(PROMPT), best([*PROMPT, best(PROMPT)])]


def test_what_is_computed_behind_a_window_is_nobody_elses() -> None:
    engine, manager, _ = make(EveryOther(acts_in_prefill=True), budget=8)
    add(engine)
    run(engine)
    assert manager.pool.num_cached == 4
    plain, other, _ = make(EveryOther(acts_in_prefill=True), budget=64)
    add(plain)
    run(plain)
    assert other.pool.num_cached == 9


def test_a_preempted_sequence_is_decided_on_again() -> None:
    engine, _, _ = make(EveryOther(), num_blocks=26, enable_prefix_caching=False)
    first, second = add(engine, max_tokens=40), add(engine, max_tokens=40)
    windows = set()
    while engine.has_work:
        engine.step()
        engine.check_integrity()
        windows |= {
            (item.seq_id, item.num_preemptions)
            for item in engine.scheduler.sequences()
            if item.window is not None
        }
    assert engine.scheduler.num_preemptions > 0
    assert {(first, 0), (second, 0), (second, 1)} <= windows
