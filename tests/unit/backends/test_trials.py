"""Constraints tried in a real process. Each test that starts or kills one takes its time for it:
a third of a second a start."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tiny import tiny_vocabulary

from assay.backends.trials import Case, Trials
from assay.decoding.matcher import compile_constraint
from assay.errors import (
    CapacityError,
    EngineStoppedError,
    GrammarTooComplexError,
    InvalidGrammarError,
    UnsupportedKeywordError,
)
from assay.types import JsonConstraint, LarkConstraint, RegexConstraint, Source

TIMEOUT_S = 10
# Each pattern is held against each: half a minute of processor time.
SLOW = JsonConstraint(
    {"type": "object", "patternProperties": {f"^{i:04d}_": {} for i in range(600)}}
)
SUPPORT = Path(__file__).parents[2] / "support"


@pytest.fixture(scope="module")
def shared():
    """Trials whose process no test ends."""
    trials = Trials(TIMEOUT_S)
    yield trials
    trials.close()


@pytest.fixture
def trials(request):
    trials = Trials(getattr(request, "param", TIMEOUT_S))
    yield trials
    trials.close()


def check(trials, constraint):
    trials.check(Case.of(constraint), tiny_vocabulary())


def pid_of(trials):
    return trials._process._popen.pid


def is_running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def until(condition):
    deadline = time.monotonic() + TIMEOUT_S
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_what_compiles_passes(shared):
    check(shared, RegexConstraint("a|b"))
    check(shared, LarkConstraint('start: "a" | "b"'))
    check(shared, JsonConstraint({"x-verbatim": "word"}, (Source("one two"),)))


@pytest.mark.parametrize(
    ("constraint", "kind"),
    [
        (RegexConstraint("("), InvalidGrammarError),
        (JsonConstraint({"if": {}}), UnsupportedKeywordError),
        (LarkConstraint("start: R30\nR0: /a/\n" + "".join(
            f"R{i}: R{i - 1} R{i - 1}\n" for i in range(1, 31))), GrammarTooComplexError),
        (JsonConstraint({"x-verbatim": "word"}), InvalidGrammarError),
    ],
    ids=["invalid", "unsupported", "complex", "impossible"],
)  # fmt: skip
def test_refusals_are_those_of_the_compiler(shared, constraint, kind):
    with pytest.raises(kind) as here:
        compile_constraint(constraint, tiny_vocabulary())
    for _ in range(2):  # found, and remembered
        with pytest.raises(kind) as there:
            check(shared, constraint)
        assert str(there.value) == str(here.value)


def test_the_process_loads_no_more_than_compiling_needs(shared):
    check(shared, RegexConstraint("a+"))
    maps = Path(f"/proc/{pid_of(shared)}/maps").read_text()
    assert "llguidance" in maps
    assert "torch" not in maps


def test_what_is_no_json_or_too_large_is_not_tried():
    with pytest.raises(InvalidGrammarError, match="not JSON"):
        Case.of(JsonConstraint({"enum": [object()]}))
    with pytest.raises(GrammarTooComplexError, match="sources have"):
        Case.of(JsonConstraint({"x-verbatim": "word"}, (Source("a" * 100_000),) * 500))


@pytest.mark.parametrize("trials", [0.2], indirect=True)
def test_what_takes_too_long_is_killed_and_the_next_is_tried_by_another_process(trials):
    check(trials, RegexConstraint("a"))
    first = pid_of(trials)
    with pytest.raises(GrammarTooComplexError, match=r"within 0\.2 s") as caught:
        check(trials, SLOW)
    assert caught.value.remedy
    assert not is_running(first)
    check(trials, RegexConstraint("b"))
    assert pid_of(trials) != first


def test_a_verdict_is_remembered(trials):
    check(trials, RegexConstraint("a"))
    case = Case.of(RegexConstraint("a"))
    assert trials.is_known(case)
    os.kill(pid_of(trials), signal.SIGKILL)
    trials.check(case, tiny_vocabulary())  # would have failed


@pytest.mark.parametrize("trials", [0.05], indirect=True)
def test_a_refusal_for_time_is_remembered_only_if_the_time_was_its_own(trials, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("assay.backends.trials._PATIENCE", TIMEOUT_S / 0.05)
        for _ in range(2):
            with pytest.raises(GrammarTooComplexError):
                check(trials, SLOW)
            assert trials.is_known(Case.of(SLOW))
        check(trials, RegexConstraint("a"))
    os.kill(pid_of(trials), signal.SIGSTOP)  # as on a machine that is busy with other things
    innocent = Case.of(RegexConstraint("b"))
    with pytest.raises(GrammarTooComplexError):
        trials.check(innocent, tiny_vocabulary())
    assert not trials.is_known(innocent)


def test_the_oldest_verdicts_are_forgotten(trials, monkeypatch):
    monkeypatch.setattr("assay.backends.trials._MAX_VERDICTS", 2)
    cases = [Case.of(RegexConstraint(letter)) for letter in "xyz"]
    for case in (*cases[:2], cases[0], cases[2]):
        trials.check(case, tiny_vocabulary())
    assert [trials.is_known(case) for case in cases] == [True, False, True]


def test_memory_is_bounded():
    trials = Trials(TIMEOUT_S, memory_bytes=2**20)
    source = Source(" ".join(f"word{i}" for i in range(30_000)))
    try:
        with pytest.raises(GrammarTooComplexError, match="more than 1 MB") as caught:
            check(trials, JsonConstraint({"x-verbatim": "word"}, (source,)))
        assert caught.value.remedy
        check(trials, RegexConstraint("a"))
    finally:
        trials.close()


@pytest.mark.parametrize(
    ("ended_by", "kind"),
    [(signal.SIGKILL, CapacityError), (signal.SIGSEGV, GrammarTooComplexError)],
    ids=["killed", "overflown stack"],
)
def test_a_process_that_dies_is_a_typed_error_and_is_replaced(trials, ended_by, kind):
    check(trials, RegexConstraint("a"))
    os.kill(pid_of(trials), ended_by)
    with pytest.raises(kind) as caught:
        check(trials, RegexConstraint("b"))
    assert type(caught.value) is kind
    assert caught.value.remedy
    check(trials, RegexConstraint("c"))


def test_a_process_that_cannot_start_is_a_typed_error(monkeypatch):
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with pytest.raises(CapacityError, match="did not start"):
        check(Trials(TIMEOUT_S), RegexConstraint("a"))


def test_closing_ends_a_trial_under_way(trials):
    check(trials, RegexConstraint("a"))
    pid = pid_of(trials)
    errors = []

    def run():
        try:
            check(trials, SLOW)
        except EngineStoppedError as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    until(trials._trial_lock.locked)
    trials.close()
    thread.join(TIMEOUT_S)
    assert len(errors) == 1
    assert not is_running(pid)
    with pytest.raises(EngineStoppedError):
        check(trials, RegexConstraint("c"))


@pytest.mark.parametrize("busy", [False, True], ids=["idle", "busy"])
def test_it_does_not_outlive_its_parent(busy):
    code = f"""
import sys; sys.path.insert(0, {str(SUPPORT)!r})
from threading import Thread
from time import sleep
from tiny import tiny_vocabulary
from assay.backends.trials import Case, Trials
from assay.types import JsonConstraint, RegexConstraint
trials = Trials(0.3)
trials.check(Case.of(RegexConstraint("a")), tiny_vocabulary())
slow = Case.of(JsonConstraint({SLOW.schema!r}))
if {busy}:
    Thread(target=trials.check, args=(slow, tiny_vocabulary())).start()
    sleep(0.1)
print(trials._process._popen.pid, flush=True)
sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        pid = int(parent.stdout.readline())
        assert is_running(pid)
        parent.kill()
    until(lambda: not is_running(pid))
