"""Whose turn it is: so many analyses at once, tenants one after the other.

A tenant that has a thousand waiting delays another's first by one turn, not by a thousand. Each may
also be held to a share of all turns. Turns are given in the order: free ones, round robin over the
tenants that wait, first come first served within each.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class FairTurns:
    """`num_turns` at once, at most `most_of_one` of them a tenant's. Used on one event loop."""

    def __init__(self, num_turns: int, most_of_one: int | None = None) -> None:
        self._num_free = num_turns
        self._most_of_one = most_of_one or num_turns
        self._taken: Counter[str] = Counter()
        # The tenant that is served next stands first.
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    @asynccontextmanager
    async def turn(self, tenant: str) -> AsyncIterator[None]:
        """Waits for a turn and holds it. Who is cancelled while waiting leaves the queue."""
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(tenant, deque()).append(place)
        self._hand_out()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self._give_back(tenant)
            else:
                self._leave(tenant, place)
            raise
        try:
            yield
        finally:
            self._give_back(tenant)

    @property
    def num_taken(self) -> int:
        return self._taken.total()

    @property
    def num_waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    def _give_back(self, tenant: str) -> None:
        self._num_free += 1
        self._taken[tenant] -= 1
        if not self._taken[tenant]:
            del self._taken[tenant]
        self._hand_out()

    def _hand_out(self) -> None:
        while self._num_free and (tenant := self._next()) is not None:
            place = self._waiting[tenant].popleft()
            if self._waiting[tenant]:
                self._waiting.move_to_end(tenant)
            else:
                del self._waiting[tenant]
            self._num_free -= 1
            self._taken[tenant] += 1
            place.set_result(None)

    def _next(self) -> str | None:
        for tenant in self._waiting:
            if self._taken[tenant] < self._most_of_one:
                return tenant
        return None

    def _leave(self, tenant: str, place: asyncio.Future[None]) -> None:
        queue = self._waiting.get(tenant)
        if queue and place in queue:
            queue.remove(place)
            if not queue:
                del self._waiting[tenant]
