"""How often a tenant may ask."""

import pytest

from assay.errors import RateLimitError
from assay.server.rates import RateLimiter


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_what_was_not_used_may_come_at_once_and_no_more() -> None:
    clock = Clock()
    limiter = RateLimiter(6, clock)
    for _ in range(6):
        limiter.take("a")
    with pytest.raises(RateLimitError) as caught:
        limiter.take("a")
    assert caught.value.retry_after_s == 10
    clock.now += 10
    limiter.take("a")
    with pytest.raises(RateLimitError):
        limiter.take("a")


def test_a_long_silence_is_not_saved_up() -> None:
    clock = Clock()
    limiter = RateLimiter(2, clock)
    clock.now += 10_000
    limiter.take("a")
    limiter.take("a")
    with pytest.raises(RateLimitError):
        limiter.take("a")


def test_tenants_have_buckets_of_their_own() -> None:
    limiter = RateLimiter(1, Clock())
    limiter.take("a")
    limiter.take("b")
    with pytest.raises(RateLimitError):
        limiter.take("a")


def test_without_a_limit_nothing_is_refused() -> None:
    limiter = RateLimiter(None, Clock())
    for _ in range(1_000):
        limiter.take("a")
