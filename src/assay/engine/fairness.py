"""Who has been served how much: the share of each tenant in what the engine computes.

A tenant is a `cache_salt`. Its counter grows by each token computed for it, and the tenant with
the lowest is served next. One that comes back after a pause is lifted to the lowest of those at
work, so that idleness earns no credit: the virtual token counter of Sheng et al., "Fairness in
Serving Large Language Models" (OSDI 2024). Between two tenants that always have work waiting, the
difference stays below what the running sequences may still take.
"""

from __future__ import annotations


class FairShare:
    """The counters. `arrive` and `leave` pair for each sequence."""

    def __init__(self) -> None:
        self._served: dict[str, int] = {}
        self._num_alive: dict[str, int] = {}

    def arrive(self, tenant: str) -> None:
        """Counts a sequence in; the tenant's first makes it one of those at work."""
        if tenant not in self._num_alive:
            least = min((self._served[other] for other in self._num_alive), default=0)
            # A pause longer than the lead leaves nothing to remember.
            self._served = {
                other: served
                for other, served in self._served.items()
                if other in self._num_alive or served > least
            }
            self._served.setdefault(tenant, least)
        self._num_alive[tenant] = self._num_alive.get(tenant, 0) + 1

    def leave(self, tenant: str) -> None:
        """Counts a sequence out. Once nobody is at work all begin anew."""
        self._num_alive[tenant] -= 1
        if self._num_alive[tenant] == 0:
            del self._num_alive[tenant]
        if not self._num_alive:
            self._served.clear()

    def charge(self, tenant: str, num_tokens: int) -> None:
        """Counts tokens computed for a tenant at work."""
        self._served[tenant] += num_tokens

    def served(self, tenant: str) -> int:
        """The counter of a tenant at work."""
        return self._served[tenant]
