"""Labelled requests: those of the package, and files of others."""

from pathlib import Path

import pytest

from assay.errors import RecordError
from assay.routing import labelled_requests, load_router, read_requests
from assay.routing.examples import parse_requests
from assay.training.unit_dimensions import UNIT_DIMENSIONS, dimensions_of
from assay.units import all_units

OWN = "tests/data/requests_own.jsonl"


def test_at_most_200_are_labelled_and_the_head_has_seen_each():
    requests = labelled_requests()
    assert len(requests) <= 200
    assert len({item.text for item in requests}) == len(requests)
    assert len(load_router().head.weights["examples"]) == len(requests)
    assert {item.language for item in requests} == {"en", "zh"}


def test_labels_are_units_of_the_catalogue_and_go_with_their_dimensions():
    names = {unit.name for unit in all_units()}
    assert set(UNIT_DIMENSIONS) == set(load_router().head.unit_names) <= names
    for item in (*labelled_requests(), *read_own()):
        assert set(item.units) <= names
        assert item.descriptor == dimensions_of(item.units)


def read_own():
    return read_requests(Path(OWN))


def test_what_is_measured_on_was_not_trained_on():
    seen = {item.text.lower() for item in labelled_requests()}
    own = [item for item in read_own() if item.text.lower() not in seen]
    assert len(own) == len(read_own()) >= 120


def test_a_descriptor_is_names_or_numbers():
    lines = '{"text": "a", "descriptor": {"numeric": 0.9, "clause": false}, "tenant": "acme"}\n\n'
    (item,) = parse_requests(lines, "x")
    assert (item.descriptor, item.units, item.tenant) == (("numeric",), (), "acme")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "line 1 of x is no request"),
        ('{"units": []}', "is no request"),
        ('{"text": 4}', "has no text"),
        ('{"text": "a", "descriptor": ["colour"]}', "names colour"),
        ('{"text": "a", "descriptor": {"numeric": "much"}}', "is no request"),
    ],
)
def test_what_is_no_request_is_told_with_its_line(line, message):
    with pytest.raises(RecordError, match=message):
        parse_requests(line, "x")


def test_a_file_that_cannot_be_read_is_told(tmp_path):
    with pytest.raises(RecordError, match="cannot be read"):
        read_requests(tmp_path / "none.jsonl")
