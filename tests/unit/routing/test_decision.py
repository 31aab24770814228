"""From probabilities to units and dimensions."""

import pytest

from assay.routing.decision import choose_units, settle_descriptor
from assay.routing.descriptor import Descriptor

LIKELY = {"extract_date": 0.7, "extract_party": 0.9, "extract_total": 0.1}


def chosen(probabilities, fit):
    return choose_units(probabilities, fit, fit_threshold=0.4, unit_threshold=0.5)


def test_all_likely_units_are_meant_the_likeliest_first():
    assert chosen(LIKELY, 0.9) == ("extract_party", "extract_date")


def test_what_does_not_fit_means_nothing():
    assert chosen(LIKELY, 0.39) == ()


def test_what_fits_means_at_least_the_likeliest_if_it_is_likely_at_all():
    assert chosen({"extract_date": 0.2, "extract_party": 0.3}, 0.9) == ("extract_party",)
    assert chosen({"extract_date": 0.02, "extract_party": 0.03}, 0.9) == ()
    assert chosen({}, 0.9) == ()


def test_the_descriptor_goes_with_the_units():
    read = Descriptor(numeric=0.8, temporal=0.2)
    settled = settle_descriptor(read, ["extract_date", "a_tenants"], {"extract_date": ["temporal"]})
    assert settled.active == ("temporal",)
    assert settled.numeric == pytest.approx(0.4)
    assert settle_descriptor(read, ["a_tenants"], {}) == read


def test_overlap_is_how_much_of_what_is_asked_is_there():
    asked = Descriptor(temporal=1.0, clause=0.5)
    assert asked.overlap(Descriptor(temporal=1.0)) == pytest.approx(2 / 3)
    assert asked.overlap(Descriptor(numeric=1.0)) == 0.0
    assert Descriptor().overlap(asked) == 0.0
