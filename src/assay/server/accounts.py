"""What an analysis cost is booked once, and budgets that run low are told of."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass

from assay.server.store.audit import AuditLog, Event
from assay.server.store.budgets import BudgetStore, Reservation
from assay.server.store.usage import UsageStore
from assay.types import UnitResult, Usage

_LOG = logging.getLogger("assay.server")


@dataclass(frozen=True, slots=True)
class Accounts:
    """Budgets and usage. That a budget runs low is told in the log and in the audit log."""

    budgets: BudgetStore
    usage: UsageStore
    audit: AuditLog

    def close(
        self, reservation: Reservation, project: str, results: Mapping[str, UnitResult]
    ) -> None:
        """Books what an analysis took, and frees the rest of what was set aside for it. One that
        failed has no results, and costs nothing."""
        total = sum((result.usage for result in results.values()), Usage())
        num_tokens = total.num_prompt_tokens + total.num_decoded_tokens + total.num_forced_tokens
        passed = self.budgets.settle(reservation, num_tokens)
        self.usage.count(reservation.tenant, project, results)
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
