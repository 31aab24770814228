"""Budgets: tokens a month, never overspent, and no obstacle where none is set.

=================  =========================================================================
`reserve`          before a request: the most it can take leaves what is free, or it is refused
`settle`           after it: what it took is spent, the rest is free again
`release_all`      at a server's start: what its predecessor had reserved is free again
=================  =========================================================================

`num_spent + num_reserved <= budget` holds in the database itself: the check and the reservation are
one statement, so any number of servers and threads may reserve side by side.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

import sqlalchemy as sa

from assay.errors import BudgetExceededError, InputError, NotFoundError
from assay.server.store.database import Database
from assay.server.store.tables import budgets, reservations, spending, tenants

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Budget:
    """`num_tokens` a month. `price` is what a million tokens cost, for reports; `alerts` are shares
    of the budget in per cent, ascending, that are told of when they are passed."""

    num_tokens: int
    price: Decimal = Decimal(0)
    currency: str = "EUR"
    alerts: tuple[int, ...] = (50, 80, 100)

    def __post_init__(self) -> None:
        if self.num_tokens < 0 or self.price < 0:
            raise InputError("a budget cannot be less than nothing")
        if list(self.alerts) != sorted({share for share in self.alerts if 0 < share <= 100}):
            raise InputError("alerts are per cent of a budget, from 1 to 100, ascending")

    @classmethod
    def of_money(
        cls, amount: Decimal, price: Decimal, currency: str, alerts: tuple[int, ...]
    ) -> Budget:
        """What an amount buys at a price per million tokens, whole tokens."""
        if price <= 0:
            raise InputError("money buys tokens only at a price", remedy="give --price")
        return cls(int(amount * _MILLION // price), price, currency, alerts)

    def cost_of(self, num_tokens: int) -> Decimal:
        """What so many tokens cost."""
        return num_tokens * self.price / _MILLION


@dataclass(frozen=True, slots=True)
class Standing:
    """How a tenant stands this month; `budget` None where there is none."""

    month: str
    budget: Budget | None
    num_spent: int
    num_reserved: int


@dataclass(frozen=True, slots=True)
class Reservation:
    """Tokens set aside for a request; to be settled once."""

    reservation_id: str
    tenant: str
    month: str
    num_tokens: int


class BudgetStore:
    """Sets budgets, reserves of them, settles."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.time) -> None:
        self._database = database
        self._clock = clock

    def set(self, tenant: str, budget: Budget | None) -> None:
        """Gives a tenant another budget, or none. Raises `NotFoundError` for an unknown tenant."""
        with self._database.transaction() as connection:
            known = sa.select(tenants.c.name).where(tenants.c.name == tenant)
            if connection.execute(known).first() is None:
                raise NotFoundError(f"there is no tenant {tenant!r}")
            connection.execute(budgets.delete().where(budgets.c.tenant == tenant))
            if budget is not None:
                connection.execute(
                    budgets.insert().values(
                        tenant=tenant,
                        num_tokens=budget.num_tokens,
                        price=str(budget.price),
                        currency=budget.currency,
                        alerts=" ".join(map(str, budget.alerts)),
                    )
                )

    def standing(self, tenant: str) -> Standing:
        """How a tenant stands this month."""
        with self._database.transaction() as connection:
            return self._standing(connection, tenant, self._month())

    def reserve(self, tenant: str, num_tokens: int) -> Reservation:
        """Sets tokens aside.

        Raises:
            BudgetExceededError: the tenant has a budget, and not so much of it is free.
        """
        made = Reservation(secrets.token_hex(12), tenant, self._month(), num_tokens)
        row = (spending.c.tenant == tenant) & (spending.c.month == made.month)
        limit = sa.select(budgets.c.num_tokens).where(budgets.c.tenant == tenant).scalar_subquery()
        taken = spending.c.num_spent + spending.c.num_reserved + num_tokens
        with self._database.transaction() as connection:
            self._open_month(connection, tenant, made.month)
            changed = (
                spending.update()
                .where(row, sa.or_(limit.is_(None), taken <= limit))
                .values(num_reserved=spending.c.num_reserved + num_tokens)
            )
            if not connection.execute(changed).rowcount:
                raise _exceeded(self._standing(connection, tenant, made.month), num_tokens)
            connection.execute(
                reservations.insert().values(
                    reservation_id=made.reservation_id,
                    tenant=tenant,
                    month=made.month,
                    num_tokens=num_tokens,
                )
            )
        return made

    def settle(self, reservation: Reservation, num_tokens: int) -> tuple[int, ...]:
        """Counts what a request took and frees the rest of what was set aside; says which alerts,
        in per cent of the budget, this passed. A reservation that was settled before, or released
        by a restart, changes nothing."""
        row = (spending.c.tenant == reservation.tenant) & (spending.c.month == reservation.month)
        gone = reservations.delete().where(
            reservations.c.reservation_id == reservation.reservation_id
        )
        with self._database.transaction() as connection:
            if not connection.execute(gone).rowcount:
                return ()
            connection.execute(
                spending.update()
                .where(row)
                .values(
                    num_reserved=spending.c.num_reserved - reservation.num_tokens,
                    num_spent=spending.c.num_spent + num_tokens,
                )
            )
            standing = self._standing(connection, reservation.tenant, reservation.month)
        return _passed(standing, num_tokens)

    def release_all(self) -> None:
        """Frees what was set aside for requests that no server has any more."""
        with self._database.transaction() as connection:
            connection.execute(reservations.delete())
            connection.execute(spending.update().values(num_reserved=0))

    def _month(self) -> str:
        return datetime.fromtimestamp(self._clock(), UTC).strftime("%Y-%m")

    def _open_month(self, connection: sa.Connection, tenant: str, month: str) -> None:
        row = (spending.c.tenant == tenant) & (spending.c.month == month)
        if connection.execute(sa.select(spending.c.tenant).where(row)).first() is None:
            values = {"tenant": tenant, "month": month, "num_reserved": 0, "num_spent": 0}
            connection.execute(self._database.insert_if_new(spending).values(**values))

    def _standing(self, connection: sa.Connection, tenant: str, month: str) -> Standing:
        chosen = sa.select(budgets).where(budgets.c.tenant == tenant)
        found = connection.execute(chosen).one_or_none()
        row = (spending.c.tenant == tenant) & (spending.c.month == month)
        spent = connection.execute(sa.select(spending).where(row)).one_or_none()
        return Standing(
            month,
            None if found is None else _as_budget(found),
            0 if spent is None else spent.num_spent,
            0 if spent is None else spent.num_reserved,
        )


def _as_budget(row: sa.Row[tuple[object, ...]]) -> Budget:
    alerts = tuple(map(int, row.alerts.split()))
    return Budget(row.num_tokens, Decimal(row.price), row.currency, alerts)


def _passed(standing: Standing, num_tokens: int) -> tuple[int, ...]:
    """The alerts that lie between what was spent before and what is spent now."""
    if standing.budget is None:
        return ()
    whole = standing.budget.num_tokens
    before = standing.num_spent - num_tokens
    return tuple(
        share
        for share in standing.budget.alerts
        if before * 100 < share * whole <= standing.num_spent * 100
    )


def _exceeded(standing: Standing, num_tokens: int) -> BudgetExceededError:
    assert standing.budget is not None
    free = standing.budget.num_tokens - standing.num_spent - standing.num_reserved
    return BudgetExceededError(
        f"the request may take {num_tokens:,} tokens; {max(free, 0):,} of this month's "
        f"{standing.budget.num_tokens:,} are free",
        remedy="ask less of the document, wait for what runs, or raise the budget",
    )
