"""How the benchmark of warming up judges what it measured."""

import json
import sys
from collections import Counter
from types import SimpleNamespace

from assay.engine.warmup import RECORD, STEPS
from benchmarks.warmup import _count_calls, _judge

TARGETS = {step.makes_ready for step in STEPS.values()}


def judged(first: dict, warm: dict, uses: int = 1) -> dict[str, dict]:
    """Entries by name, of two repeats, of which the second was disturbed."""
    calls = [
        {
            "first_ms": dict.fromkeys(STEPS, 0.0) | first,
            "warm_ms": dict.fromkeys(STEPS, 0.0) | warm,
        },
        {"first_ms": dict.fromkeys(STEPS, 900.0), "warm_ms": dict.fromkeys(STEPS, 900.0)},
    ]
    analysis = {"counts": dict.fromkeys(TARGETS, 2 * uses), "num_requests": 2}
    return {item["name"]: item for item in _judge(calls, analysis)}


def test_a_step_that_saves_most_of_what_it_costs_is_chosen() -> None:
    entry = judged({"spans": 60.0}, {"spans": 0.5})["spans"]
    assert entry["chosen"]
    assert (entry["first_ms"], entry["warm_ms"], entry["saved_ms"]) == (60.0, 0.5, 59.5)
    assert entry["uses_per_request"] == 1.0


def test_a_step_that_saves_little_costs_much_or_is_never_used_is_left_out() -> None:
    assert not judged({"spans": 4.9}, {})["spans"]["chosen"]
    assert not judged({"chunk": 300.0}, {"chunk": 280.0})["chunk"]["chosen"]
    assert not judged({"spans": 60.0}, {}, uses=0)["spans"]["chosen"]


def test_the_record_tells_what_every_step_costs_and_saves() -> None:
    record = json.loads(RECORD.read_text(encoding="utf-8"))
    for engine in record["engines"].values():
        assert {item["name"] for item in engine["steps"]} == set(STEPS)
        for item in engine["steps"]:
            is_worth_it = (
                item["saved_ms"] >= engine["min_saved_ms"]
                and item["saved_ms"] >= engine["min_share"] * item["first_ms"]
                and item["uses_per_request"] > 0
            )
            assert item["chosen"] == is_worth_it, item["name"]


def test_calls_are_counted_and_answered(monkeypatch) -> None:
    class Engine:
        def step(self, number: int) -> int:
            return number + 1

    monkeypatch.setitem(sys.modules, "counted", SimpleNamespace(Engine=Engine))
    counts: Counter[str] = Counter()
    _count_calls("counted:Engine.step", counts)
    assert [Engine().step(1), Engine().step(2)] == [2, 3]
    assert counts == {"counted:Engine.step": 2}
