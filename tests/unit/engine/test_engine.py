"""Engine: requests in, answers out, on a runner that answers from what it reads in the cache."""

from threading import Event, Timer

import numpy as np
import pytest
from kernel_references import needs_kernels
from paged_fake import PagedFakeRunner, logits_after
from tiny import tiny_tokenizer, tiny_vocabulary

from assay.decoding.matcher import compile_constraint
from assay.engine.engine import Engine
from assay.errors import CorruptModelError, GrammarTooComplexError, InputError, PromptTooLongError
from assay.kv_cache.manager import SparseKVManager
from assay.types import (
    GenerationRequest,
    JsonConstraint,
    Message,
    RegexConstraint,
    SamplingParams,
)

VOCAB_SIZE = tiny_tokenizer().vocab_size
EOS = tiny_tokenizer().eos_token_ids[0]
TIMEOUT_S = 10
PROMPT = tiny_tokenizer().encode("Who is the buyer?")
CHOICE = JsonConstraint(
    {
        "type": "object",
        "properties": {"party": {"enum": ["the buyer", "the seller"]}, "n": {"type": "boolean"}},
        "required": ["party", "n"],
        "additionalProperties": False,
    }
)


def make_engine(num_blocks=128, block_size=4, **options) -> Engine:
    defaults = {"max_model_len": 400, "max_num_seqs": 4, "max_num_batched_tokens": 32}
    tokenizer = tiny_tokenizer()
    return Engine(
        PagedFakeRunner(num_blocks, block_size, VOCAB_SIZE),
        SparseKVManager(num_blocks, block_size),
        token_bytes=tokenizer.token_bytes,
        eos_token_ids=tokenizer.eos_token_ids,
        vocab_size=VOCAB_SIZE,
        **{**defaults, **options},
    )


def add(engine: Engine, constraint=None, prompt=PROMPT, **sampling) -> int:
    request = GenerationRequest(
        (Message("user", "?"),), constraint=constraint, sampling=SamplingParams(**sampling)
    )
    matcher = compile_constraint(constraint, tiny_vocabulary()) if constraint else None
    return engine.add_request(request, prompt, matcher)


def drain(engine: Engine) -> dict:
    finished = {}
    while engine.has_work:
        for item in engine.step():
            finished[item.request_id] = item.generation or item.error
        engine.check_integrity()
    return finished


def greedy(prompt: list[int], num_tokens: int) -> list[int]:
    """What plain greedy decoding of the fake model gives, without engine or cache."""
    token_ids = list(prompt)
    while len(token_ids) < len(prompt) + num_tokens:
        token_id = int(np.argmax(logits_after(token_ids, VOCAB_SIZE)))
        if token_id == EOS:
            break
        token_ids.append(token_id)
    return token_ids[len(prompt) :]


def test_an_answer_is_what_plain_greedy_decoding_gives():
    engine = make_engine()
    add(engine, max_tokens=9)
    generation = drain(engine)[0]
    assert [token.token_id for token in generation.tokens] == greedy(PROMPT, 9)
    assert generation.finish_reason == "length"
    assert generation.text == tiny_tokenizer().decode(greedy(PROMPT, 9))
    assert generation.usage.num_decoded_tokens == 9


def test_the_texts_of_the_tokens_join_to_the_text():
    engine = make_engine()
    for length in range(3, 12):
        add(engine, prompt=PROMPT[:length], max_tokens=12)
    for generation in drain(engine).values():
        assert "".join(token.text for token in generation.tokens) == generation.text


def test_the_end_token_ends_an_answer_and_is_not_part_of_it():
    engine = make_engine()
    run, original = engine._runner.run, greedy(PROMPT, 3)

    def run_to_eos(schedule):
        logits = run(schedule)
        if schedule.sequences[0].end == len(PROMPT) + 3:
            logits[0, EOS] = 100.0
        return logits

    engine._runner.run = run_to_eos
    add(engine)
    generation = drain(engine)[0]
    assert [token.token_id for token in generation.tokens] == original
    assert generation.finish_reason == "stop"


def test_a_constrained_answer_is_valid_and_its_forced_tokens_cost_no_step():
    engine = make_engine()
    add(engine, CHOICE)
    generation = drain(engine)[0]
    assert generation.finish_reason == "stop"
    assert generation.text.startswith('{"party": "the ')
    forced = [token for token in generation.tokens if token.forced]
    assert all(token.logprob == 0.0 and token.margin == 1.0 for token in forced)
    assert generation.usage.num_forced_tokens >= 15
    assert generation.usage.num_decoded_tokens == 2
    assert len(engine._runner.schedules) == 2


def test_tokens_forced_at_the_start_are_computed_with_the_prompt():
    engine = make_engine()
    add(engine, CHOICE)
    engine.step()
    assert engine._runner.schedules[0].num_tokens > len(PROMPT)
    assert engine._runner.schedules[0].sequences[0].num_logits == 1


def test_an_answer_that_is_wholly_forced_costs_no_step_at_all():
    engine = make_engine()
    add(engine, RegexConstraint("the pa"))
    generation = drain(engine)[0]
    assert (generation.text, generation.finish_reason) == ("the pa", "stop")
    assert engine._runner.schedules == []


def test_fast_forward_off_gives_the_same_answer_in_more_steps():
    fast, slow = make_engine(), make_engine(enable_fast_forward=False)
    for engine in (fast, slow):
        add(engine, CHOICE)
    assert drain(fast)[0] == drain(slow)[0]
    assert len(slow._runner.schedules) > 2 * len(fast._runner.schedules)


@pytest.mark.parametrize("max_tokens", [1, 5, 20])
def test_a_constrained_answer_that_runs_out_of_tokens_says_so(max_tokens):
    engine = make_engine()
    add(engine, CHOICE, max_tokens=max_tokens)
    generation = drain(engine)[0]
    assert generation.finish_reason == "length"
    assert len(generation.tokens) == max_tokens


def test_an_answer_of_exactly_max_tokens_that_is_complete_has_not_been_cut():
    engine = make_engine()
    add(engine, CHOICE)
    num_tokens = len(drain(engine)[0].tokens)
    add(engine, CHOICE, max_tokens=num_tokens)
    assert drain(engine)[1].finish_reason == "stop"


def test_a_stop_string_over_several_tokens_cuts_the_text_before_it():
    text = tiny_tokenizer().decode(greedy(PROMPT, 12))
    stop = text[4:7]
    place = text.index(stop)
    engine = make_engine()
    add(engine, stop=(stop,), max_tokens=30)
    generation = drain(engine)[0]
    assert generation.finish_reason == "stop"
    assert generation.text == text[:place]
    assert "".join(token.text for token in generation.tokens) == generation.text


def test_equal_prompts_share_their_blocks_and_say_so():
    engine = make_engine()
    for _ in range(3):
        add(engine, max_tokens=4)
    usages = [generation.usage for _, generation in sorted(drain(engine).items())]
    shared = (len(PROMPT) - 1) // 4 * 4
    assert [usage.num_cached_tokens for usage in usages] == [0, shared, shared]


def test_many_at_once_get_what_each_would_get_alone_even_when_blocks_run_out():
    engine = make_engine(num_blocks=12, max_num_batched_tokens=8)
    prompts = [PROMPT[start:] for start in range(6)]
    for prompt in prompts:
        add(engine, prompt=prompt, max_tokens=15)
    finished = drain(engine)
    assert engine.scheduler.num_preemptions > 0
    for request_id, prompt in enumerate(prompts):
        tokens = finished[request_id].tokens
        assert [token.token_id for token in tokens] == greedy(prompt, 15)
    assert engine._manager.pool.num_free == 12


def test_a_seeded_answer_is_the_same_alone_and_among_others():
    alone, among = make_engine(), make_engine(max_num_batched_tokens=9)
    add(alone, temperature=1.0, seed=3, max_tokens=8)
    for start in range(3):
        add(among, prompt=PROMPT[start + 1 :], temperature=1.0, max_tokens=8)
    last = add(among, temperature=1.0, seed=3, max_tokens=8)
    ids = [token.token_id for token in drain(alone)[0].tokens]
    assert [token.token_id for token in drain(among)[last].tokens] == ids
    assert ids != greedy(PROMPT, 8)


@needs_kernels
def test_compiled_operators_change_no_answer():
    """Free, constrained and drawn rows side by side."""
    answers = []
    for kernels in ("torch", "native"):
        engine = make_engine(kernels=kernels)
        add(engine, max_tokens=12)
        add(engine, CHOICE)
        add(engine, prompt=PROMPT[1:], temperature=1.0, seed=3, max_tokens=12)
        add(engine, prompt=PROMPT[2:], num_logprobs=2, max_tokens=12)
        answers.append(drain(engine))
    for plain, compiled in zip(answers[0].values(), answers[1].values(), strict=True):
        assert compiled.text == plain.text
        for token, expected in zip(compiled.tokens, plain.tokens, strict=True):
            assert token.token_id == expected.token_id
            assert token.logprob == pytest.approx(expected.logprob, abs=1e-5)
            assert token.margin == pytest.approx(expected.margin, abs=1e-5)


def test_a_cancelled_request_never_comes_back_and_leaves_nothing():
    engine = make_engine()
    gone, kept = add(engine), add(engine, prompt=PROMPT[1:], max_tokens=3)
    engine.step()
    engine.cancel(gone)
    assert list(drain(engine)) == [kept]
    assert engine._manager.pool.num_free == 128


def test_a_request_cancelled_before_it_is_told_of_its_end_never_comes_back():
    engine = make_engine()
    engine.cancel(add(engine, RegexConstraint("the pa")))
    assert not engine.has_work


def test_a_prompt_longer_than_the_model_is_refused():
    engine = make_engine(max_model_len=30)
    with pytest.raises(PromptTooLongError, match="30 positions"):
        add(engine, max_tokens=30)
    with pytest.raises(InputError, match="empty"):
        add(engine, prompt=[])
    assert not engine.has_work


def test_a_constraint_that_fails_midway_fails_its_own_request_only():
    class Failing:
        is_accepting = is_finished = False

        def forced_tokens(self):
            return []

        def fill_mask(self, row):
            raise GrammarTooComplexError("too many states")

        def advance(self, *token_ids): ...

    engine = make_engine()
    request = GenerationRequest((), constraint=CHOICE, sampling=SamplingParams(max_tokens=9))
    failing = engine.add_request(request, PROMPT, Failing())
    other = add(engine, CHOICE, prompt=PROMPT[1:])
    finished = drain(engine)
    assert isinstance(finished[failing], GrammarTooComplexError)
    assert finished[other].finish_reason == "stop"


def test_logits_that_are_not_numbers_fail_the_request_with_an_error():
    engine = make_engine()
    run = engine._runner.run
    engine._runner.run = lambda schedule: run(schedule) * float("nan")
    add(engine)
    assert isinstance(drain(engine)[0], CorruptModelError)


def test_aborting_drops_everything_and_forgets_the_cache():
    engine = make_engine()
    first = add(engine)
    engine.step()
    done = add(engine, RegexConstraint("the pa"))
    assert engine.abort() == [first, done]
    assert not engine.has_work
    engine.check_integrity()
    add(engine, max_tokens=2)
    assert drain(engine)[2].usage.num_cached_tokens == 0


class Watched:
    """A constraint that allows everything and tells when it is asked what is legal."""

    is_accepting = is_finished = False

    def __init__(self) -> None:
        self.asked, self.may_answer, self.is_busy = Event(), Event(), False
        self.may_answer.set()

    def fill_mask(self, row) -> None:
        self.is_busy = True
        self.asked.set()
        assert self.may_answer.wait(TIMEOUT_S)
        row[:] = -1
        self.is_busy = False

    def advance(self, *token_ids): ...

    def rollback(self, num_tokens): ...

    def forced_tokens(self):
        return []


def test_legal_tokens_are_found_while_the_model_runs():
    engine, watched = make_engine(), Watched()
    run = engine._runner.run

    def run_until_asked(schedule):
        assert watched.asked.wait(TIMEOUT_S)
        watched.asked.clear()
        return run(schedule)

    engine._runner.run = run_until_asked
    request = GenerationRequest((), sampling=SamplingParams(max_tokens=3))
    engine.add_request(request, PROMPT, watched)
    assert [token.token_id for token in drain(engine)[0].tokens] == greedy(PROMPT, 3)


def test_a_model_that_fails_leaves_no_constraint_in_use():
    engine, watched = make_engine(), Watched()
    watched.may_answer.clear()

    def fail(schedule):
        assert watched.asked.wait(TIMEOUT_S)
        Timer(0.01, watched.may_answer.set).start()
        raise MemoryError

    engine._runner.run = fail
    engine.add_request(GenerationRequest(()), PROMPT, watched)
    with pytest.raises(MemoryError):
        engine.step()
    assert not watched.is_busy


def test_a_forced_run_joins_the_prefill_of_another_request():
    """Two answers that decide twice each, one a step behind the other, take three steps."""
    engine = make_engine(max_num_batched_tokens=64)
    add(engine, CHOICE)
    engine.step()
    add(engine, CHOICE, prompt=PROMPT[3:])
    assert len(drain(engine)) == 2
    counts = [len(schedule.sequences) for schedule in engine._runner.schedules]
    assert counts == [1, 2, 1]
    assert len(engine._runner.schedules[1].sequences[0].token_ids) > 5, "a forced run"


def test_more_requests_than_the_blocks_can_hold_at_once_all_get_their_answer():
    engine = make_engine(num_blocks=8, max_num_batched_tokens=16)
    for start in range(12):
        add(engine, prompt=[*PROMPT[:8], start], max_tokens=6)
    finished = drain(engine)
    assert len(finished) == 12
    assert all(len(generation.tokens) == 6 for generation in finished.values())
