"""How often a tenant may ask: a token bucket each, in the memory of one server."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from assay.errors import RateLimitError

_MINUTE_S = 60.0


@dataclass(slots=True)
class _Bucket:
    num_left: float
    filled_at: float


class RateLimiter:
    """`per_minute` requests a tenant, as many at once as were not used in the last minute. None: no
    limit."""

    def __init__(self, per_minute: int | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute = per_minute
        self._clock = clock
        self._buckets: dict[str, _Bucket] = {}

    def take(self, tenant: str) -> None:
        """Counts a request.

        Raises:
            RateLimitError: one too many; it says after how many seconds the next may come.
        """
        if self._per_minute is None:
            return
        now = self._clock()
        rate = self._per_minute / _MINUTE_S
        bucket = self._buckets.setdefault(tenant, _Bucket(self._per_minute, now))
        filled = bucket.num_left + (now - bucket.filled_at) * rate
        bucket.num_left, bucket.filled_at = min(filled, self._per_minute), now
        if bucket.num_left < 1:
            wait_s = math.ceil((1 - bucket.num_left) / rate)
            raise RateLimitError(
                f"more than {self._per_minute} requests a minute",
                remedy=f"send the next in {wait_s} s",
                retry_after_s=wait_s,
            )
        bucket.num_left -= 1
