"""Requests for several things."""

import pytest

from assay.routing import load_router
from assay.routing.parts import parts_of


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("who signed it and when", ("who signed it", "when")),
        ("parties, governing law", ("parties", "governing law")),
        ("总金额以及发票号码", ("总金额", "发票号码")),
        ("the landlord", ()),
        ("android handsets", ()),
        ("a, b, c, d", ()),
        ("one, two, three, four", ()),
        ("and", ()),
    ],
)
def test_a_request_is_cut_at_its_joints(text: str, parts: tuple[str, ...]) -> None:
    assert parts_of(text) == parts


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("What do we have to do, and what dates apply?", {"extract_obligation", "extract_date"}),
        ("签订日期和违约条款", {"extract_date", "extract_clause"}),
    ],
)
def test_every_part_of_a_request_is_answered(text: str, units: set[str]) -> None:
    route = load_router().route(text)
    assert set(route.unit_names) == units
    assert len(set(route.unit_names)) == len(route.units)


def test_a_part_that_means_nothing_adds_nothing() -> None:
    """The "and" of a name joins no two requests."""
    route = load_router().route("What does Alder and Birch owe in total?")
    whole = load_router().route("What does Alder owe in total?")
    assert route.unit_names == whole.unit_names
