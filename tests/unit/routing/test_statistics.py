"""Counts of requests by tenant."""

from assay.routing import Descriptor, Route, RouteStatistics
from assay.routing.route import By, FiredRule, RoutedUnit


def route(tenant="", units=(), rule=None):
    routed = tuple(RoutedUnit(name, 1.0, By.MODEL) for name in units)
    return Route("words", Descriptor(numeric=0.9), routed, 1.0, {}, tenant, rule)


def test_requests_are_counted_by_tenant_and_refusals_have_no_units():
    statistics = RouteStatistics()
    statistics.count(route("acme", ["extract_total", "extract_currency"]))
    statistics.count(route("acme", ["extract_total"], FiredRule("ours", "total")))
    statistics.count(route("acme", rule=FiredRule("none", "advice", "no")))
    statistics.count(route())
    counts = statistics.as_json()
    assert counts["acme"] == {
        "num_requests": 3,
        "num_refused": 1,
        "rules": {"ours": 1, "none": 1},
        "descriptors": {"numeric": 2},
        "units": {"extract_total": 2, "extract_currency": 1},
    }
    assert counts[""]["num_refused"] == 1
    assert counts[""]["descriptors"] == {}
