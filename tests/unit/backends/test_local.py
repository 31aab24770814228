"""LocalBackend: event loops, cancellation and closing around an engine."""

import asyncio
import threading
from types import SimpleNamespace

import pytest
from paged_fake import PagedFakeRunner, make_fake_engine
from tiny import tiny_tokenizer, tiny_vocabulary

from assay.backends.local import LocalBackend
from assay.backends.trials import Case
from assay.engine.config import EngineConfig
from assay.engine.load import LoadedEngine
from assay.engine.thread import EngineThread
from assay.engine.warmup import Step
from assay.errors import (
    EngineStoppedError,
    GrammarTooComplexError,
    InvalidGrammarError,
    ModelNotPulledError,
)
from assay.types import (
    GenerationRequest,
    JsonConstraint,
    Message,
    RegexConstraint,
    SamplingParams,
    Source,
)

TIMEOUT_S = 10


class GatedRunner(PagedFakeRunner):
    """Waits before each step until `gate` is set; tells in `entered` that it has begun."""

    def __init__(self) -> None:
        super().__init__(256, 4, tiny_tokenizer().vocab_size)
        self.gate, self.entered = threading.Event(), threading.Event()
        self.gate.set()

    def run(self, schedule):
        self.entered.set()
        assert self.gate.wait(TIMEOUT_S)
        return super().run(schedule)


@pytest.fixture
def served(monkeypatch):
    """A back end on an engine with a fake runner: `served.backend`, `.runner`, `.engine`."""
    runner = GatedRunner()
    engine = make_fake_engine(runner)
    loads = []

    def load(packed, config) -> LoadedEngine:
        loads.append(config)
        return LoadedEngine(EngineThread(engine), None, tiny_tokenizer(), tiny_vocabulary())

    config = SimpleNamespace(max_position_embeddings=1000)
    monkeypatch.setattr("assay.backends.local.resolve_model", lambda name: name)
    monkeypatch.setattr(
        "assay.backends.local.load_packed", lambda path: SimpleNamespace(name=path, config=config)
    )
    monkeypatch.setattr("assay.engine.load.load_engine", load)
    backend = LocalBackend("tiny", config=EngineConfig(max_num_seqs=8, warm_up=False))
    yield SimpleNamespace(backend=backend, runner=runner, engine=engine, loads=loads)
    runner.gate.set()
    backend.close()


def ask(content="Who buys?", constraint=None, max_tokens=4) -> GenerationRequest:
    sampling = SamplingParams(max_tokens=max_tokens)
    return GenerationRequest((Message("user", content),), constraint, sampling)


async def entered(served) -> None:
    """Waits until a step has begun, without blocking the loop."""
    assert await asyncio.to_thread(served.runner.entered.wait, TIMEOUT_S)


def test_a_model_that_is_not_here_is_told_at_construction(tmp_path):
    with pytest.raises(ModelNotPulledError):
        LocalBackend(tmp_path / "nowhere")


def test_the_engine_starts_once_at_first_use(served):
    async def run():
        assert served.loads == []
        return await asyncio.gather(*(served.backend.generate(ask()) for _ in range(4)))

    assert len({generation.text for generation in asyncio.run(run())}) == 1
    assert served.loads == [EngineConfig(max_num_seqs=8, warm_up=False)]


def test_a_cancelled_task_frees_its_blocks_within_one_step(served):
    async def run():
        served.runner.gate.clear()
        task = asyncio.create_task(served.backend.generate(ask(max_tokens=600)))
        await entered(served)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        served.runner.gate.set()
        await served.backend.generate(ask("Another?"))

    asyncio.run(run())
    assert len(served.runner.schedules) <= 1 + 4
    served.engine.check_integrity()
    assert served.engine._manager.pool.num_free == 256


def test_its_books_can_be_checked_while_it_serves(served):
    async def run():
        served.runner.gate.clear()
        task = asyncio.create_task(served.backend.generate(ask(max_tokens=300)))
        await entered(served)
        check = asyncio.create_task(asyncio.to_thread(served.backend.check_integrity))
        while not served.backend._engine().thread._inbox:
            await asyncio.sleep(0)
        served.runner.gate.set()
        held = await check
        await task
        return held, served.backend.check_integrity()

    during, after = asyncio.run(run())
    assert after == 0 < during
    served.backend.close()
    with pytest.raises(EngineStoppedError):
        served.backend.check_integrity()


def test_closing_ends_every_call_in_flight(served):
    async def run():
        served.runner.gate.clear()
        tasks = [
            asyncio.create_task(served.backend.generate(ask(f"{i}?", max_tokens=300)))
            for i in range(3)
        ]
        await entered(served)
        closing = asyncio.create_task(asyncio.to_thread(served.backend.close))
        served.runner.gate.set()
        results = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), TIMEOUT_S)
        await closing
        return results

    assert {type(result) for result in asyncio.run(run())} == {EngineStoppedError}


def test_a_failing_step_is_an_error_to_its_calls_and_the_next_is_served(served, caplog):
    async def run():
        served.runner.fail_next = MemoryError("no memory")
        with pytest.raises(EngineStoppedError, match="no memory"):
            await served.backend.generate(ask())
        return await served.backend.generate(ask())

    assert asyncio.run(run()).text


def test_a_bad_constraint_never_reaches_the_engine(served):
    async def run():
        with pytest.raises(InvalidGrammarError):
            await served.backend.generate(ask(constraint=RegexConstraint("(")))

    asyncio.run(run())
    assert served.runner.schedules == []


def test_equal_requests_in_flight_are_computed_once(served):
    async def run(contents):
        return await asyncio.gather(*(served.backend.generate(ask(text)) for text in contents))

    alone = asyncio.run(run(["Who buys?"]))[0]
    num_steps = len(served.runner.schedules)
    together = asyncio.run(run(["Who sells?", *["Who buys, then?"] * 5]))
    assert len({generation.text for generation in together[1:]}) == 1
    assert len(served.runner.schedules) <= num_steps + 2 * 4
    assert max(len(step.sequences) for step in served.runner.schedules) <= 2
    assert alone.usage.num_requests == together[3].usage.num_requests == 1


def test_cancelling_one_of_two_equal_requests_leaves_the_other(served):
    async def run():
        served.runner.gate.clear()
        first = asyncio.create_task(served.backend.generate(ask(max_tokens=6)))
        second = asyncio.create_task(served.backend.generate(ask(max_tokens=6)))
        await entered(served)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await first
        served.runner.gate.set()
        return await asyncio.wait_for(second, TIMEOUT_S)

    assert len(asyncio.run(run()).tokens) == 6


def test_cancelling_all_of_several_equal_requests_frees_their_blocks(served):
    async def run():
        served.runner.gate.clear()
        tasks = [
            asyncio.create_task(served.backend.generate(ask(max_tokens=600))) for _ in range(3)
        ]
        await entered(served)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        served.runner.gate.set()
        await served.backend.generate(ask("Another?"))

    asyncio.run(run())
    assert len(served.runner.schedules) <= 1 + 4
    assert served.engine._manager.pool.num_free == 256


class GatedTrials:
    """Passes every constraint once `gate` is set; `entered` tells that one is being tried."""

    def __init__(self) -> None:
        self.known: set[bytes] = set()
        self.tried: list[bytes] = []
        self.gate, self.entered = threading.Event(), threading.Event()
        self.error: GrammarTooComplexError | None = None

    def is_known(self, case) -> bool:
        return case.digest in self.known

    def check(self, case, vocabulary) -> None:
        self.tried.append(case.digest)
        self.entered.set()
        assert self.is_known(case) or self.gate.wait(TIMEOUT_S)
        if self.error is not None:
            raise self.error

    def close(self) -> None:
        pass


@pytest.fixture
def trials(served):
    served.backend._trials = GatedTrials()
    yield served.backend._trials
    served.backend._trials.gate.set()


def at_risk(index: int) -> JsonConstraint:
    sources = tuple(Source(f"word {index}") for _ in range(300))
    return JsonConstraint({"type": "string", "x-verbatim": "word"}, sources)


def test_constraints_that_are_being_tried_keep_no_other_request_waiting(served, trials):
    async def run():
        tasks = [
            asyncio.create_task(served.backend.generate(ask(f"{index}?", at_risk(index))))
            for index in range(3)
        ]
        assert await asyncio.to_thread(trials.entered.wait, TIMEOUT_S)
        quick = await served.backend.generate(ask("Quick?", RegexConstraint("a|b")))
        trials.known.add(Case.of(at_risk(7)).digest)
        tried_before = await served.backend.generate(ask("Again?", at_risk(7)))
        assert not any(task.done() for task in tasks)
        trials.gate.set()
        return quick, tried_before, await asyncio.gather(*tasks)

    quick, tried_before, others = asyncio.run(run())
    assert quick.text in ("a", "b")
    assert tried_before.text.startswith('"')
    assert len(others) == 3


def test_what_fails_its_trial_is_never_compiled_here(served, trials, monkeypatch):
    trials.error = GrammarTooComplexError("too slow")
    trials.gate.set()
    monkeypatch.delattr("assay.decoding.matcher.compile_constraint")
    with pytest.raises(GrammarTooComplexError, match="too slow"):
        asyncio.run(served.backend.generate(ask(constraint=at_risk(0))))
    assert served.runner.schedules == []


def test_the_constraint_of_a_cancelled_call_is_not_tried(served, trials):
    async def run():
        first, second = (
            asyncio.create_task(served.backend.generate(ask(constraint=at_risk(index))))
            for index in range(2)
        )
        assert await asyncio.to_thread(trials.entered.wait, TIMEOUT_S)
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        trials.gate.set()
        await first
        await served.backend.generate(ask(constraint=at_risk(2)))

    asyncio.run(run())
    assert trials.tried == [Case.of(at_risk(index)).digest for index in (0, 2)]


def test_it_serves_one_event_loop_after_another(served):
    texts = [asyncio.run(served.backend.generate(ask())).text for _ in range(2)]
    assert texts[0] == texts[1]


def test_it_serves_event_loops_on_several_threads_at_once(served):
    texts: list[str] = []

    def run() -> None:
        texts.append(asyncio.run(served.backend.generate(ask())).text)

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(TIMEOUT_S)
    assert len(texts) == 3
    assert len(set(texts)) == 1


def test_a_loop_that_is_gone_harms_nobody_else(served):
    async def leave_behind():
        served.runner.gate.clear()
        task = asyncio.ensure_future(served.backend.generate(ask(max_tokens=3)))
        await entered(served)
        return task

    loop = asyncio.new_event_loop()
    task = loop.run_until_complete(leave_behind())
    task._log_destroy_pending = False
    loop.close()
    served.runner.gate.set()
    assert asyncio.run(served.backend.generate(ask("Another?"))).text
    # Closed here rather than at some later time by the garbage collector.
    task.get_coro().close()


def test_starting_warms_up_and_the_first_request_ends_it(served, monkeypatch):
    """What is not needed any more is not done beside a request."""
    entered, go_on, done = threading.Event(), threading.Event(), []

    def first(_):
        entered.set()
        assert go_on.wait(TIMEOUT_S)

    steps = (Step("first", first, ""), Step("second", done.append, ""))
    monkeypatch.setattr("assay.engine.warmup.chosen_steps", lambda kind: steps)
    served.backend.config = EngineConfig(max_num_seqs=8)
    served.backend.start()
    assert entered.wait(TIMEOUT_S)
    assert asyncio.run(served.backend.generate(ask())).text
    go_on.set()
    assert served.backend._warm_up.wait(TIMEOUT_S)
    assert done == []


def test_without_warm_up_nothing_is_computed_before_a_request(served):
    served.backend.start()
    assert served.backend._warm_up is None
    assert served.runner.schedules == []
