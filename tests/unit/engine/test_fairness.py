"""FairShare: who has been served how much."""

import pytest

from assay.engine.fairness import FairShare


@pytest.fixture
def share():
    return FairShare()


def test_each_tenant_counts_what_was_computed_for_it(share):
    share.arrive("a")
    share.arrive("b")
    share.charge("a", 10)
    share.charge("b", 3)
    share.charge("a", 1)
    assert (share.served("a"), share.served("b")) == (11, 3)


def test_a_newcomer_starts_level_with_the_one_served_least(share):
    share.arrive("a")
    share.arrive("b")
    share.charge("a", 100)
    share.charge("b", 70)
    share.arrive("late")
    assert share.served("late") == 70


def test_a_pause_earns_no_credit_and_wipes_no_lead(share):
    for tenant in ("stays", "idle", "greedy"):
        share.arrive(tenant)
    share.charge("greedy", 500)
    share.charge("idle", 5)
    share.leave("greedy")
    share.leave("idle")
    share.charge("stays", 90)
    share.arrive("idle")
    share.arrive("greedy")
    assert (share.served("idle"), share.served("greedy")) == (90, 500)


def test_a_tenant_is_at_work_as_long_as_one_of_its_sequences_is(share):
    share.arrive("a")
    share.arrive("a")
    share.charge("a", 8)
    share.leave("a")
    assert share.served("a") == 8


def test_when_nobody_is_at_work_all_begin_anew(share):
    share.arrive("a")
    share.charge("a", 8)
    share.leave("a")
    share.arrive("a")
    assert share.served("a") == 0


def test_tenants_long_gone_are_forgotten(share):
    share.arrive("stays")
    for index in range(1000):
        share.charge("stays", 10)
        share.arrive(f"once {index}")
        share.charge(f"once {index}", 5)
        share.leave(f"once {index}")
    assert len(share._served) < 5
