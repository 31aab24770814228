"""Drafts in the engine, on a model that says again what its prompt says."""

import numpy as np
import pytest
import torch
from paged_fake import PagedFakeRunner, logits_after
from tiny import tiny_tokenizer

from assay.engine.engine import Engine
from assay.errors import GrammarTooComplexError
from assay.kv_cache.manager import SparseKVManager
from assay.types import GenerationRequest, Message, SamplingParams

VOCAB_SIZE = tiny_tokenizer().vocab_size
EOS = tiny_tokenizer().eos_token_ids[0]


class MarkovRunner(PagedFakeRunner):
    """As its base, but what comes next depends on the last token alone."""

    def run(self, schedule):
        super().run(schedule)
        rows = []
        for item in schedule.sequences:
            for offset in range(len(item.token_ids) - item.num_logits, len(item.token_ids)):
                rows.append(logits_after([item.token_ids[offset]], VOCAB_SIZE))
        return torch.tensor(np.array(rows).reshape(len(rows), VOCAB_SIZE)).float()


def walk(start: int, num_tokens: int) -> list[int]:
    """What the model says after `start`."""
    token_ids = [start]
    while len(token_ids) <= num_tokens:
        token_ids.append(int(np.argmax(logits_after(token_ids[-1:], VOCAB_SIZE))))
    return token_ids


def make_engine(num_blocks=128, **options) -> Engine:
    return Engine(
        MarkovRunner(num_blocks, 4, VOCAB_SIZE),
        SparseKVManager(num_blocks, 4),
        token_bytes=tiny_tokenizer().token_bytes,
        eos_token_ids=[EOS],
        vocab_size=VOCAB_SIZE,
        max_model_len=400,
        max_num_seqs=4,
        max_num_batched_tokens=64,
        **options,
    )


def answer(engine: Engine, prompt: list[int], max_tokens=24):
    request = GenerationRequest(
        (Message("user", "?"),), sampling=SamplingParams(max_tokens=max_tokens)
    )
    engine.add_request(request, prompt)
    while True:
        for finished in engine.step():
            engine.check_integrity()
            assert not engine.has_work
            return finished.generation or finished.error
        engine.check_integrity()


@pytest.fixture
def prompt() -> list[int]:
    """A walk of the model from some token, and that token again."""
    start = next(
        start
        for start in range(VOCAB_SIZE)
        if EOS not in (path := walk(start, 30)) and len(set(path)) > 12
    )
    return [*walk(start, 30), start]


def test_an_answer_that_its_prompt_holds_takes_a_fraction_of_the_steps(prompt):
    plain, drafting = make_engine(), make_engine(max_draft_tokens=6)
    expected, drafted = answer(plain, prompt), answer(drafting, prompt)
    assert drafted == expected
    num_plain, num_drafting = (len(engine._runner.schedules) for engine in (plain, drafting))
    assert num_plain == 24
    assert num_drafting <= 8
    assert drafting.num_accepted_tokens == 24 - num_drafting


def test_where_the_prompt_went_on_differently_the_answer_is_the_models(prompt):
    misleading = [*prompt[:8], prompt[0]]
    plain, drafting = make_engine(), make_engine(max_draft_tokens=6)
    assert answer(drafting, misleading) == answer(plain, misleading)
    assert 0 < drafting.num_accepted_tokens < drafting.num_drafted_tokens


def test_rejected_tokens_are_in_no_block_that_others_find(prompt):
    """The next request shares what the first has published, and still answers rightly."""
    misleading = [*prompt[:8], prompt[0]]
    drafting = make_engine(max_draft_tokens=6)
    first = answer(drafting, misleading)
    longer = [*misleading, *(token.token_id for token in first.tokens[:-1])]
    drafted = answer(drafting, longer)
    assert drafted.usage.num_cached_tokens > len(misleading)
    assert drafted.tokens == answer(make_engine(), longer).tokens


def test_nothing_is_drafted_past_the_most_tokens_that_are_asked_for(prompt):
    drafting = make_engine(max_draft_tokens=6)
    generation = answer(drafting, prompt, max_tokens=5)
    assert len(generation.tokens) == 5
    ends = [item.end for step in drafting._runner.schedules for item in step.sequences]
    assert max(ends) <= len(prompt) + 5


def test_a_constraint_that_fails_under_a_draft_fails_its_request_alone(prompt):
    class Failing:
        is_accepting = is_finished = False
        num_taken = 0

        def forced_tokens(self):
            return []

        def rollback(self, num_tokens):
            self.num_taken -= num_tokens

        def fill_mask(self, row):
            if self.num_taken > 4:
                raise GrammarTooComplexError("too many states")
            row[:] = -1

        def advance(self, *token_ids):
            self.num_taken += len(token_ids)

    engine = make_engine(max_draft_tokens=6)
    request = GenerationRequest((), None, SamplingParams(max_tokens=20))
    failing = engine.add_request(request, prompt, Failing())
    other = engine.add_request(request, prompt, None)
    finished = {}
    while engine.has_work:
        finished |= {item.request_id: item for item in engine.step()}
        engine.check_integrity()
    assert isinstance(finished[failing].error, GrammarTooComplexError)
    assert len(finished[other].generation.tokens) == 20
    assert engine._manager.pool.num_free == 128
