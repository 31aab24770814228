"""EngineThread: every request gets its answer or an error, whatever happens."""

from concurrent.futures import Future
from threading import Event, Thread

import pytest
from paged_fake import PagedFakeRunner
from tier_parts import open_disk
from tiny import tiny_tokenizer

from assay.engine.engine import Engine
from assay.engine.thread import EngineThread
from assay.errors import AssayError, EngineStoppedError, PromptTooLongError
from assay.kv_cache.manager import SparseKVManager
from assay.kv_cache.tiers.tiers import Tiers
from assay.kv_cache.tiers.writer import DiskWriter
from assay.types import GenerationRequest, Message, SamplingParams

PROMPT = tiny_tokenizer().encode("Who is the buyer?")
TIMEOUT_S = 10


class GatedRunner(PagedFakeRunner):
    """Waits before each step until `gate` is set; tells in `entered` that it has begun."""

    def __init__(self) -> None:
        super().__init__(64, 4, tiny_tokenizer().vocab_size)
        self.gate, self.entered = Event(), Event()
        self.gate.set()

    def run(self, schedule):
        self.entered.set()
        assert self.gate.wait(TIMEOUT_S)
        return super().run(schedule)


@pytest.fixture
def runner():
    return GatedRunner()


@pytest.fixture
def engine(runner):
    return Engine(
        runner,
        SparseKVManager(64, 4),
        token_bytes=tiny_tokenizer().token_bytes,
        eos_token_ids=tiny_tokenizer().eos_token_ids,
        vocab_size=tiny_tokenizer().vocab_size,
        max_model_len=200,
        max_num_seqs=4,
        max_num_batched_tokens=32,
    )


@pytest.fixture
def thread(engine, runner):
    thread = EngineThread(engine)
    yield thread
    runner.gate.set()
    thread.close()


def submit(thread: EngineThread, max_tokens: int = 4, prompt=PROMPT) -> tuple[int, Future]:
    request = GenerationRequest(
        (Message("user", "?"),), sampling=SamplingParams(max_tokens=max_tokens)
    )
    future: Future = Future()

    def deliver(result) -> None:
        if isinstance(result, AssayError):
            future.set_exception(result)
        else:
            future.set_result(result)

    return thread.submit(request, prompt, None, deliver), future


def test_answers_are_delivered(thread):
    futures = [submit(thread)[1] for _ in range(5)]
    texts = {future.result(TIMEOUT_S).text for future in futures}
    assert len(texts) == 1


def test_a_request_that_is_refused_gets_its_error_and_the_others_their_answers(thread):
    _, bad = submit(thread, max_tokens=300)
    _, good = submit(thread)
    with pytest.raises(PromptTooLongError):
        bad.result(TIMEOUT_S)
    assert good.result(TIMEOUT_S).finish_reason == "length"


def test_a_step_that_fails_fails_those_in_it_and_the_next_request_is_served(
    thread, runner, engine, caplog
):
    expected = submit(thread)[1].result(TIMEOUT_S).text
    runner.fail_next = RuntimeError("out of memory")
    _, failed = submit(thread)
    with pytest.raises(EngineStoppedError, match="out of memory"):
        failed.result(TIMEOUT_S)
    again = submit(thread)[1].result(TIMEOUT_S)
    assert again.text == expected
    assert again.usage.num_cached_tokens == 0
    engine.check_integrity()
    assert "an engine step failed" in caplog.text


def test_closing_saves_the_cache_for_the_next_engine(engine, thread, tmp_path):
    contents = engine._manager.contents
    contents.tiers = Tiers(32, host_bytes=0, writer=DiskWriter(open_disk(tmp_path, 64)))
    submit(thread)[1].result(TIMEOUT_S)
    num_cached = contents.pool.num_cached
    thread.close()
    assert thread.cache_statistics.num_saved == num_cached > 0
    again = open_disk(tmp_path, 64)
    assert len(again) == num_cached
    again.close()


def test_a_cancelled_request_leaves_after_the_step_in_progress(thread, runner, engine):
    runner.gate.clear()
    ticket, cancelled = submit(thread, max_tokens=100)
    assert runner.entered.wait(TIMEOUT_S)
    thread.cancel(ticket)
    runner.gate.set()
    submit(thread, prompt=PROMPT[1:])[1].result(TIMEOUT_S)
    assert not cancelled.done()
    assert len([s for s in runner.schedules if len(s.sequences) > 1]) == 0
    assert engine._manager.pool.num_free == 64


def test_closing_fails_what_is_in_flight_and_what_comes_later(thread, runner):
    runner.gate.clear()
    _, running = submit(thread, max_tokens=100)
    assert runner.entered.wait(TIMEOUT_S)
    _, queued = submit(thread)
    runner.gate.set()
    thread.close()
    for future in (running, queued):
        with pytest.raises(EngineStoppedError, match="closed with the request in flight"):
            future.result(TIMEOUT_S)
    with pytest.raises(EngineStoppedError):
        submit(thread)
    thread.close()


def test_the_books_are_read_between_steps_whatever_is_in_flight(thread, runner):
    runner.gate.clear()
    ticket, _ = submit(thread, max_tokens=100)
    assert runner.entered.wait(TIMEOUT_S)
    held = thread.check_integrity()
    assert not held.done(), "read while a step was running"
    runner.gate.set()
    assert held.result(TIMEOUT_S) > 0
    thread.cancel(ticket)
    assert thread.check_integrity().result(TIMEOUT_S) == 0


def test_who_asks_for_the_books_is_told_of_a_broken_invariant(thread, engine):
    submit(thread)[1].result(TIMEOUT_S)
    engine._manager.pool.allocate(1)
    with pytest.raises(AssertionError, match="1 references, 0 holders"):
        thread.check_integrity().result(TIMEOUT_S)
    assert submit(thread)[1].result(TIMEOUT_S).text


def test_who_asks_for_the_books_of_a_closing_engine_is_told(thread, runner):
    runner.gate.clear()
    submit(thread, max_tokens=100)
    assert runner.entered.wait(TIMEOUT_S)
    asked = thread.check_integrity()
    closing = Thread(target=thread.close)
    closing.start()
    while not thread._is_closing:
        pass
    runner.gate.set()
    closing.join(TIMEOUT_S)
    with pytest.raises(EngineStoppedError):
        asked.result(TIMEOUT_S)
    with pytest.raises(EngineStoppedError):
        thread.check_integrity()


def test_a_receiver_that_fails_harms_nobody_else(thread, caplog):
    def fail(_):
        raise RuntimeError("receiver is gone")

    thread.submit(GenerationRequest((), sampling=SamplingParams(max_tokens=2)), PROMPT, None, fail)
    assert submit(thread)[1].result(TIMEOUT_S).text
    assert "could not be delivered" in caplog.text


def test_an_engine_that_dies_leaves_nobody_waiting(thread, engine, runner, caplog):
    def abort():
        raise RuntimeError("cannot abort either")

    engine.abort = abort
    runner.fail_next = RuntimeError("first")
    _, failed = submit(thread)
    with pytest.raises(EngineStoppedError, match="cannot abort either"):
        failed.result(TIMEOUT_S)
    thread._thread.join(TIMEOUT_S)
    with pytest.raises(EngineStoppedError):
        submit(thread)
