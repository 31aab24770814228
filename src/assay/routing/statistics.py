"""How many requests each tenant made, and what they were about. Counts only: no words."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from assay.routing.route import Route


@dataclass(slots=True)
class TenantCounts:
    """What one tenant asked: requests, those refused, those that a rule decided (by its name), and
    how often each dimension and unit came up."""

    num_requests: int = 0
    num_refused: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    descriptors: Counter[str] = field(default_factory=Counter)
    units: Counter[str] = field(default_factory=Counter)

    def count(self, route: Route) -> None:
        self.num_requests += 1
        self.num_refused += route.is_refused
        if route.rule is not None:
            self.rules[route.rule.name] += 1
        if not route.is_refused:
            self.descriptors.update(route.descriptor.active)
            self.units.update(route.unit_names)

    def as_json(self) -> dict[str, Any]:
        return {
            "num_requests": self.num_requests,
            "num_refused": self.num_refused,
            "rules": dict(self.rules.most_common()),
            "descriptors": dict(self.descriptors.most_common()),
            "units": dict(self.units.most_common()),
        }


class RouteStatistics:
    """Counts by tenant since it was made; may be counted into and read from any thread."""

    def __init__(self) -> None:
        self._tenants: dict[str, TenantCounts] = {}
        self._lock = threading.Lock()

    def count(self, route: Route) -> None:
        with self._lock:
            self._tenants.setdefault(route.tenant, TenantCounts()).count(route)

    def as_json(self) -> dict[str, dict[str, Any]]:
        """By tenant ("" is who has none)."""
        with self._lock:
            return {tenant: item.as_json() for tenant, item in self._tenants.items()}
