"""EvictionOrder: who goes first."""

import pytest

from assay.kv_cache.eviction import EvictionOrder


def order_of(**weights: float) -> EvictionOrder[str]:
    order: EvictionOrder[str] = EvictionOrder()
    for key, weight in weights.items():
        order.add(key, weight)
    return order


def test_the_least_valuable_goes_first_and_of_equal_ones_the_oldest():
    order = order_of(a=2, b=1, c=2, d=1)
    assert order.ascending() == ["b", "d", "a", "c"]
    assert [order.pop() for _ in range(4)] == ["b", "d", "a", "c"]
    with pytest.raises(IndexError):
        order.pop()


def test_what_rises_in_value_stays():
    order = order_of(a=1, b=1)
    order.revalue("a", 3)
    assert [order.pop(), order.pop()] == ["b", "a"]


def test_a_newcomer_counts_from_the_value_of_the_last_given_up():
    order = order_of(once_popular=5)
    for number in range(4):
        order.add(f"new {number}", 1)
        assert order.pop() == f"new {number}"
    order.add("newest", 1)
    assert order.pop() == "once_popular"


def test_what_is_discarded_is_not_given_up_even_if_it_comes_again():
    order = order_of(a=1, b=2)
    order.discard("a")
    order.discard("unknown")
    order.add("a", 3)
    assert "a" in order
    assert [order.pop(), order.pop()] == ["b", "a"]


def test_coming_and_going_takes_no_memory():
    order = order_of(a=1)
    for _ in range(1000):
        order.discard("a")
        order.add("a", 1)
    assert len(order) == 1
    assert len(order._heap) < 100
