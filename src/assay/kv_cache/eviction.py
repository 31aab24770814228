"""Which of many is given up first: the one least worth keeping.

A weight says what an entry saves for the room it takes: uses times the tokens that would have to be
computed again, by size. On top of it comes the value of the last one given up at the time, so that
what was popular once does not stay for ever (GreedyDual-Size with frequency, Cherkasova 1998). Of
equal ones the first to come goes first. Torch-free.
"""

from __future__ import annotations

from collections.abc import Hashable
from heapq import heapify, heappop, heappush
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)

# Outdated heap entries are swept out when they outnumber the keys by this factor.
_MAX_OUTDATED = 2


class EvictionOrder(Generic[Key]):
    """Keys, each with a value; owns nothing else of what they stand for."""

    def __init__(self) -> None:
        # key -> (value, order of arrival); the heap may lag behind: values only rise.
        self._entries: dict[Key, tuple[float, int]] = {}
        self._heap: list[tuple[float, int, Key]] = []
        self._floor = 0.0
        self._num_added = 0

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, key: Key) -> bool:
        return key in self._entries

    def add(self, key: Key, weight: float) -> None:
        """Takes in a key that is not there."""
        assert key not in self._entries
        self._num_added += 1
        self._entries[key] = (self._floor + weight, self._num_added)
        heappush(self._heap, (self._floor + weight, self._num_added, key))
        if len(self._heap) > 64 + _MAX_OUTDATED * len(self._entries):
            self._heap = [(*entry, key) for key, entry in self._entries.items()]
            heapify(self._heap)

    def revalue(self, key: Key, weight: float) -> None:
        """Gives a key the value that it would have if it came now; a weight may only rise."""
        value, order = self._entries[key]
        assert self._floor + weight >= value
        self._entries[key] = (self._floor + weight, order)

    def discard(self, key: Key) -> None:
        """Takes a key out that is not given up but used elsewhere; nothing if it is not there."""
        self._entries.pop(key, None)

    def pop(self) -> Key:
        """Takes out the key of least value.

        Raises:
            IndexError: there is none.
        """
        while True:
            value, order, key = heappop(self._heap)
            current, current_order = self._entries.get(key, (value, -1))
            if current_order != order:
                continue
            if current > value:
                heappush(self._heap, (current, order, key))
                continue
            del self._entries[key]
            self._floor = value
            return key

    def ascending(self) -> list[Key]:
        """All keys, in the order in which `pop` would give them up."""
        return sorted(self._entries, key=self._entries.__getitem__)

    def clear(self) -> None:
        self._entries.clear()
        self._heap.clear()
        self._floor = 0.0
