"""Requests with their labels, read from lines of JSON."""

import json
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.study.requests import read_requests

EXAMPLES = Path(__file__).parents[3] / "examples" / "requests.jsonl"
LINE = {"text": "Who signs?", "descriptor": ["entity"], "units": ["extract_party"]}


def written(tmp_path, *lines):
    path = tmp_path / "requests.jsonl"
    path.write_text("\n".join([*lines, *[json.dumps(LINE)] * 12]), encoding="utf-8")
    return path


def test_the_examples_are_read_and_name_units_that_exist() -> None:
    from assay.units.catalogue import all_units

    requests = read_requests(EXAMPLES)
    named = {name for item in requests for name in item.units}
    assert named <= {unit.name for unit in all_units()}
    assert {item.language for item in requests} == {"en", "zh"}


def test_a_descriptor_may_be_numbers_by_name(tmp_path) -> None:
    numbers = {"entity": 1, "clause": 0.2, "temporal": True}
    path = written(tmp_path, json.dumps({**LINE, "descriptor": numbers}), "")
    assert read_requests(path)[0].descriptor == ("entity", "temporal")


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"text": "x"}', json.dumps({**LINE, "text": " "}),
             json.dumps({**LINE, "descriptor": "entity"})]
)  # fmt: skip
def test_a_line_that_is_no_request_is_told_with_its_number(tmp_path, line) -> None:
    with pytest.raises(InputError, match="line 1 is no request"):
        read_requests(written(tmp_path, line))


def test_too_few_or_none_are_refused(tmp_path) -> None:
    path = tmp_path / "few.jsonl"
    path.write_text(json.dumps(LINE), encoding="utf-8")
    with pytest.raises(InputError, match="it needs 12"):
        read_requests(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_requests(tmp_path / "none.jsonl")
