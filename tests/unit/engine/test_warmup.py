"""Warming up: what is chosen, what it leaves behind, and that it gives way."""

import json
from threading import Event
from types import SimpleNamespace

import pytest
from paged_fake import PagedFakeRunner, make_fake_engine
from tiny import tiny_tokenizer, tiny_vocabulary

from assay.engine.load import LoadedEngine
from assay.engine.thread import EngineThread
from assay.engine.warmup import STEPS, Step, WarmUp, chosen_steps
from assay.errors import UnsupportedModelError

TIMEOUT_S = 10


@pytest.fixture
def engine():
    """A loaded engine with a fake runner, which is `engine.thread._engine._runner`."""
    runner = PagedFakeRunner(256, 4, tiny_tokenizer().vocab_size)
    inner = make_fake_engine(runner)
    thread = EngineThread(inner)
    yield LoadedEngine(thread, None, tiny_tokenizer(), tiny_vocabulary())
    thread.close()


def test_the_record_chooses_for_each_kind_of_engine(tmp_path, monkeypatch) -> None:
    def entry(*names: str) -> dict:
        return {"steps": [{"name": name, "chosen": name in names} for name in STEPS]}

    path = tmp_path / "record.json"
    engines = {"int8/native": entry("spans", "vocabulary"), "bf16/native": entry("spans", "chunk")}
    path.write_text(json.dumps({"engines": engines}))
    monkeypatch.setattr("assay.engine.warmup.RECORD", path)
    chosen_steps.cache_clear()
    assert [step.name for step in chosen_steps("int8/native")] == ["vocabulary", "spans"]
    assert [step.name for step in chosen_steps("float32/torch")] == ["spans"]
    chosen_steps.cache_clear()


def test_the_package_has_a_record() -> None:
    assert "vocabulary" in [step.name for step in chosen_steps("int8/native")]


def test_every_step_runs_and_leaves_the_engine_as_it_was(engine) -> None:
    for name, step in STEPS.items():
        step.run(engine)
        assert not engine.thread._engine.has_work, name
    engine.thread._engine.check_integrity()
    assert engine.thread._engine._manager.pool.num_free == 256


def test_a_step_through_the_engine_is_computed_anew_each_time(engine) -> None:
    """Else a second call would be found in the prefix cache, and measured too short."""
    runner = engine.thread._engine._runner
    for _ in range(2):
        STEPS["chunk"].run(engine)
    tokens = [sum(len(s.token_ids) for s in step.sequences) for step in runner.schedules]
    assert sum(tokens[: len(tokens) // 2]) == sum(tokens[len(tokens) // 2 :]) > 64


def test_a_step_that_fails_harms_no_other(engine, caplog) -> None:
    done = []

    def fail(error):
        def run(_):
            raise error

        return run

    steps = [
        Step("untold", fail(UnsupportedModelError("no chat template")), ""),
        Step("broken", fail(KeyError("x")), ""),
        Step("last", lambda _: done.append(True), ""),
    ]
    assert WarmUp(engine, steps).wait(TIMEOUT_S)
    assert done == [True]
    assert [record.message for record in caplog.records] == ["warm-up: broken failed"]


def test_no_step_begins_once_it_is_to_give_way(engine) -> None:
    entered, go_on, done = Event(), Event(), []

    def wait(_):
        entered.set()
        assert go_on.wait(TIMEOUT_S)

    warm_up = WarmUp(engine, [Step("first", wait, ""), Step("second", done.append, "")])
    assert entered.wait(TIMEOUT_S)
    warm_up.give_way()
    go_on.set()
    assert warm_up.wait(TIMEOUT_S)
    assert done == []


def test_an_engine_that_closes_meanwhile_ends_it(engine) -> None:
    closed = SimpleNamespace(
        thread=engine.thread, tokenizer=engine.tokenizer, vocabulary=None, choices=None
    )
    engine.thread.close()
    assert WarmUp(closed, [STEPS["forward"], STEPS["chunk"]]).wait(TIMEOUT_S)
