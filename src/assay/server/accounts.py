"""What an analysis cost is booked once, and budgets that run low are told of."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from assay.server.metrics import Metrics
from assay.server.store.audit import AuditLog, Event
from assay.server.store.budgets import BudgetStore, Reservation
from assay.server.store.usage import UsageStore
from assay.types import UnitResult, Usage

_LOG = logging.getLogger("assay.server")


@dataclass(frozen=True, slots=True)
class Accounts:
    """Budgets, usage and metrics. That a budget runs low is told in both logs."""

    budgets: BudgetStore
    usage: UsageStore
    audit: AuditLog
    metrics: Metrics

    def close(
        self, reservation: Reservation, project: str, results: Mapping[str, UnitResult]
    ) -> None:
        """Books what an analysis took, and frees the rest of what was set aside for it. One that
        failed has no results, and costs nothing."""
        total = sum((result.usage for result in results.values()), Usage())
        num_tokens = total.num_prompt_tokens + total.num_decoded_tokens + total.num_forced_tokens
        passed = self.budgets.settle(reservation, num_tokens)
        self.usage.count(reservation.tenant, project, results)
        self.metrics.count_results(results)
        for share in passed:
            _LOG.warning(
                "tenant %s has spent %d%% of its budget of %s",
                reservation.tenant, share, reservation.month,
            )  # fmt: skip
            self.audit.append(
                Event(
                    "budget.alert",
                    f"{share}%",
                    reservation.tenant,
                    subject=reservation.month,
                )
            )
