"""SharedCalls: equal requests in flight are one computation."""

from dataclasses import replace

import pytest

from assay.backends.shared import SharedCalls
from assay.errors import GrammarTooComplexError
from assay.types import (
    Generation,
    GenerationRequest,
    JsonConstraint,
    Message,
    RegexConstraint,
    SamplingParams,
    Source,
    Usage,
)

REQUEST = GenerationRequest(
    (Message("user", "Who buys?"),),
    JsonConstraint({"type": "object", "properties": {"a": {}, "b": {}}}, (Source("text"),)),
)
GENERATION = Generation("{}", (), "stop", Usage(num_prompt_tokens=7, num_requests=1))


@pytest.fixture
def calls():
    return SharedCalls()


def test_an_equal_request_joins_the_call_and_both_are_answered(calls):
    first, second = [], []
    call, is_new = calls.join(REQUEST, first.append)
    again = replace(REQUEST, messages=(Message("user", "Who buys?"),))
    assert (is_new, calls.join(again, second.append)) == (True, (call, False))
    calls.settle(call, GENERATION)
    assert first == [GENERATION]
    assert second[0].text == "{}"
    assert second[0].usage.num_cached_tokens == 7, "its prompt was not computed again"


@pytest.mark.parametrize(
    "other",
    [
        replace(REQUEST, messages=(Message("user", "Who sells?"),)),
        replace(REQUEST, cache_salt="other"),
        replace(REQUEST, priority=1),
        replace(REQUEST, sampling=SamplingParams(max_tokens=9)),
        replace(REQUEST, constraint=None),
        replace(REQUEST, constraint=RegexConstraint("a")),
        replace(REQUEST, constraint=replace(REQUEST.constraint, sources=(Source("other"),))),
        replace(
            REQUEST,
            constraint=replace(
                REQUEST.constraint,
                schema={"type": "object", "properties": {"b": {}, "a": {}}},
            ),
        ),
    ],
    ids=["prompt", "tenant", "priority", "sampling", "free", "kind", "source", "order of keys"],
)
def test_a_request_that_differs_is_another_call(calls, other):
    call, _ = calls.join(REQUEST, print)
    another, is_new = calls.join(other, print)
    assert is_new
    assert another is not call


@pytest.mark.parametrize(
    "request_", [
        replace(REQUEST, sampling=SamplingParams(temperature=0.5, seed=1)),
        replace(REQUEST, constraint=JsonConstraint({"enum": [object()]})),
    ],
    ids=["drawn", "not JSON"],
)  # fmt: skip
def test_what_cannot_be_shared_is_not(calls, request_):
    assert calls.join(request_, print)[1]
    assert calls.join(request_, print)[1]


def test_after_its_answer_an_equal_request_is_computed_anew(calls):
    call, _ = calls.join(REQUEST, lambda _: None)
    calls.settle(call, GENERATION)
    assert calls.join(REQUEST, print)[1]


def test_one_that_leaves_is_not_told_and_cancels_nothing(calls):
    cancelled, first, second = [], [], []
    receiver = first.append
    call, _ = calls.join(REQUEST, receiver)
    calls.join(REQUEST, second.append)
    calls.set_cancel(call, lambda: cancelled.append(True))
    calls.leave(call, receiver)
    calls.settle(call, GENERATION)
    assert (first, cancelled) == ([], [])
    assert len(second) == 1


def test_when_the_last_leaves_the_computation_is_dropped_once(calls):
    cancelled, receivers = [], [lambda _: None, lambda _: None]
    call, _ = calls.join(REQUEST, receivers[0])
    calls.join(REQUEST, receivers[1])
    calls.set_cancel(call, lambda: cancelled.append(True))
    for receiver in receivers:
        calls.leave(call, receiver)
    calls.settle(call, GENERATION)
    assert cancelled == [True]
    assert calls.join(REQUEST, print)[1], "nobody joins a call that was dropped"


def test_a_call_left_while_it_is_prepared_is_dropped_as_soon_as_it_can_be(calls):
    cancelled, receiver = [], print
    call, _ = calls.join(REQUEST, receiver)
    calls.leave(call, receiver)
    assert calls.is_over(call)
    calls.set_cancel(call, lambda: cancelled.append(True))
    assert cancelled == [True]


def test_each_gets_an_error_of_its_own(calls):
    told = []
    call, _ = calls.join(REQUEST, told.append)
    calls.join(REQUEST, told.append)
    calls.settle(call, GrammarTooComplexError("too deep", remedy="simplify"))
    assert [str(error) for error in told] == ["too deep (simplify)"] * 2
    assert told[0] is not told[1]
