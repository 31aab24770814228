"""A budget is never overspent, and none holds nobody up."""

from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pytest

from assay.errors import BudgetExceededError, InputError, NotFoundError
from assay.server.store.budgets import Budget, BudgetStore

MAY, JUNE = 1_936_000_000.0, 1_938_800_000.0


class Clock:
    now = MAY

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(kept, clock) -> BudgetStore:
    kept.tenants.create("acme")
    return BudgetStore(kept.database, clock)


def test_what_is_set_aside_and_spent_is_not_free(store) -> None:
    store.set("acme", Budget(100))
    first = store.reserve("acme", 60)
    with pytest.raises(BudgetExceededError, match="40 of this month's 100 are free"):
        store.reserve("acme", 41)
    store.settle(first, 25)
    standing = store.standing("acme")
    assert (standing.num_spent, standing.num_reserved) == (25, 0)
    store.reserve("acme", 75)
    with pytest.raises(BudgetExceededError):
        store.reserve("acme", 1)


def test_without_a_budget_nothing_is_refused_and_all_is_counted(store) -> None:
    store.settle(store.reserve("acme", 10**12), 7)
    assert store.standing("acme").num_spent == 7


def test_a_reservation_is_settled_once(store) -> None:
    made = store.reserve("acme", 10)
    store.settle(made, 4)
    assert store.settle(made, 4) == ()
    assert store.standing("acme").num_spent == 4


def test_a_month_begins_anew(store, clock) -> None:
    store.set("acme", Budget(10))
    may = store.reserve("acme", 10)
    clock.now = JUNE
    june = store.reserve("acme", 10)
    assert june.month > may.month
    store.settle(may, 10)
    assert store.standing("acme").num_spent == 0


def test_alerts_are_told_as_they_are_passed(store) -> None:
    store.set("acme", Budget(100, alerts=(50, 80, 100)))
    passed = [store.settle(store.reserve("acme", 30), 30) for _ in range(3)]
    assert passed == [(), (50,), (80,)]
    assert store.settle(store.reserve("acme", 10), 10) == (100,)


def test_what_a_dead_server_set_aside_is_free_again(store) -> None:
    store.set("acme", Budget(10))
    lost = store.reserve("acme", 10)
    store.release_all()
    store.reserve("acme", 10)
    assert store.settle(lost, 10) == ()
    assert store.standing("acme").num_reserved == 10


def test_no_number_of_spenders_passes_the_limit(store) -> None:
    """64 at once ask for seven of a thousand, as often as they get it, and settle for less."""
    store.set("acme", Budget(1_000))
    most = 0

    def spend(_: int) -> int:
        nonlocal most
        try:
            made = store.reserve("acme", 7)
        except BudgetExceededError:
            return 0
        standing = store.standing("acme")
        most = max(most, standing.num_spent + standing.num_reserved)
        store.settle(made, 7)
        return 7

    with ThreadPoolExecutor(64) as pool:
        spent = sum(pool.map(spend, range(160)))
    assert spent == store.standing("acme").num_spent == 994
    assert most <= 1_000


def test_money_buys_tokens_at_a_price() -> None:
    budget = Budget.of_money(Decimal("5"), Decimal("2.50"), "EUR", (100,))
    assert budget.num_tokens == 2_000_000
    assert budget.cost_of(1_000_000) == Decimal("2.50")
    with pytest.raises(InputError, match="price"):
        Budget.of_money(Decimal("5"), Decimal(0), "EUR", (100,))


@pytest.mark.parametrize("alerts", [(0,), (101,), (80, 50), (50, 50)])
def test_budgets_that_make_no_sense_are_refused(alerts) -> None:
    with pytest.raises(InputError):
        Budget(1, alerts=alerts)
    with pytest.raises(InputError):
        Budget(-1)


def test_a_budget_is_some_tenants(store) -> None:
    with pytest.raises(NotFoundError):
        store.set("nobody", Budget(1))
