"""A limit on how long work is waited for."""

from threading import Event

import pytest

from assay.backends.limits import within


def test_what_the_work_gives_is_returned_and_what_it_raises_is_raised():
    assert within(5, lambda: 42) == 42
    with pytest.raises(KeyError):
        within(5, lambda: {}["missing"])


def test_work_that_takes_too_long_is_no_longer_waited_for():
    go_on = Event()
    with pytest.raises(TimeoutError):
        within(0.01, lambda: go_on.wait(10))
    go_on.set()
