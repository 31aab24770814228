"""What a tenant has used, and what is free of its budget."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends, Query

from assay.server.auth import Caller, caller_with
from assay.server.responses import BudgetBody, UsageBody, UsageRowBody
from assay.server.store.budgets import Standing
from assay.server.store.keys import Scope

router = APIRouter(prefix="/v1/usage", tags=["usage"])
_Caller = Annotated[Caller, Depends(caller_with(Scope.USAGE))]


@router.get("")
async def show_usage(
    caller: _Caller, month: Annotated[str | None, Query(pattern=r"^\d{4}-\d{2}$")] = None
) -> UsageBody:
    """What was used by month, project and unit, and how the budget of this month stands."""
    service = caller.service
    rows = await asyncio.to_thread(service.usage.rows, caller.tenant, month)
    standing = await asyncio.to_thread(service.budgets.standing, caller.tenant)
    data = [UsageRowBody(**{k: v for k, v in asdict(row).items() if k != "tenant"}) for row in rows]
    return UsageBody(data=data, budget=_budget_body(standing))


def _budget_body(standing: Standing) -> BudgetBody | None:
    budget = standing.budget
    if budget is None:
        return None
    return BudgetBody(
        month=standing.month,
        num_tokens=budget.num_tokens,
        num_spent=standing.num_spent,
        num_reserved=standing.num_reserved,
        cost=str(budget.cost_of(standing.num_spent)),
        currency=budget.currency,
    )
