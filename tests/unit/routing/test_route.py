"""A route: by how much each unit is meant rather than another."""

import pytest

from assay.routing import Descriptor, Route
from assay.routing.route import By, RoutedUnit


def test_a_unit_leads_the_likeliest_that_is_not_meant():
    units = (RoutedUnit("extract_date", 0.9, By.MODEL), RoutedUnit("extract_party", 0.6, By.MODEL))
    chances = {"extract_date": 0.9, "extract_party": 0.6, "extract_clause": 0.25}
    route = Route("when and who", Descriptor(temporal=0.9), units, 1.0, chances)
    assert route.margins == pytest.approx({"extract_date": 0.65, "extract_party": 0.35})
